import * as assert from 'uvu/assert';
import { attempt } from '../../processing/attempt.ts';
import { asShown, letterCertainty } from '../../processing/characters.ts';
import type { Extracted } from '../../processing/types.ts';
import { outputField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';
import { noRecogniser, versionOf } from './files.ts';

const test = suite('what may be another value is for a person [extractors-1]');

const FIELDS = [
  outputField('company', { label: 'Company' }),
  outputField('date', { label: 'Date', type: 'date' }),
  outputField('total', { label: 'Total', type: 'number' }),
];
const SURE = 0.8;

const read = async (text: string, mimeType = 'text/plain', fields = FIELDS): Promise<Extracted> => {
  const file = { fileId: 'f', label: 'file', mimeType, content: Buffer.from(text) };
  const outcome = await attempt(
    { ...versionOf(fields), acceptedFormats: [mimeType] },
    [file],
    noRecogniser,
    () => undefined,
  );
  if (outcome.kind !== 'extracted') throw new Error(outcome.reason);
  return outcome;
};

/** A value alone is sure, one in a list is for a person. */
const found = ({ extractedData, fieldConfidences }: Extracted, name: string): unknown => {
  const value = extractedData[name] ?? null;
  return value === null || (fieldConfidences[name] ?? 0) >= SURE ? value : [value];
};
const invoice = (total: string): string => `Nordlicht GmbH\nDate: 2026-10-05\nTotal: ${total}\n`;

const totals: readonly (readonly [string, unknown])[] = [
  ['50p', [50]],
  ['99¢', [99]],
  ['99 cents', [99]],
  ['412.5 T€', [412.5]],
  ['TEUR 412.5', [412.5]],
  ['Ref 12345', [12_345]],
  ['412.50 -', [412.5]],
  ['412.50-', -412.5],
  ['412⁵⁰', null],
  ['412.50¹', 412.5],
  ['412\u0338.50', null],
  ['41٢.50', null],
  ['412\u{e0030}.50', 412.5],
  ['\u2010412.50', -412.5],
];
for (const [text, value] of totals)
  test(`a total of ${JSON.stringify(text)} is ${JSON.stringify(value)}`, async () =>
    assert.equal(found(await read(invoice(text)), 'total'), value));

test('a net sum above its tax is no total', async () => {
  const net = await read('Nordlicht GmbH\nDate: 2026-10-05\nNet 346.64\nVAT 65.86\n');
  assert.equal(found(net, 'total'), [346.64]);
  assert.is(found(await read('Nordlicht GmbH\nItem 12.50\nNett 412.50\n'), 'total'), 412.5);
});

test('a count with one mark before three digits may have decimals, and a rate is one in words too', async () => {
  const count = [outputField('quantity', { label: 'Quantity', type: 'integer' })];
  assert.equal(found(await read('Quantity: 1.000', 'text/plain', count), 'quantity'), [1_000]);
  assert.is(found(await read('Quantity: 1000', 'text/plain', count), 'quantity'), 1_000);
  const vat = [outputField('vat', { label: 'VAT', type: 'number' })];
  for (const text of ['VAT 20 pct', 'VAT 20 percent', 'VAT 20 Prozent'])
    assert.equal(found(await read(text, 'text/plain', vat), 'vat'), [20], text);
});

test('of several boxes the one with a cross counts, and none where all or none have one', async () => {
  const paid = [outputField('paid', { label: 'Paid', type: 'boolean' })];
  const choices: readonly (readonly [string, boolean | null])[] = [
    ['[x] yes [ ] no', true],
    ['[ ] yes [x] no', false],
    ['☐ yes ☑ no', false],
    ['[ ] yes [ ] no', null],
    ['[x] yes [x] no', null],
    ['[ ] yes', null],
  ];
  for (const [text, value] of choices)
    assert.is(found(await read(`Paid: ${text}`, 'text/plain', paid), 'paid'), value, text);
});

test('letters that were lost, garbled or written in another way are doubted', () => {
  for (const text of [
    ...['M³ller', 'S÷hne', 'M?ller', 'Mﾃｼller', 'MŸller', 'MÙller', 'Å»abka', 'Åšwiat', 'Nord\ue001licht'],
    ...['M&uuml;ller', 'A&amp;B', 'M=C3=BCller', 'M\\u00fcller', 'M%C3%BCller', 'Nоrdlicht'],
  ])
    assert.ok(letterCertainty(text) < 0.5, text);
  for (const text of [
    ...['Müller', 'DÜRR', 'Ångström', 'Łódź', 'Škoda', 'São', 'L’Oréal', 'Café', 'Olé', 'Ærø', 'Ромашка'],
    ...[
      'Ελληνικά',
      'What?',
      'R&D;',
      'AT&T',
      'm³',
      'H₂O',
      'https://example.com/M%C3%BCller',
      'Straße',
      '北京',
    ],
  ])
    assert.is(letterCertainty(text), 1, text);
  assert.is(asShown('Nord\u3164\u{e0041}licht\u2011Werk'), 'Nordlicht-Werk');
});

test('in JSON what says that nothing is known is no value, and a form that was not filled in is doubted', async () => {
  const company = async (text: string) =>
    found(await read(JSON.stringify({ company: text }), 'application/json'), 'company');
  for (const text of ['-', '—', '...', '?', 'null', 'NULL', 'undefined', 'NaN', '#N/A', '(blank)', 'xxx'])
    assert.is(await company(text), null, text);
  for (const text of ['to be determined', '{{company}}', '{{ company }}'])
    assert.is(await company(text), null, text);
  for (const text of ['<company>', '[company]', '%company%', 'Your Company Name'])
    assert.equal(await company(text), [text], text);
  assert.is(await company('3M'), '3M');
  const paid = [outputField('paid', { label: 'Paid', type: 'boolean' })];
  assert.is(found(await read('{"paid":"☑"}', 'application/json', paid), 'paid'), true);
});

test('the date of a mail is not that of the invoice, and its quoting line is no name', async () => {
  const head =
    'From: a@example.com\nTo: b@example.com\nDate: Tue, 06 Oct 2026 09:00:00 +0200\nSubject: Bill\n';
  assert.is(
    found(await read(`${head}\nNordlicht GmbH\nInvoice date: 2026-10-05\nTotal: 1.00`), 'date'),
    '2026-10-05',
  );
  assert.equal(found(await read(`${head}\nNordlicht GmbH\nTotal: 1.00`), 'date'), ['2026-10-06']);
  const german = 'Von: Nord <a@example.com>\nGesendet: Dienstag, 6. Oktober 2026 09:00\nAn: b@example.com\n';
  assert.equal(found(await read(`${german}\nTotal: 1.00`), 'date'), ['2026-10-06']);
  const quoted = await read(
    'On Tue, Oct 6, 2026 at 9:00 AM Nordlicht GmbH <a@example.com> wrote:\n> Total: 1.00',
  );
  assert.equal(found(quoted, 'date'), ['2026-10-06']);
  assert.ok(Array.isArray(found(quoted, 'company')));
  const sides = await read(
    'From: Nordlicht GmbH\nTo: Kunde AG\nDate: 2026-10-05\nDue: 2026-11-04\nTotal: 1.00',
  );
  assert.is(found(sides, 'date'), '2026-10-05');
});

test('a line of comma-separated values with more cells than heads is doubted', async () => {
  const torn = await read('company,date,total\nNordlicht GmbH,2026-10-05,412,50\n', 'text/csv');
  assert.equal(found(torn, 'total'), [412]);
  const whole = await read('company,date,total,\nNordlicht GmbH,2026-10-05,412.50,\n', 'text/csv');
  assert.is(found(whole, 'total'), 412.5);
});

test('Markdown has backslashes before marks, and comments that do not show', async () => {
  const page = '# Nordlicht GmbH\n\n<!--\nTotal: 999.00\n-->\n* Date: 2026-10-05\n* Total: 412\\.50\n';
  assert.is(found(await read(page, 'text/markdown'), 'total'), 412.5);
});
