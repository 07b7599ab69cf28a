import * as assert from 'uvu/assert';
import { attempt } from '../../processing/attempt.ts';
import { readJson } from '../../processing/read/json.ts';
import { textPage } from '../../processing/read/text.ts';
import type { Extracted } from '../../processing/types.ts';
import { understand } from '../../processing/understand.ts';
import { outputField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';
import { noRecogniser, pdfStream, pdfWith, versionOf } from './files.ts';

const test = suite('values by another reading [extractors-1, extractors-2]');

const FIELDS = [
  outputField('company', { label: 'Company' }),
  outputField('date', { label: 'Date', type: 'date' }),
  outputField('total', { label: 'Total', type: 'number' }),
];
const SURE = 0.8;

const inText = (text: string, fields = FIELDS): Extracted =>
  understand(versionOf(fields), { pages: [textPage('f', text)], entries: [] });
const inJson = (text: string, fields = FIELDS): Extracted =>
  understand(versionOf(fields, 'json'), {
    pages: [],
    entries: readJson({ fileId: 'f', label: 'document', mimeType: null, content: '' }, Buffer.from(text)),
  });
const invoice = (date: string, total: string, head = 'Nordlicht GmbH'): Extracted =>
  inText(`${head}\nHafenstr. 5\n20457 Hamburg\n\nInvoice\nDate: ${date}\n\nTotal: ${total}`);

/** What is found: a value alone is sure, one in a list is for a person. */
const found = ({ extractedData, fieldConfidences }: Extracted, name: string): unknown => {
  const value = extractedData[name] ?? null;
  return value === null || (fieldConfidences[name] ?? 0) >= SURE ? value : [value];
};

const numbersInJson: readonly (readonly [string, unknown])[] = [
  ['1e3', 1_000],
  ['0.125', 0.125],
  ['1.234', 1.234],
  ['12.500', 12.5],
  ['4e-1', 0.4],
  ['-0', 0],
  ['1,234.56', 1_234.56],
  ['1.234,56', 1_234.56],
  ['412.50 €', 412.5],
  ['12 500 Ft', 12_500],
  ['1 234,- Kč', 1_234],
  ['12,500', [12_500]],
  ['20 %', [20]],
  ['1e999', null],
  ['0.12345678901234567891', null],
  ['2026-10-05', null],
  ['10-20', null],
  ['see page 3', null],
  ['0x1F', null],
  ['3 or 4', null],
  ['N/A', null],
];
for (const [text, value] of numbersInJson)
  test(`a total of ${JSON.stringify(text)} in JSON is ${JSON.stringify(value)}`, () =>
    assert.equal(found(inJson(JSON.stringify({ total: text })), 'total'), value));

test('in JSON a text is a date only as a whole, with a time of day at most', () => {
  const date = (text: string) => found(inJson(JSON.stringify({ date: text })), 'date');
  assert.is(date('before 2026-10-05'), null);
  assert.is(date('2026-10-05 to 2026-10-09'), null);
  for (const text of ['2026-10-05T12:30:00Z', 'Monday, 5 October 2026', '2026-10-05 08:15'])
    assert.is(date(text), '2026-10-05', text);
  assert.equal(date('05/10/2026'), ['2026-10-05']);
});

test('in JSON a number keeps its zeros as text, and a placeholder is no value', () => {
  assert.is(found(inJson('{"company":1.10}'), 'company'), '1.10');
  assert.is(found(inJson('{"company":-2.50E+3}'), 'company'), '-2.50E+3');
  assert.is(found(inJson('{"a":"1","company":"\\"5\\\\"}'), 'company'), '"5\\');
  for (const text of ['N/A', 'n.a.', 'none', 'unbekannt', 'TBD'])
    assert.is(found(inJson(JSON.stringify({ company: text })), 'company'), null, text);
});

const dates: readonly (readonly [string, unknown])[] = [
  ['26-10-05', '2026-10-05'],
  ['25-12-31', '2025-12-31'],
  ['20-03-18', ['2018-03-20']],
  ['31-12-25', '2025-12-31'],
  ['2083-06-19', ['2083-06-19']],
  ['2099-01-01', ['2099-01-01']],
  ['1951-03-01', ['1951-03-01']],
  ['5 de octubre de 2026', '2026-10-05'],
  ['5 de outubro de 2026', '2026-10-05'],
  ['5 ottobre 2026', '2026-10-05'],
  ['12. Dezember 2025', '2025-12-12'],
  ['2026\u200b-10-05', '2026-10-05'],
  ['1º de março de 2026', '2026-03-01'],
  ['Monday, 5 October 2026', '2026-10-05'],
  ['Tuesday, 5 October 2026', ['2026-10-05']],
  ['Di, 05.10.2026', ['2026-10-05']],
  ['lundi 5 octobre 2026', '2026-10-05'],
  ['quinta-feira, 5 de outubro de 2026', ['2026-10-05']],
  ['2026-10-05 (Fri)', ['2026-10-05']],
  ['2026年10月5日(月)', '2026-10-05'],
  ['2026年10月5日(火)', ['2026-10-05']],
  ['2026年10月5日 星期二', ['2026-10-05']],
];
for (const [text, value] of dates)
  test(`the date in ${JSON.stringify(text)} is ${JSON.stringify(value)}, in a text and in JSON`, () => {
    assert.equal(found(invoice(text, '412.50'), 'date'), value);
    assert.equal(found(inJson(JSON.stringify({ date: text })), 'date'), value);
  });

test('how far a day may be depends on what its field names', () => {
  const date = (name: string, text: string) =>
    found(inText(`${name}: ${text}`, [outputField('day', { label: name, type: 'date' })]), 'day');
  assert.is(date('Date of birth', '1951-03-01'), '1951-03-01');
  assert.equal(date('Date of birth', '2031-03-01'), ['2031-03-01']);
  assert.is(date('Valid until', '2036-03-01'), '2036-03-01');
  assert.equal(date('Valid until', '2083-03-01'), ['2083-03-01']);
});

const totals: readonly (readonly [string, unknown])[] = [
  ...['KWD', 'TND', 'OMR', 'JOD', 'LYD', 'BHD'].map((code) => [`${code} 12,500`, 12.5] as const),
  ['12.500 KWD', 12.5],
  ['TND 1.250,500', 1_250.5],
  ['IQD 12,500', [12_500]],
  ['1.234.56', [1_234.56]],
  ['0,125', 0.125],
  ['0.125', 0.125],
  ['1.250', [1_250]],
  ['1,250', [1_250]],
  ['USD 1,250', 1_250],
  ['1.250 €', 1_250],
  ['12 500 Ft', 12_500],
  ['1 234,- Kč', 1_234],
  ['1\u202f234,50 €', 1_234.5],
  ['412.50 (incl. 19% VAT 65.86)', 412.5],
  ['412\u200c.50', 412.5],
  ['412.\u00ad50', 412.5],
  ['\u200e412.50', 412.5],
  ['\u202e05.214\u202c', 412.5],
];
for (const [text, value] of totals)
  test(`a total of ${JSON.stringify(text)} is ${JSON.stringify(value)}`, () =>
    assert.equal(found(invoice('2026-10-05', text), 'total'), value));

test('the other amounts of a document tell its decimal mark', () => {
  const fields = [outputField('price', { label: 'Preis pro Liter', type: 'number' }), ...FIELDS.slice(2)];
  const receipt = inText(
    'Tank AG\n2026-10-05\nPreis pro Liter: 1,899 EUR\nMenge: 40,00 l\nTotal: 75,96 EUR',
    fields,
  );
  assert.equal([found(receipt, 'price'), found(receipt, 'total')], [1.899, 75.96]);
  assert.equal(found(inText('Tank AG\nPreis pro Liter: 1,899 EUR', fields), 'price'), [1_899]);
});

test('letters are composed, and a name with lost or garbled letters is for a person', () => {
  assert.is(found(invoice('2026-10-05', '5.00', 'Mu\u0308ller GmbH'), 'company'), 'M\u00fcller GmbH');
  assert.is(found(invoice('2026-10-05', '5.00', 'Mül\u00adler GmbH'), 'company'), 'Müller GmbH');
  assert.is(found(inJson('{"company":"Mu\u0308ller\u200b"}'), 'company'), 'M\u00fcller');
  assert.equal(found(invoice('2026-10-05', '5.00', 'MÃ¼ller GmbH'), 'company'), ['MÃ¼ller GmbH']);
  assert.equal(found(invoice('2026-10-05', '5.00', 'M\ufffdller GmbH'), 'company'), ['M\ufffdller GmbH']);
  assert.equal(found(inJson('{"company":"MÃ¼ller"}'), 'company'), ['MÃ¼ller']);
});

test('a rate is no amount, and a cross or a tick is a yes', () => {
  const vat = [outputField('vat', { label: 'VAT', type: 'number' })];
  for (const text of ['VAT 20 %', 'VAT: 20 %']) assert.equal(found(inText(text, vat), 'vat'), [20], text);
  const fields = ['Paid', 'Shipped', 'Gift'].map((label) =>
    outputField(label.toLowerCase(), { label, type: 'boolean' }),
  );
  const before = inText('[x] Paid  [ ] Shipped\n☑ Gift', fields);
  assert.is(found(before, 'paid'), true);
  assert.is(found(before, 'shipped'), false);
  assert.is(found(before, 'gift'), true);
  const behind = inText('Paid [x] Shipped [ ]', fields);
  assert.is.not(found(behind, 'shipped'), true);
  const form = inText('Paid: [x]\nShipped: ☑\nGift: [ ]', fields);
  assert.equal(
    fields.map(({ name }) => form.extractedData[name]),
    [true, true, false],
  );
});

/** What is read of a file's bytes; the reason where nothing can be. */
const inFile = async (
  content: string | Buffer,
  mimeType: string,
  accepted: readonly string[] = [mimeType],
): Promise<Extracted | string> => {
  const file = { fileId: 'f', label: 'file', mimeType, content: Buffer.from(content) };
  const version = { ...versionOf(FIELDS), acceptedFormats: accepted };
  const outcome = await attempt(version, [file], noRecogniser, () => undefined);
  return outcome.kind === 'extracted' ? outcome : outcome.reason;
};
const read = async (...given: Parameters<typeof inFile>): Promise<Extracted> => {
  const outcome = await inFile(...given);
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome;
};

const MARKUP: readonly (readonly [string, string])[] = [
  ['<h1>Nordlicht GmbH</h1><p>Total: 412.50</p>', 'a web page'],
  ['<!DOCTYPE html>\n<html><body>Total: 412.50</body></html>', 'a web page'],
  ['<?xml version="1.0"?><invoice><total>412.50</total></invoice>', 'XML'],
  ['{\\rtf1\\ansi Total: 412.50}', 'RTF'],
  [
    'From: a@example.com\nDate: Mon, 5 Oct 2026\nMIME-Version: 1.0\nContent-Type: text/plain\n\nTotal: 412.50',
    'a mail in its raw form',
  ],
];
for (const [text, what] of MARKUP)
  test(`${what} is no text: ${JSON.stringify(text.slice(0, 30))}`, async () =>
    assert.is(
      await inFile(text, 'text/plain'),
      `"file" is ${what}, whose text can't be told from its markup: save it as PDF or as plain text.`,
    ));

test('a version of before that accepts HTML fails it, and text with angle brackets is text', async () => {
  assert.match(String(await inFile('Total: 412.50', 'text/html')), /is text\/html, whose text/);
  assert.is(found(await read('<3 Nordlicht GmbH\nTotal: 412.50', 'text/plain'), 'total'), 412.5);
});

test('comma-separated values are a table whose first line has its heads', async () => {
  for (const text of [
    'Company,Date,Total\n"Nordlicht, Licht & Co. GmbH",2026-10-05,412.50\n',
    'Company;Date;Total\n"Nordlicht, Licht & Co. GmbH";05.10.2026;"412,50"\n',
    '\ufeffTotal\tCompany\tDate\n412.50\t"Nordlicht, Licht & Co. GmbH"\t2026-10-05',
  ]) {
    const values = await read(text, 'text/csv');
    assert.equal(values.extractedData, {
      company: 'Nordlicht, Licht & Co. GmbH',
      date: '2026-10-05',
      total: 412.5,
    });
  }
  assert.match(String(await inFile('a,b\n"1,2', 'text/csv')), /is no well-formed CSV/);
});

const HEAD = 'BT /F1 10 Tf 14 TL 20 480 Td (Nordlicht GmbH) Tj T* (Date: 2026-10-05) Tj T* ET';
const at = (x: number, y: number, text: string): string => `BT /F1 10 Tf ${x} ${y} Td (${text}) Tj ET`;
const inPdf = (content: readonly string[], page = '') =>
  read(pdfWith(Buffer.from([HEAD, ...content].join('\n')), '', page), 'application/pdf');

test('a text that was drawn twice to look bold is read once', async () => {
  const twice = await inPdf([at(20, 440, 'Total: 412.50'), at(20.4, 440, 'Total: 412.50')]);
  assert.is(found(twice, 'total'), 412.5);
  // Each letter by itself, and its copy.
  const letters = [...'Total: 412.50'].flatMap((letter, index) =>
    [0, 0.4].map((more) => at(20 + index * 6 + more, 440, letter)),
  );
  assert.is(found(await inPdf(letters), 'total'), 412.5);
  const beside = await inPdf([at(20, 440, 'Total: 412.50'), at(20, 420, 'Paid: 412.50')]);
  assert.is(found(beside, 'total'), 412.5);
});

test('what the fields of a form and notes show on a page is read with it', async () => {
  const field = (rect: string, more: string): string =>
    `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${rect}] ${more} >>`;
  const note = (more: string): string =>
    `<< /Type /Annot /Subtype /FreeText /Rect [60 418 200 432] /DA (/F1 10 Tf) /Contents (412.50) ${more} >>`;
  const label = at(20, 421, 'Total:');
  const form = await inPdf([label], `/Annots [${field('60 418 200 432', '/FT /Tx /T (a) /V (412.50)')}]`);
  assert.is(found(form, 'total'), 412.5);
  assert.is(found(await inPdf([label], `/Annots [${note('/F 4')}]`), 'total'), 412.5);
  assert.is(found(await inPdf([label], `/Annots [${note('/F 2')}]`), 'total'), null, 'a hidden one');
});

test('what is drawn for a note or a field counts, not another value of before, for a person', async () => {
  const drawn = pdfStream(
    '/Type /XObject /Subtype /Form /BBox [0 0 140 14] /Resources << /Font << /F1 4 0 R >> >>',
    Buffer.from('BT /F1 10 Tf 2 4 Td (412.50) Tj ET'),
  ).toString();
  const kinds = [
    '/Subtype /FreeText /DA (/F1 10 Tf) /Contents',
    '/Subtype /Widget /FT /Tx /T (a) /DA (/F1 10 Tf) /V',
  ];
  for (const kind of kinds) {
    const note = (value: string): string =>
      `/Annots [<< /Type /Annot /F 4 /Rect [60 418 200 432] ${kind} (${value}) /AP << /N 6 0 R >> >>]`;
    const total = async (value: string) => {
      const bytes = pdfWith(Buffer.from(`${HEAD} ${at(20, 421, 'Total:')}`), '', note(value), 'Courier', [
        drawn,
      ]);
      return found(await read(bytes, 'application/pdf'), 'total');
    };
    assert.equal(await total('999.00'), [412.5], kind);
    assert.is(await total('412.50'), 412.5, kind);
    assert.is(await total('412.5'), 412.5, kind);
  }
});

test('a field may be named as what every object inherits', async () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const fields = names.map((name) => outputField(name));
  const nothing = inJson('{"other":1}', fields);
  assert.equal(
    nothing.findings,
    names.map((field) => ({ code: 'missing_required', field })),
  );
  const all = inJson(JSON.stringify(Object.fromEntries(names.map((name) => [name, 'a']))), fields);
  assert.equal([all.findings, Object.values(all.extractedData)], [[], ['a', 'a', 'a', 'a']]);
});

test('a caption is no name, and a text longer than most values is for a person', () => {
  const supplier = [
    outputField('supplier', { label: 'Supplier' }),
    outputField('order', { label: 'PO number' }),
  ];
  assert.equal(found(inText('Supplier\nPO number\n北京公司\n4711', supplier), 'supplier'), ['北京公司']);
  const long = 'The very long name of a supplier which goes on and on and is never at its end';
  assert.equal(found(inText(`Supplier\tPO number\n${long}\t4711`, supplier), 'supplier'), [long]);
});
