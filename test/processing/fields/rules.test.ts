import * as assert from 'uvu/assert';
import type { FieldResult } from '../../../domain/submission/processingResult.ts';
import type { OutputField } from '../../../domain/workflow.ts';
import { finder } from '../../../processing/fields/find.ts';
import { correctByRepetition } from '../../../processing/fields/misreads.ts';
import { roleOf } from '../../../processing/fields/role.ts';
import { textPage } from '../../../processing/read/text.ts';
import { outputField } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';
import { notation } from '../files.ts';

const test = suite('rules for fields without a label');

const find = (given: Partial<OutputField> & { name: string }, text: string): FieldResult | null => {
  const field = outputField(given.name, given);
  return finder({ pages: [textPage('f', text)], entries: [] }, notation, [field])(field);
};

const totals: readonly (readonly [string, string, number | undefined])[] = [
  ['told from a subtotal and tax', 'Subtotal 76.32\nGST 6% 4.58\nTotal 80.90', 80.9],
  ['told from cash and change', 'TOTAL 80.90\nCASH 100.00\nCHANGE 19.10', 80.9],
  ['told from a total before rounding', 'Total 84.01\nRounding -0.01\nRounded total 84.00', 84],
  ['told from a total without tax', 'Total (excluding GST) 5.66\nTotal (inclusive of GST) 6.00', 6],
  ['told from a quantity', 'Total Qty: 4.00\nTotal 12.50', 12.5],
  ['told from the tax included in it', 'TOTAL INCL. GST 8.60\nGST included in total 0.49', 8.6],
  ['told from a tax summary', 'TOTAL 94.87\nGST Summary\nTotal 89.50 5.37', 94.87],
  [
    'of which cash less change is the judge',
    'Total 84.00\nDisc 1.00\nTotal 83.00\nCASH 85.00\nCHANGE 2.00',
    83,
  ],
  [
    'told from one before it is rounded',
    'TOTAL 9.06\nROUND ADJ -0.01\nROUND AMT 9.05\nCASH 10.00\nCHANGE 0.95',
    9.05,
  ],
  ['that rounding makes of another', 'Total inclusive GST: 7.98\nRounding adj: 0.02\nTOTAL AMOUNT 8.00', 8],
  ['told from a discount', 'Total before discount 1,100.00\nDiscount 92.50\nGrand total 1,007.50', 1007.5],
  ['named a bill', 'BILL AMT 1.75\nCASH 2.00\nBALANCE 0.25', 1.75],
  [
    'misread in one digit, as cash and change show',
    'SUBTOTAL 38.37\nTOTAL 38.31\nCASH 40.37\nCHANGE 2.00',
    38.37,
  ],
  ['of which a misread payment is no judge', 'Excluding GST 89.50\nGST 5.37\nTOTAL 94.87\nCASH 84.87', 94.87],
  ['whose digits became letters', 'TOTAL l2.5O\nCASH 20.00', 12.5],
  ['in the line below', 'Amount due\nRM 12.50', 12.5],
  ['misread by recognition', 'T0TAI 12.50\nCASH 20.00', 12.5],
  ['in German notation', 'Summe EUR 1.234,50', 1234.5],
  ['without tax before one with it', 'Total w/o GST 31.98\nTotal with GST 33.90', 33.9],
  ['after rounding', 'Total 33.92\nRounding -0.02\nTotal After Rounding 33.90', 33.9],
  ['after a discount', 'Total Before Disc 40.00\nDisc 6.10\nTotal After Disc 33.90', 33.9],
  [
    'that only its payment states as it was rounded',
    'Sub Total (Incl GST) 33.92\nRounding -0.02\nCASH 33.90',
    33.9,
  ],
  ['named net', 'TOTAL 36.00\nDISCOUNT -2.10\nNET 33.90\nCASH 33.90', 33.9],
  ['told from that of a person', 'TOTAL/PAX 8.48\nTOTAL 33.90', 33.9],
  ['in Malay', 'Jumlah Kecil 31.98\nGST 1.92\nJumlah Besar 33.90\nTunai 50.00\nBaki 16.10', 33.9],
  ['as tills shorten it', 'MILK 17.80\nTL 17.80\nCA 20.00\nCG 2.20', 17.8],
  ['in French', 'Total HT 28.25\nTotal TTC 33.90', 33.9],
  ['in German', 'Netto 28.49\nGesamtbetrag 33,90', 33.9],
  ['without a word for it, as cash and change show', 'AMT 33.90\nPAID 50.00\nCHG 16.10', 33.9],
  ['with a tip', 'Subtotal 40.00\nTax 2.80\nTotal 42.80\nTip 8.00\nTotal 50.80', 50.8],
  ['told from a service charge', 'Service Charge 3.00\nTotal 33.90\nCash 50.00\nChange 16.10', 33.9],
  ['the largest amount when nothing says total', 'Bread 3.50\nCake 14.20', 14.2],
  ['nowhere', 'Bread and cake', undefined],
];
for (const [title, text, value] of totals)
  test(`a total ${title}`, () => assert.is(find({ name: 'total', type: 'number' }, text)?.value, value));

test('an unlabelled amount is reported with little confidence', () => {
  const total = { name: 'total', type: 'number' } as const;
  assert.ok((find(total, 'Bread 3.50')?.confidence ?? 1) < 0.5);
  assert.ok((find(total, 'Total 3.50')?.confidence ?? 0) > 0.85);
});

test("a document's date, not the date that something is due", () => {
  const date = { name: 'date', type: 'date' } as const;
  assert.is(find(date, 'Due date: 01/05/2018\nDate: 01/04/2018')?.value, '2018-04-01');
  assert.is(find(date, 'Offer 26 NOV 2017 - 4 MAR 2018\n14-01-2018 16:02')?.value, '2018-01-14');
  assert.is(
    find({ name: 'invoiceDate', type: 'date' }, 'Date: 03/04/2018\nInvoice date: 01/04/2018')?.value,
    '2018-04-01',
  );
  assert.is(
    find({ name: 'dueDate', type: 'date' }, 'Due date: 01/05/2018\nDate: 01/04/2018')?.value,
    '2018-05-01',
  );
  assert.is(
    find({ name: 'warranty', type: 'date' }, 'Date: 01/04/2018\nWarranty ends 01/04/2031')?.value,
    '2031-04-01',
  );
});

const dates: readonly (readonly [string, string])[] = [
  ['Date:28/02/2017Time:12:20', '2017-02-28'],
  ['15/02/2018,10:22', '2018-02-15'],
  ['15 / 02 / 2018', '2018-02-15'],
  ['18/O6/2018', '2018-06-18'],
  ['25/12/7018', '2018-12-25'],
  ['31JAN2018 18:05', '2018-01-31'],
  ["19 MAR'18", '2018-03-19'],
  ['Tarikh 14 Mac 2017', '2017-03-14'],
  ['20160723 14:22', '2016-07-23'],
  ['20180105123011', '2018-01-05'],
  ['15/01/201812:30:11', '2018-01-15'],
  ['15/01/1812:30', '2018-01-15'],
  ['2018-01-0512:30:11', '2018-01-05'],
  ['12:30:1105/01/2018', '2018-01-05'],
  ['05/01/2018-12:30', '2018-01-05'],
  ['15 01 2018', '2018-01-15'],
  ['05,01,2018', '2018-01-05'],
  ['1S/01/2018', '2018-01-15'],
  ["Jan 15 '18", '2018-01-15'],
  ['Order Date: 03/01/2018\nDate: 05/01/2018', '2018-01-05'],
  ['Print Date: 06/01/2018\nBill Date: 05/01/2018', '2018-01-05'],
  ['2054-06-02 11:10\n02-03-18', '2018-03-02'],
  ['2054-06-02 11:10', '2054-06-02'],
];
for (const [text, iso] of dates)
  test(`the date in "${text}"`, () => assert.is(find({ name: 'date', type: 'date' }, text)?.value, iso));

const heads: readonly (readonly [
  title: string,
  company: string,
  address: string | undefined,
  text: string,
])[] = [
  [
    'a legal name below a brand',
    'WEST EAST PAPERS SDN. BHD.',
    'NO 5, 7 JALAN SATU, SECTION 4, 40000 SHAH ALAM, SELANGOR.',
    'NEWS4U\nWEST EAST PAPERS SDN. BHD. (123456-A)\nNO 5, 7 JALAN SATU,\nSECTION 4, 40000 SHAH ALAM, SELANGOR.\nINVOICE NO 123',
  ],
  [
    'a legal form misread',
    'BLUE RIVER MART SDN BHD',
    'LOT 276 JALAN BESAR, 43800 DENGKIL, SELANGOR',
    'BLUE RIVER MART SON BHD\n(0005583085-K)\nLOT 276 JALAN BESAR,\n43800 DENGKIL, SELANGOR\nTel: 03-87686092',
  ],
  [
    'a kind of house below the name',
    'GREEN PARROT',
    '109, SS2/1A, DAMANSARA UTAMA',
    'GREEN PARROT\nBISTRO & CAFE\n109, SS2/1A,\nDAMANSARA UTAMA\nGST ID : 001661886464',
  ],
  [
    'a title above, the country last',
    'SUNNY PETROL 2',
    'No 8, Jalan 7/118B, 56000 Kuala Lumpur, Malaysia',
    'TAX INVOICE\nSUNNY PETROL 2\nNo 8, Jalan 7/118B,\n56000 Kuala Lumpur, Malaysia\nSunny Mall\nTel : 03-55235214',
  ],
  [
    "somebody's note above",
    'YELLOW DOOR ENTERPRISE',
    undefined,
    'for john\nYELLOW DOOR ENTERPRISE\n(JM0512345)\nTEL 07-123',
  ],
];
for (const [title, company, address, text] of heads)
  test(`a head with ${title}`, () => {
    assert.is(find({ name: 'company' }, text)?.value, company);
    assert.is(find({ name: 'address' }, text)?.value, address);
  });

const TILL = `SINAR MINI MARKET
GST ID : 000123456789
Receipt No : R0012345 Table No : 12
Invoice # INV-7
Sub Total 32.00
GST 6% 2.11
Total 34.11`;
const REGISTRATION = { validation: { pattern: '^\\d{6}-[A-Z]$' } };
const labelled: readonly (readonly [string, Partial<OutputField>, string, unknown])[] = [
  ['no number of a tax payer is an amount of tax', { name: 'tax', type: 'number' }, TILL, 2.11],
  [
    'an amount of tax stands beside the tax',
    { name: 'gst', label: 'GST amount', type: 'number' },
    TILL,
    2.11,
  ],
  ['a number is found by "ID"', { name: 'gstNumber' }, TILL, '000123456789'],
  ['a value ends where the next label begins', { name: 'receiptNumber' }, TILL, 'R0012345'],
  ['"#" stands for a number', { name: 'invoiceNumber' }, TILL, 'INV-7'],
  ['a colon does', { name: 'invoiceNumber' }, 'Invoice: INV-8', 'INV-8'],
  ['so does a short form of the label with a mark', { name: 'invoiceNumber' }, 'Bill#: 0012', '0012'],
  [
    'a pattern is found within brackets',
    { name: 'reg', ...REGISTRATION },
    'ACME LTD (123456-X),',
    '123456-X',
  ],
  [
    'a pattern is found in what a label stands before',
    { name: 'reg', ...REGISTRATION },
    'Reg. No.: 123456-X.',
    '123456-X',
  ],
  [
    'a pattern is found over the gaps of print',
    { name: 'iban', validation: { pattern: '^DE\\d{20}$' } },
    'IBAN: DE89 3704 0044 0532 0130 00',
    'DE89370400440532013000',
  ],
  [
    'a pattern is found in words side by side',
    { name: 'plate', validation: { pattern: '^[A-Z]{3} \\d{4}$' } },
    'Car WXY 1234 blue',
    'WXY 1234',
  ],
  ['a rate is a number', { name: 'rate', type: 'number' }, 'Rate: 6.00%', 6],
];
for (const [title, field, text, value] of labelled)
  test(title, () => assert.is(find({ name: 'x', ...field }, text)?.value, value));

test('what labels state twice in two ways, what may be thousands, and what keeps no pattern, is reported with less confidence', () => {
  const sure = (field: Partial<OutputField>, text: string) =>
    find({ name: 'tax', type: 'number', ...field }, text)?.confidence ?? 1;
  assert.ok(sure({}, 'Tax 1.00') > 0.9);
  assert.ok(sure({}, 'Tax 1.00\nTax 2.00') < 0.8);
  assert.ok(sure({}, 'Tax 1.250') < 0.8);
  assert.ok(sure({ type: 'string', ...REGISTRATION }, 'Tax: 1234-X') <= 0.4);
});

test('a word misread is mended by the same word read well, and by a vocabulary of addresses', () => {
  const lines = textPage(
    'f',
    'Buardian Foods Ltd\n12, JALAN SATU\n43300 SELANG0R\nTel: 1\nAt Guardian',
  ).lines;
  const doubted = lines.slice(0, 3).map((line) => ({
    ...line,
    words: line.words.map((word) => ({ ...word, confidence: 0.8 })),
  }));
  const pages = [{ fileId: 'f', number: 1, lines: correctByRepetition([...doubted, ...lines.slice(3)]) }];
  const value = (name: string) =>
    finder({ pages, entries: [] }, notation, [outputField(name)])(outputField(name))?.value;
  assert.is(value('company'), 'Guardian Foods Ltd');
  assert.is(value('address'), '12, JALAN SATU 43300 SELANGOR');
});

const doubted = (text: string, confidence: number) =>
  textPage('f', text).lines.map((line) => ({
    ...line,
    words: line.words.map((word) => ({ ...word, confidence })),
  }));

test('a word that was read well, or is the beginning of a longer one, is not mended', () => {
  const head = (text: string, confidence: number) => {
    const pages = [{ fileId: 'f', number: 1, lines: doubted(text, confidence) }];
    const value = (name: string) =>
      finder({ pages, entries: [] }, notation, [outputField(name)])(outputField(name))?.value;
    return [value('company'), value('address')];
  };
  const rare = ['KIM SERVICE RESTAURAN', '5, JALAN PERMAS 9/5, 41400 KELANG'];
  assert.equal(head(rare.join('\n'), 0.9), rare);
  assert.equal(head('KIM SERVICE BAKERI\n5, JALAN SATU, 41400 KLANG', 0.7)[0], 'KIM SERVICE BAKERI');
  const misread = 'KIM TRADIMG\n5, JALAN SATU, 47000 PETALlNG';
  assert.equal(head(misread, 0.7), ['KIM TRADING', '5, JALAN SATU, 47000 PETALING']);
});

test('thousands of words that were read badly are soon compared with those that were read well', () => {
  const word = (number: number) =>
    `W${[...String(10_000 + number)].map((digit) => 'ABDGHKMPST'[+digit]).join('')}X`;
  const words = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) => word(from + index));
  const bad = doubted(words(20_000, 3_000).join(' '), 0.7);
  const mended = correctByRepetition([...doubted(words(3_000, 0).join(' '), 1), ...bad]);
  assert.is(mended.length, 2);
});

test('a doubted word is mended by the one beside it', () => {
  const line = (read: string, confidence: number) =>
    textPage('f', `ACME (N) SDN BHD\n5, JALAN SATU, 50450 ${read}`).lines.map((one) => ({
      ...one,
      words: one.words.map((word) => ({ ...word, confidence: /LUN|\(N/.test(word.text) ? confidence : 1 })),
    }));
  const found = (read: string, confidence: number) =>
    ['company', 'address'].map(
      (name) =>
        finder(
          { pages: [{ fileId: 'f', number: 1, lines: line(read, confidence) }], entries: [] },
          notation,
          [outputField(name)],
        )(outputField(name))?.value,
    );
  assert.equal(found('KUALA LUNPU', 0.6), ['ACME (M) SDN BHD', '5, JALAN SATU, 50450 KUALA LUMPUR']);
  assert.equal(found('KUALA LUNPU', 0.9), ['ACME (N) SDN BHD', '5, JALAN SATU, 50450 KUALA LUNPU']);
});

test('a word read elsewhere mends only what recognition takes for it', () => {
  const mendedBy = (read: string, sure: string, confidence: number) =>
    correctByRepetition([...doubted(read, confidence), ...doubted(sure, 1)])[0]?.text;
  assert.is(mendedBy('Change', 'Charge', 0.8), 'Change');
  assert.is(mendedBy('COFFEE', 'TOFFEE', 0.8), 'COFFEE');
  assert.is(mendedBy('EUTTER', 'FUTTER', 0.92), 'EUTTER');
  assert.is(mendedBy('SAFAYA', 'SARAYA', 0.8), 'SARAYA');
});

test('who issued a document stands in its head', () => {
  const company = { name: 'merchant' };
  assert.is(find(company, 'ACME\n1 High Street\nTel 1234')?.value, 'ACME');
  assert.is(
    find(company, 'receipt\nSUNRISE PALACE\nSDN. BHD.\n(123456-X)')?.value,
    'SUNRISE PALACE SDN. BHD.',
  );
  assert.is(find(company, 'Foo Bar GmbH & more\nHauptstrasse 5')?.value, 'Foo Bar GmbH & more');
});

test('an address over several lines', () => {
  const text = 'ACME LTD\n12, Mill Road,\nOld Town,\n43300 Springfield\nTel: 555\n1 x bread 2.00';
  assert.is(find({ name: 'address' }, text)?.value, '12, Mill Road, Old Town, 43300 Springfield');
});

test('a labelled value ends where the next label begins', () => {
  const text = 'Doc No : CS00012514 Date: 03/01/2018\nCashier: Kim';
  assert.is(find({ name: 'documentNumber', label: 'Document number' }, text)?.value, 'CS00012514');
  assert.is(find({ name: 'cashier' }, text)?.value, 'Kim');
  assert.is(find({ name: 'paid', label: 'Settled', type: 'boolean' }, 'Settled: yes')?.value, true);
  assert.is(find({ name: 'pieces', type: 'integer' }, 'Pieces: 12')?.value, 12);
});

test('the role of a field', () => {
  const role = (name: string, type: OutputField['type'] = 'string') => roleOf({ name, label: null, type });
  for (const name of ['paid_by', 'paid_to', 'cost_center']) assert.is(role(name), null, name);
  for (const name of ['total_hours', 'gross_weight', 'sum_insured', 'total_pages'])
    assert.is(role(name, 'number'), null, name);
  assert.is(role('total_incl_tax', 'number'), 'total');
  assert.equal(
    ['total', 'amountPaid', 'subtotal', 'taxAmount'].map((name) => role(name, 'number')),
    ['total', 'total', null, null],
  );
  assert.equal(
    ['date', 'issueDate', 'dueDate', 'birthDate'].map((name) => role(name, 'date')),
    ['date', 'date', null, null],
  );
  assert.equal(
    ['companyName', 'merchant', 'soldBy', 'companyNumber'].map((name) => role(name)),
    ['company', 'company', 'company', null],
  );
  assert.equal(
    ['address', 'storeLocation', 'emailAddress', 'shipToAddress'].map((name) => role(name)),
    ['address', 'address', null, null],
  );
});

test('a field may be called as what every object inherits', () =>
  assert.is(find({ name: 'constructor' }, 'Constructor: Acme')?.value, 'Acme'));

test('the search ends for a label with very many short forms', () =>
  assert.is(find({ name: 'code', label: 'no '.repeat(40).trim() }, 'Code: 17'), null));
