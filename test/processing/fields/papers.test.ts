import * as assert from 'uvu/assert';
import { linesOf } from '../../../bench/papers/machineReadable.ts';
import type { FieldResult } from '../../../domain/submission/processingResult.ts';
import type { OutputField } from '../../../domain/workflow.ts';
import { finder } from '../../../processing/fields/find.ts';
import { textPage } from '../../../processing/read/text.ts';
import { outputField } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';
import { notation } from '../files.ts';

const test = suite('fields of cards, invoices and letters');

const find = (given: Partial<OutputField> & { name: string }, text: string): FieldResult | null => {
  const field = outputField(given.name, { label: null, ...given });
  return finder({ pages: [textPage('f', text)], entries: [] }, notation, [field])(field);
};
const read = (given: Partial<OutputField> & { name: string }, text: string) => find(given, text)?.value;

const holder = {
  ...{ given: 'Jürgen Otto', surname: 'Größ', nation: 'D', documentNumber: 'L81K13872' },
  sex: 'M',
  ...{ birth: '1989-09-03', expiry: '2032-07-04' },
} as const;
const zone = linesOf(holder);
const card = ['PERSONALAUSWEIS', 'GRÖSS', 'JÜRGEN OTTO', ...zone].join('\n');
const date = { type: 'date' } as const;

test('a machine-readable zone tells who a card is for, its names as they are printed', () => {
  assert.is(read({ name: 'documentNumber' }, card), 'L81K13872');
  assert.is(read({ name: 'dateOfBirth', ...date }, card), '1989-09-03');
  assert.is(read({ name: 'expiryDate', ...date }, card), '2032-07-04');
  assert.is(read({ name: 'sex' }, card), 'M');
  assert.is(read({ name: 'surname' }, card), 'GRÖSS');
  assert.is(read({ name: 'givenNames' }, card), 'JÜRGEN OTTO');
});

test('the lines of a passport are read as well', () => {
  const passport =
    'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10';
  assert.is(read({ name: 'passportNumber' }, passport), 'L898902C3');
  assert.is(read({ name: 'dateOfBirth', ...date }, passport), '1974-08-12');
  assert.is(read({ name: 'surname' }, passport), 'ERIKSSON');
});

test('a wrong check digit, a name that is not printed, and a date that disagrees are for a person', () => {
  const [first = '', second = '', names = ''] = zone;
  const misread = [first.replace('L81K13872', 'L81K13842'), second.replace('890903', '890908'), names].join(
    '\n',
  );
  for (const field of [{ name: 'documentNumber' }, { name: 'dateOfBirth', ...date }, { name: 'surname' }]) {
    const { confidence = 0 } = find(field, misread) ?? {};
    assert.ok(confidence > 0 && confidence < 0.8, `${field.name}: ${confidence}`);
  }
  const other = find({ name: 'dateOfBirth', ...date }, `Date of birth: 03.09.1998\n${card}`);
  assert.ok((other?.confidence ?? 1) < 0.8);
});

const tax = { name: 'tax', type: 'number' } as const;

test('the tax of several rates is their sum, where the total confirms it', () => {
  const rows = 'Subtotal 200.00\nVAT 20% 20.00\nVAT 5% 5.00\n';
  const found = find(tax, `${rows}Total 225.00`);
  assert.equal([found?.value, found?.text], [25, '20.00 + 5.00']);
  assert.ok((found?.confidence ?? 0) > 0.9);
  assert.is(read(tax, `${rows}Rounding 0.02\nTotal 225.02`), 25);
  assert.ok((find(tax, `${rows}Total 230.00`)?.confidence ?? 1) < 0.8);
  assert.is(read(tax, 'Base imponible -200.00\nIVA 21% -42.00\nIVA 10% -2.00\nTotal -244.00'), -44);
});

test('a rate beside its label is not the sum, which is in the next column', () => {
  for (const row of ['VAT 20%       249.31', 'VAT20%        249.31', 'MwSt. 20 %    249.31'])
    assert.is(read(tax, `Net          1246.55\n${row}\nTotal        1495.86`), 249.31, row);
  assert.is(read({ name: 'taxRate', type: 'number' }, 'Tax rate 20%'), 20);
});

test('captions are known in Spanish and Malay, without accents, and without their blanks', () => {
  const dueDate = { name: 'dueDate', ...date };
  assert.is(read(dueDate, 'Vencimiento: 24/11/2026'), '2026-11-24');
  assert.is(read(dueDate, 'Tarikh akhir bayaran: 24/11/2026'), '2026-11-24');
  assert.is(read(dueDate, 'Echeance: 24/11/2026'), '2026-11-24');
  assert.is(read({ name: 'accountNumber' }, 'Accountnumber:8319482599'), '8319482599');
  assert.is(read({ name: 'invoiceNumber' }, 'Factura n.º: R-52576'), 'R-52576');
  assert.is(read({ name: 'customer' }, 'Bill to: Linden Ltd'), 'Linden Ltd');
});

test('a Spanish date is read where recognition lost its blanks', () =>
  assert.is(read({ name: 'date', ...date }, 'Fecha: 10 dediciembre de2025'), '2025-12-10'));

test('the supplier is the sender above the window, not who is below it', () => {
  const letter =
    'Transports Moulin SA · 27 boulevard Carnot · 69002 Lyon\nAtelier du Port SAS\n4 rue Verte\n33000 Bordeaux\n\nFacture';
  assert.is(read({ name: 'supplier' }, letter), 'Transports Moulin SA');
  const glued = letter.replace(/^.*\n/, 'TransportsMoulinSA27boulevardCarnot69002Lyon\n');
  assert.ok((find({ name: 'supplier' }, glued)?.confidence ?? 1) < 0.8);
});

test('the supplier is not the customer, who is named in the language of the paper', () => {
  for (const caption of ['Bill to', 'Rechnung an', 'Facturé à', 'Facturar a', 'Kepada']) {
    const columns = `${caption.padEnd(30)}Linden Printing Ltd\nHarbour Supplies Ltd${' '.repeat(10)}14 Mill Road\n3 Quay Lane${' '.repeat(19)}Leeds LS9 8EQ\nFalmouth TR11 3AA`;
    const { value, confidence = 1 } = find({ name: 'supplier' }, columns) ?? {};
    assert.ok(value !== 'Harbour Supplies Ltd' || confidence < 0.8, `${caption}: ${value} ${confidence}`);
  }
});

test('the taxes of a row of sums are added too', () => {
  const row =
    'Subtotal      VAT 5%        VAT 20%       Total\n$200.00       $5.00         $20.00        $225.00';
  const found = find(tax, row);
  assert.equal([found?.value, found?.text], [25, '$5.00 + $20.00']);
  assert.ok((find(tax, row.replace('225', '235'))?.confidence ?? 1) < 0.8);
});

test('a half that was paid, and the other that is due, are not the total', () => {
  const total = { name: 'total', label: 'Total', type: 'number' } as const;
  const text = 'Subtotal $90.00\nSales tax $10.00\nTotal $100.00\nPaid $50.00\nBalance due $50.00';
  assert.is(read(total, text), 100);
});

test('the line between a name and a town is a street, known by its number', () => {
  for (const [street, town] of [
    ['7 Church Walk', 'Norwich NR3 1AB'],
    ['Lindenweg 4a', '20457 Hamburg'],
    ['12ruedesLilas', '59800 Lille'],
  ])
    assert.is(
      read({ name: 'address' }, `Silverline Logistics Ltd\n${street}\n${town}\n`),
      `${street} ${town}`,
    );
  const other = 'Silverline Logistics Ltd\nSince the year\n20457 Hamburg\n';
  assert.is(read({ name: 'address' }, other), '20457 Hamburg');
});

test('who a paper is for is named second, or below the line of the sender, for a person to check', () => {
  const customer = { name: 'customer', label: 'Customer' };
  const theirs = 'Inés Ortega\n45 Lakeview Drive\nAustin, TX 78701\n';
  const own = 'Linden Printing Ltd\n14 Mill Road\nLeeds LS9 8EQ\n';
  const found = find(customer, `${own}\n${theirs}\nInvoice\nTotal 5.00`);
  assert.is(found?.value, 'Inés Ortega');
  assert.ok((found?.confidence ?? 1) < 0.8);
  const line = 'Linden Printing Ltd · 14 Mill Road · Leeds LS9 8EQ\n';
  assert.is(read(customer, `${line}${theirs}\nInvoice\nTotal 5.00`), 'Inés Ortega');
  assert.is(find(customer, `${own}\nInvoice\nTotal 5.00`), null);
  assert.is(find({ name: 'driver' }, `${own}\n${theirs}\nInvoice`), null);
});
