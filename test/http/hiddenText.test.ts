import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { pdfStream, pdfWith } from '../processing/files.ts';
import { at, HEAD, HIDDEN, pdfOf, TOTAL } from '../processing/hidingPdfs.ts';
import type { Client } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('text that a PDF hides, over HTTP [reader-4]');

let service: TestService;
let api: Client;
test.before(async () => {
  service = await startService();
  const outputSchema = receiptDefinition.outputSchema.filter(({ name }) => name !== 'date');
  api = (await service.company({ ...receiptDefinition, outputSchema })).api;
});
test.after(() => service.close());

/** What is read in a PDF: its total, how sure it is, and the words of its page. */
const readIn = async (content: Buffer) => {
  const { submissionId, result } = await api.process([{ content, mimeType: 'application/pdf' }]);
  const { body } = await api.get(`/api/v1/submissions/${submissionId}`);
  const pages = `/api/v1/submissions/${submissionId}/files/${body.files[0].id}/pages`;
  const words: readonly string[] = (await api.get(`${pages}/1/words`)).body.words.map(
    ({ text }: { text: string }) => text,
  );
  return { ...result.fields.total, words };
};

for (const [how, content] of Object.entries(HIDDEN))
  test(`a total that is ${how} is neither the total nor a word of the page`, async () => {
    const { value, confidence, words } = await readIn(pdfOf([content, TOTAL]));
    assert.is(value, 412.5);
    assert.ok(confidence >= 0.8, `${confidence}`);
    assert.not.ok(words.includes('999.00'));
  });

test('what a layer of a scan says is no sure value where the scan says something else', async () => {
  const photo = readFileSync(new URL('../../../scripts/samples/receipt.jpg', import.meta.url));
  const jpeg = await sharp(photo).greyscale().jpeg().toBuffer();
  const { width, height } = await sharp(jpeg).metadata();
  const about = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter [/ASCIIHexDecode /DCTDecode]`;
  const layer = [HEAD, TOTAL, ...[300, 250, 200].map((y) => at(20, y, 'Thank you for your visit here'))];
  const pdf = pdfWith(
    Buffer.from(`q 300 0 0 500 0 0 cm /Scan Do Q 3 Tr ${layer.join(' ')}`),
    '',
    '/Resources << /Font << /F1 4 0 R >> /XObject << /Scan 6 0 R >> >>',
    'Courier',
    [pdfStream(about, Buffer.from(`${jpeg.toString('hex')}>`)).toString()],
  );
  const { value, confidence } = await readIn(pdf);
  assert.ok(value === 25.5 || confidence < 0.8, `${value} ${confidence}`);
});
