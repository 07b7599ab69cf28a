import * as assert from 'uvu/assert';
import type { OutputField } from '../../domain/workflow.ts';
import { reviewReasons } from '../../processing/decide.ts';
import { findField } from '../../processing/fields/find.ts';
import { roleOf } from '../../processing/fields/role.ts';
import { textPage } from '../../processing/page.ts';
import type { FieldResult } from '../../processing/types.ts';
import { outputField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('processing/rules');

const find = (field: Partial<OutputField> & { name: string }, text: string): FieldResult | null =>
  findField(outputField(field.name, field), { pages: [textPage('f', text)], entries: [] }, 'day-first');

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
  ['in the line below', 'Amount due\nRM 12.50', 12.5],
  ['misread by recognition', 'T0TAI 12.50\nCASH 20.00', 12.5],
  ['in German notation', 'Summe EUR 1.234,50', 1234.5],
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
    find({ name: 'dueDate', type: 'date' }, 'Due date: 01/05/2018\nDate: 01/04/2018')?.value,
    '2018-05-01',
  );
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
  assert.equal(
    ['total', 'amountPaid', 'subtotal', 'taxAmount'].map((name) => role(name, 'number')),
    ['total', 'total', null, null],
  );
  assert.equal(
    ['date', 'issueDate', 'dueDate', 'birthDate'].map((name) => role(name, 'date')),
    ['date', 'date', null, null],
  );
  assert.equal(
    ['companyName', 'merchant', 'companyNumber', 'address', 'emailAddress'].map((name) => role(name)),
    ['company', 'company', null, 'address', null],
  );
});

test('what sends extracted data to a review', () => {
  const auto = { review: 'auto', reviewBelow: 0.8 } as const;
  const missing = { code: 'missing_required', field: 'total' } as const;
  assert.equal(reviewReasons([], 0.8, auto), []);
  assert.equal(reviewReasons([], 0.799, auto), [{ code: 'low_confidence', field: null }]);
  assert.equal(reviewReasons([missing], 1, auto), [missing]);
  assert.equal(reviewReasons([missing], 0.1, { ...auto, review: 'always' }), [
    missing,
    { code: 'low_confidence', field: null },
    { code: 'always_review', field: null },
  ]);
});
