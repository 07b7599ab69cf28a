import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import type { Extracted, InputFile, Outcome, ProcessingVersion } from '../../processing/types.ts';
import { outputField } from '../controls/workflow.ts';
import { long, suite } from '../harness.ts';
import { fileFolder, pdfWith, SAMPLES, sharedProcessor, versionOf } from './files.ts';

const test = suite('processing/documents');
const processor = sharedProcessor();
let files: Awaited<ReturnType<typeof fileFolder>>;
test.before(async () => {
  files = await fileFolder();
});
test.after(() => files.remove());

const run = (version: ProcessingVersion, ...given: InputFile[]): Promise<Outcome> =>
  processor.process(version, given, new AbortController().signal);

const extract = async (version: ProcessingVersion, ...given: InputFile[]): Promise<Extracted> => {
  const outcome = await run(version, ...given);
  if (outcome.kind !== 'extracted') throw new Error(outcome.reason);
  return outcome;
};

const sample = async (name: string, type: string): Promise<InputFile> =>
  files.file(await readFile(join(SAMPLES, name)), type);

const NOTE = [
  'ACME TRADING LTD',
  '12 High Street, 40300 Springfield',
  'Tel: 555-1234',
  'Invoice No: INV-2018-0042  Date: 12/03/2018',
  '2 x Widget 30.00 60.00',
  'Subtotal 76.32',
  'VAT 6% 4.58',
  'Total RM 80.90',
  'Cash 100.00',
  'Change 19.10',
].join('\n');

test('a text', async () => {
  const outcome = await extract(versionOf(), await files.file(NOTE, 'text/plain'));
  assert.equal(outcome.extractedData, {
    company: 'ACME TRADING LTD',
    date: '2018-03-12',
    address: '12 High Street, 40300 Springfield',
    total: 80.9,
  });
  assert.ok(outcome.confidence > 0.85 && outcome.certainty === 1);
  assert.equal(outcome.findings, []);
  assert.is(
    outcome.aiSummary,
    'Company ACME TRADING LTD, Date 2018-03-12, Address 12 High Street, 40300 Springfield, Total 80.9; 4 of 4 fields found.',
  );
});

test('fields found by label and by pattern', async () => {
  const version = versionOf([
    outputField('invoiceNumber', { validation: { pattern: '^INV-\\d{4}-\\d{4}$' } }),
    outputField('subtotal', { type: 'number' }),
    outputField('vat', { label: 'VAT', type: 'number' }),
    outputField('orderId'),
    outputField('phone', { required: false, validation: { pattern: '^555-' } }),
  ]);
  const outcome = await extract(version, await files.file(NOTE, 'text/plain'));
  assert.equal(outcome.extractedData, {
    invoiceNumber: 'INV-2018-0042',
    subtotal: 76.32,
    vat: 4.58,
    orderId: null,
    phone: '555-1234',
  });
  assert.equal(outcome.findings, [{ code: 'missing_required', field: 'orderId' }]);
});

test('a JSON, by name and by label, nested, with values in their types', async () => {
  const text = JSON.stringify({
    merchant: { company: 'ACME' },
    Date: '12 Mar 2018',
    sums: [{ total: '1.080,90' }],
  });
  const outcome = await extract(versionOf(undefined, 'json'), await files.file(text, 'application/json'));
  assert.equal(outcome.extractedData, { company: 'ACME', date: '2018-03-12', address: null, total: 1080.9 });
  assert.is(outcome.confidence, 1);
  assert.is(outcome.certainty, 0.75);
});

test('a JSON value of another type, or against its pattern, is invalid', async () => {
  const version = versionOf([
    outputField('count', { type: 'integer' }),
    outputField('code', { validation: { pattern: '^[A-Z]+$' } }),
  ]);
  const outcome = await extract(version, await files.file('{"count":1.5,"code":"abc"}', 'application/json'));
  assert.equal(outcome.extractedData, { count: null, code: 'abc' });
  assert.equal(outcome.findings, [
    { code: 'invalid_field', field: 'count' },
    { code: 'invalid_field', field: 'code' },
  ]);
});

test('the text layer of a PDF, with the places of its values', async () => {
  const outcome = await extract(versionOf(), await sample('receipt.pdf', 'application/pdf'));
  assert.is(outcome.extractedData.total, 80.9);
  assert.is(outcome.extractedData.date, '2026-04-27');
  assert.is(outcome.result.fields.total?.place?.page, 1);
  assert.ok((outcome.result.fields.total?.place?.box?.left ?? 0) > 150);
});

test('a PDF whose values stand in columns below their labels', async () => {
  const shown = [
    [20, 460, 'ACME TRADING LTD'],
    ...[20, 120, 220].map((x, index) => [x, 400, ['Invoice No', 'Due date', 'Date'][index]]),
    ...[20, 120, 220].map((x, index) => [x, 386, ['INV-2018-17', '01/05/2018', '01/04/2018'][index]]),
    ...[20, 120, 220].map((x, index) => [x, 300, ['Total', 'Subtotal', 'VAT'][index]]),
    ...[20, 120, 220].map((x, index) => [x, 286, ['80.90', '76.32', '4.58'][index]]),
  ].map(([x, y, text]) => `BT /F1 10 Tf ${x} ${y} Td (${text}) Tj ET`);
  const version = versionOf([
    outputField('invoiceNumber'),
    outputField('date', { type: 'date' }),
    outputField('vat', { type: 'number' }),
    outputField('total', { type: 'number' }),
  ]);
  const pdf = await files.file(pdfWith(Buffer.from(shown.join('\n'))), 'application/pdf');
  const outcome = await extract(version, pdf);
  assert.equal(outcome.extractedData, {
    invoiceNumber: 'INV-2018-17',
    date: '2018-04-01',
    vat: 4.58,
    total: 80.9,
  });
  const { box } = outcome.result.fields.total?.place ?? {};
  assert.ok(
    box && box.left === 20 && box.right < 60 && box.top > 190 && box.bottom < 220,
    JSON.stringify(box),
  );
});

test(
  'a picture',
  async () => {
    const outcome = await extract(versionOf(), await sample('receipt.jpg', 'image/jpeg'));
    assert.equal(outcome.extractedData, {
      company: 'Linden Bakery Ltd',
      date: '2026-03-12',
      address: '14 Orchard Street Bristol BS1 4QA',
      total: 25.5,
    });
    assert.ok(outcome.confidence >= 0.8);
  },
  { timeoutMs: 60_000 },
);

for (const degrees of long ? [90, 180] : [90])
  test(
    `a picture turned by ${degrees}°, with the places of its values on it as it came`,
    async () => {
      const turned = await sharp(join(SAMPLES, 'receipt.jpg')).rotate(degrees).png().toBuffer();
      const outcome = await extract(versionOf(), await files.file(turned, 'image/png'));
      assert.is(outcome.extractedData.total, 25.5);
      assert.is(outcome.extractedData.company, 'Linden Bakery Ltd');
      const { size, box } = outcome.result.fields.total?.place ?? {};
      // On the picture as it is, 760 by 720, the total stands at about 514, 518 to 602, 541.
      const [width, height] = degrees === 90 ? [720, 760] : [760, 720];
      const expected = degrees === 90 ? [179, 514, 202, 602] : [158, 179, 246, 202];
      assert.equal(size, { width, height });
      const found = box ? [box.left, box.top, box.right, box.bottom] : [];
      assert.ok(
        expected.every((value, index) => Math.abs((found[index] ?? 0) - value) <= 8),
        String(found),
      );
    },
    { timeoutMs: 60_000 },
  );

test(
  'a picture of few words that stands on its head',
  async () => {
    const part = sharp(join(SAMPLES, 'receipt.jpg')).extract({ left: 0, top: 60, width: 760, height: 200 });
    const turned = await sharp(await part.png().toBuffer())
      .rotate(180)
      .png()
      .toBuffer();
    const outcome = await extract(versionOf(), await files.file(turned, 'image/png'));
    assert.is(outcome.extractedData.company, 'Linden Bakery Ltd');
  },
  { timeoutMs: 60_000 },
);

test(
  'a picture whose total is stained is not sure of it',
  async () => {
    const outcome = await extract(versionOf(), await sample('receipt-stained.png', 'image/png'));
    assert.ok(outcome.confidence < 0.6);
  },
  { timeoutMs: 60_000 },
);

test(
  'a scan in a PDF',
  async () => {
    const jpeg = await readFile(join(SAMPLES, 'receipt.jpg'));
    const outcome = await extract(versionOf(), await files.file(scanned(jpeg), 'application/pdf'));
    assert.is(outcome.extractedData.total, 25.5);
  },
  { timeoutMs: 60_000 },
);

test('several files are read as one document', async () => {
  const front = await files.file('ACME TRADING LTD\n12/03/2018', 'text/plain');
  const back = await files.file('{"total": 80.9}', 'application/json');
  const outcome = await extract(versionOf(), front, back);
  assert.equal(
    [outcome.extractedData.company, outcome.extractedData.date, outcome.extractedData.total],
    ['ACME TRADING LTD', '2018-03-12', 80.9],
  );
  assert.is(outcome.result.fields.total?.place?.fileId, back.fileId);
});

test('a file without a media type has the type of its bytes', async () => {
  const outcome = await extract(versionOf(), await files.file('{"total": 3}', null));
  assert.is(outcome.extractedData.total, 3);
});

/** A PDF whose only page shows a JPEG of 760 pixels' width. */
const scanned = (jpeg: Buffer): Buffer => {
  const height = jpeg.readUInt16BE(jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5);
  const inline = Buffer.concat([
    Buffer.from(
      `q 300 0 0 400 0 0 cm\nBI /W 760 /H ${height} /CS /RGB /BPC 8 /F /DCT /L ${jpeg.length}\nID `,
    ),
    jpeg,
    Buffer.from('\nEI\nQ'),
  ]);
  return pdfWith(inline);
};
