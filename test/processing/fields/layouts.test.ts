import * as assert from 'uvu/assert';
import type { OutputField } from '../../../domain/workflow.ts';
import { finder } from '../../../processing/fields/find.ts';
import { outputField } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';
import { notation } from '../files.ts';
import { drawn, turned, turnedBy } from './layouts.ts';

const test = suite('layouts');

const FIELDS: readonly OutputField[] = [
  outputField('invoiceNumber'),
  outputField('date', { type: 'date' }),
  outputField('dueDate', { type: 'date' }),
  outputField('project'),
  outputField('cashier'),
  outputField('pieces', { type: 'integer' }),
  outputField('subtotal', { type: 'number' }),
  outputField('tax', { type: 'number' }),
  outputField('total', { type: 'number' }),
];

type Values = Readonly<Record<string, unknown>>;
const layouts: readonly (readonly [title: string, rows: readonly string[], values: Values])[] = [
  [
    'the values of several columns below their labels',
    ['Invoice No      Due date       Date', 'INV-17          01/05/2018     01/04/2018'],
    { invoiceNumber: 'INV-17', date: '2018-04-01', dueDate: '2018-05-01' },
  ],
  [
    'values that almost touch, each below its label',
    ['Project         Invoice No    Cashier', 'Harbour works 2 INV-2018-0017 Kim'],
    { project: 'Harbour works 2', invoiceNumber: 'INV-2018-0017', cashier: 'Kim' },
  ],
  [
    'labels with colons above their values',
    ['Cashier:      Project:', 'Kim           Harbour works'],
    { cashier: 'Kim', project: 'Harbour works' },
  ],
  [
    'labels left and values far right',
    ['Cashier                          Kim', 'Project                Harbour works', 'Total  80.90'],
    { cashier: 'Kim', project: 'Harbour works', total: 80.9 },
  ],
  [
    'a label above its value in a box',
    ['Invoice No', 'INV-17', '', '', '', 'Project', 'Harbour works'],
    { invoiceNumber: 'INV-17', project: 'Harbour works' },
  ],
  [
    'captions below what was filled in',
    ['Kim Miller', 'Cashier', '', 'Harbour works', 'Project'],
    { cashier: 'Kim Miller', project: 'Harbour works' },
  ],
  ['a number before what it counts', ['Kim     12 pieces'], { pieces: 12 }],
  [
    'something else in the next column',
    ['Invoice No: INV-17          Harbour Ltd', 'Cashier: Kim                1 High Street'],
    { invoiceNumber: 'INV-17', cashier: 'Kim' },
  ],
  [
    'sums below their labels',
    ['   Total      Subtotal       VAT', '   80.90         76.32      4.58', '', 'Thank you'],
    { subtotal: 76.32, tax: 4.58, total: 80.9 },
  ],
  [
    'a table of items, whose column of totals is none of the document',
    [
      'Description      Price      Total',
      'Widget           30.00      60.00',
      'Gadget           20.00      40.00',
      '',
      'Total                      100.00',
    ],
    { total: 100 },
  ],
  ['a label without a value', ['Cashier', '', '', '', '', '', 'Thank you'], { cashier: undefined }],
];

const turns: readonly (readonly [string, number])[] = [
  ['', 0],
  [', turned by 90°', 90],
  [', upside down', 180],
  [', askew by 4°', 4],
];
for (const [title, rows, values] of layouts)
  for (const [how, degrees] of turns)
    test(`${title}${how}`, () => {
      const pages = [turned(drawn(rows), turnedBy(degrees))];
      for (const [name, value] of Object.entries(values)) {
        const field = FIELDS.find((one) => one.name === name) ?? outputField(name);
        assert.is(finder({ pages, entries: [] }, notation, FIELDS)(field)?.value, value, name);
      }
    });

test('words without boxes keep the order of lines', () => {
  const page = drawn(['Invoice No', 'INV-17']);
  const lines = page.lines.map((line) => ({
    ...line,
    words: line.words.map((word) => ({ ...word, box: null })),
  }));
  const content = { pages: [{ ...page, lines }], entries: [] };
  assert.is(finder(content, notation, FIELDS)(outputField('invoiceNumber'))?.value, 'INV-17');
});
