import * as assert from 'uvu/assert';
import { finder } from '../../../processing/fields/find.ts';
import type { Page } from '../../../processing/page.ts';
import { textPage } from '../../../processing/read/text.ts';
import { outputField } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';
import { notation } from '../files.ts';
import { drawn } from './layouts.ts';

const test = suite('pages');

const FIELDS = [
  outputField('company'),
  outputField('address'),
  outputField('date', { type: 'date' }),
  outputField('invoiceNumber'),
  outputField('total', { type: 'number' }),
];

type Values = Readonly<Record<string, unknown>>;

const expectValues = (pages: readonly Page[], values: Values): void => {
  for (const [name, value] of Object.entries(values)) {
    const field = FIELDS.find((one) => one.name === name) ?? outputField(name);
    assert.is(finder({ pages, entries: [] }, notation, FIELDS)(field)?.value, value, name);
  }
};

const HEAD = 'ACME TRADING LTD\n12 High Street, 40300 Springfield';
const OTHER_HEAD = 'BLUE RIVER MART GMBH\nUferweg 5, 20095 Hamburg';

const documents: readonly (readonly [title: string, pages: readonly string[], values: Values])[] = [
  [
    'sums carried over from page to page',
    [
      `${HEAD}\nDate: 01/04/2018\nTotal carried forward 50.00\nPage 1 of 2`,
      `${HEAD}\nTotal brought forward 50.00\nWidget 30.90\nTotal 80.90\nDelivery date 02/05/2018\nPage 2 of 2`,
    ],
    { total: 80.9, date: '2018-04-01', company: 'ACME TRADING LTD' },
  ],
  [
    'a total on each page',
    [`${HEAD}\nTotal payable 50.00`, 'Widget 30.90\nTotal 80.90', 'Terms and conditions'],
    { total: 80.9 },
  ],
  ['a sum of each page', ['Page total 50.00', 'Total 80.90', 'Total of this page 30.90'], { total: 80.9 }],
  [
    'a summary on the first page',
    ['Account summary\nTotal 12.00', 'Widget 30.90\nTotal 80.90'],
    { total: 80.9 },
  ],
  [
    'a cover before the head',
    ['for john', `${HEAD}\nTotal 80.90`],
    { company: 'ACME TRADING LTD', address: '12 High Street, 40300 Springfield' },
  ],
  [
    'a head and terms of somebody else',
    [`GREEN PARROT\n109 Mill Road\nTel 1`, `${OTHER_HEAD}\nTerms`],
    { company: 'GREEN PARROT', address: '109 Mill Road' },
  ],
  [
    'a date on the second page only, the first says when it is due',
    [`${HEAD}\nDue date 01/05/2018`, 'Date: 01/04/2018'],
    { date: '2018-04-01' },
  ],
  [
    'a date without a label before another one with it',
    [`${HEAD}\n01/04/2018`, 'Date: 03/02/2018 10:22'],
    { date: '2018-04-01' },
  ],
];
for (const [title, texts, values] of documents)
  test(`pages: ${title}`, () => {
    const pages = texts.map((text, index) => drawn(text.split('\n'), { number: index + 1 }));
    expectValues(pages, values);
  });

const files: readonly (readonly [title: string, files: readonly string[], values: Values])[] = [
  [
    'an attachment with sums, dates and numbers of its own',
    [
      `${HEAD}\nInvoice No: INV-17\nDate: 01/04/2018\nTotal 80.90`,
      `${OTHER_HEAD}\nInvoice No: R-99\nDate: 03/02/2018 10:22\nGrand total 999.00\nCash 1000.00\nChange 1.00`,
    ],
    { total: 80.9, date: '2018-04-01', invoiceNumber: 'INV-17', company: 'ACME TRADING LTD' },
  ],
  [
    'a page in each file',
    [`${HEAD}\nPage 1 of 2\nTotal 50.00`, 'Page 2 of 2\nTotal 80.90'],
    { total: 80.9, company: 'ACME TRADING LTD' },
  ],
  [
    'sums on the way in the first, the total in the second',
    [`${HEAD}\nSubtotal 90.00`, 'Total 80.90'],
    { total: 80.9 },
  ],
  [
    'the back of a card first',
    ['Keep in a dry place\n50 g of sugar 3.50', `${HEAD}\nInvoice No: INV-17\nTotal 80.90`],
    { total: 80.9, company: 'ACME TRADING LTD', invoiceNumber: 'INV-17' },
  ],
];
for (const [title, texts, values] of files)
  test(`files: ${title}`, () =>
    expectValues(
      texts.map((text, index) => textPage(`file ${index}`, text)),
      values,
    ));

test('of several files the first says a value, even where a later one is read better', () => {
  const [first, second] = ['INV-17', 'R-99'].map((number) => textPage(number, `Invoice No: ${number}`));
  if (!first || !second) throw new Error('two pages were made');
  const lines = first.lines.map((line) => ({
    ...line,
    words: line.words.map((word) => ({ ...word, confidence: 0.9 })),
  }));
  expectValues([{ ...first, lines }, second], { invoiceNumber: 'INV-17' });
});
