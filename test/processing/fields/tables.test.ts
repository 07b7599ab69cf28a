import * as assert from 'uvu/assert';
import type { FieldResult } from '../../../domain/submission/processingResult.ts';
import { tableFinder } from '../../../processing/fields/table.ts';
import { textPage } from '../../../processing/read/text.ts';
import { itemsField, outputField } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';
import { notation } from '../files.ts';

const test = suite('tables of documents');

type Cells = readonly [string, string?, string?, string?];

/** Lines of columns that are as wide as their heads allow. */
const printed = (...rows: readonly Cells[]): string =>
  rows
    .map(([text, ...numbers]) => text.padEnd(40) + numbers.map((one = '') => one.padStart(18)).join(''))
    .join('\n');

const HEADS: Cells = ['Bezeichnung', 'Menge', 'Einzelpreis', 'Betrag'];
const BOLTS: Cells = ['Bolts', '2', '4.75', '9.50'];
const NUTS: Cells = ['Nuts', '10', '0.30', '3.00'];

const find = (pages: readonly string[], total?: number): FieldResult | null => {
  const read = pages.map((text, index) => ({ ...textPage('f', text), number: index + 1 }));
  const placed = read.map((page) => ({
    ...page,
    lines: page.lines.map((line) => ({ ...line, place: { ...line.place, page: page.number } })),
  }));
  const sum = { value: total ?? null, confidence: 0.9, text: null, place: null };
  const found = total === undefined ? [] : [{ field: outputField('total', { type: 'number' }), result: sum }];
  return tableFinder(placed, notation)(itemsField, found);
};
const row = (
  description: string,
  quantity: number | null,
  unitPrice: number | null,
  amount: number | null,
) => ({
  ...{ description, quantity, unitPrice, amount },
});
const bolts = row('Bolts', 2, 4.75, 9.5);
const nuts = row('Nuts', 10, 0.3, 3);

test('rows stand below their heads, whose words are also those of other languages; sums are none [tables-6]', () => {
  const text = printed(
    HEADS,
    BOLTS,
    NUTS,
    ['Zwischensumme', '', '', '12.50'],
    ['MwSt. 19 %', '', '', '2.38'],
  );
  assert.equal(find([`Rechnung\n\n${text}\n${printed(['Gesamtbetrag', '', '', '14.88'])}`])?.value, [
    bolts,
    nuts,
  ]);
});

test('a table goes on over pages, with its heads repeated or without [tables-6]', () => {
  const carried: Cells = ['Carried forward', '', '', '9.50'];
  const first = printed(HEADS, BOLTS, carried);
  assert.equal(find([first, printed(HEADS, carried, NUTS)])?.value, [bolts, nuts]);
  assert.equal(find([first, printed(carried, NUTS)])?.value, [bolts, nuts]);
});

test('a line of text below a row continues it; what is far below, or after the sums, does not [tables-6]', () => {
  const text = printed(HEADS, BOLTS, ['of steel'], NUTS, ['Total', '', '', '12.50'], ['Thank you']);
  assert.equal(find([text])?.value, [{ ...bolts, description: 'Bolts of steel' }, nuts]);
});

test('sums whose blanks were not seen, and those with a rate beside them, are none [tables-6]', () => {
  const sums: readonly Cells[] = [
    ['Subtotal', '', '', '12.50'],
    ['SST', '8', '', '1.00'],
  ];
  assert.equal(
    find([printed(HEADS, BOLTS, NUTS, ['Jumlahkecil', '', '', '12.50'], ...sums.slice(1))])?.value,
    [bolts, nuts],
  );
  assert.equal(find([printed(HEADS, BOLTS, ['Carriedforward', '', '', '9.50'], NUTS, ...sums)])?.value, [
    bolts,
    nuts,
  ]);
});

test('without heads there is no table', () => assert.is(find([printed(BOLTS, NUTS)]), null));

test('the confidence of a table is that of its least sure required cell [tables-5]', () => {
  const sure = find([printed(HEADS, BOLTS)]);
  const cells = sure?.rows?.[0]?.cells ?? {};
  const [description, amount] = [cells.description?.confidence ?? 0, cells.amount?.confidence ?? 0];
  assert.is(sure?.confidence, Math.min(description, amount));
  assert.ok(amount > description);
  assert.is(find([printed(HEADS, BOLTS, ['Nuts', '10', '0.30', ''])])?.confidence, 0);
});

test('quantity times price refutes an amount, and the sum of a document its rows: below 0.8 [tables-7]', () => {
  const wrong = find([printed(HEADS, BOLTS, ['Nuts', '10', '0.30', '3.10'])]);
  const amounts = wrong?.rows?.map(({ cells }) => cells.amount?.confidence ?? 0) ?? [];
  assert.ok((amounts[0] ?? 0) > 0.9 && (amounts[1] ?? 1) < 0.8, amounts.join());
  const text = printed(HEADS, BOLTS, NUTS);
  assert.ok((find([text], 12.5)?.confidence ?? 0) >= 0.8);
  assert.ok((find([text], 15.5)?.confidence ?? 1) < 0.8);
});

test('a hostile page is read in bounded time: no more rows than a table may have', () => {
  const many = Array.from({ length: 400 }, () => BOLTS);
  const rows = find([1, 2, 3, 4].map(() => printed(HEADS, ...many)))?.value;
  assert.ok(Array.isArray(rows) && rows.length === 1_000, String((rows as readonly unknown[]).length));
});
