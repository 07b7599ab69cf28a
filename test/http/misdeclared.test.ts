import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { sendFile } from '../support/sendFile.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('files that are not what they say');
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
let service: TestService;
/** In test mode and with an outcome that is told, files are taken or refused as ever, and not read. */
let api: Client;
let live: Client;
const unread = { metadata: { 'intake:outcome': 'approved' } };

test.before(async () => {
  service = await startService({ EXTRACTOR_SECRET: 'the secret of the extractor' });
  const pictures = ['image/png', 'image/jpeg', 'image/webp', 'image/tiff'];
  const acceptedFormats = [...pictures, 'application/json', 'text/plain', 'application/pdf'];
  const company = await service.company({
    ...receiptDefinition,
    upload: { ...receiptDefinition.upload, acceptedFormats },
  });
  live = company.api;
  ({ api } = await service.key(company.id, 'test'));
  const http = { url: `${service.receiver.url}/extractor`, secretEnv: 'EXTRACTOR_SECRET' };
  const elsewhere = ['image/heic', 'image/heif', 'text/csv', WORD, 'application/msword', 'application/x-own'];
  await service.publish({
    ...receiptDefinition,
    slug: 'elsewhere',
    upload: { ...receiptDefinition.upload, acceptedFormats: [...acceptedFormats, ...elsewhere] },
    processing: { extractor: { http } },
  });
  await service.intake('workflow', 'assign', 'elsewhere', '--company', company.id);
});
test.after(() => service.close());

const sample = (name: string): Buffer =>
  readFileSync(new URL(`../../../scripts/samples/${name}`, import.meta.url));
const [jpeg, pdf] = [sample('receipt.jpg'), sample('receipt.pdf')];
/** Made before the first test. */
const made = { png: Buffer.alloc(0), webp: Buffer.alloc(0), tiff: Buffer.alloc(0) };
test.before(async () => {
  const blank = sharp({ create: { width: 40, height: 40, channels: 3, background: 'white' } });
  made.png = await blank.clone().png().toBuffer();
  made.webp = await blank.clone().webp().toBuffer();
  // So large that its directory, which lies behind its dots, is no part of its beginning.
  made.tiff = await blank.clone().resize(400, 400).tiff({ compression: 'none' }).toBuffer();
  assert.ok(made.tiff.readUInt32LE(4) > 100_000);
});
type Content = Buffer | string | (() => Buffer);
const png = () => made.png;
const bytesOf = (content: Content): Buffer | string => (typeof content === 'function' ? content() : content);

/** The picture with a chunk of text of this many bytes before its dots. */
const withText = (bytes: number) => (): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(bytes, 0);
  head.write('tEXt', 4);
  // The checksum is not right, which readers of ancillary chunks pass over.
  const text = Buffer.alloc(bytes + 4, 'x');
  return Buffer.concat([made.png.subarray(0, 33), head, text, made.png.subarray(33)]);
};
const box = (brand: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from(`ftyp${brand}`),
    Buffer.alloc(12),
    randomBytes(200),
  ]);
const zip = Buffer.concat([Buffer.from('PK\x03\x04\x14\x00', 'latin1'), Buffer.alloc(60)]);
const officeFile = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);

const submitted = async (content: Content, mimeType: string, slug = 'receipt') => {
  const session = await api.open([{ content: bytesOf(content), mimeType }], unread, slug);
  return { session, answer: await api.submit(session, slug) };
};

const refused: readonly (readonly [what: string, content: Content, declared: string, seen: string])[] = [
  ['a PNG that says it is a JPEG', png, 'image/jpeg', 'image/png'],
  ['a JPEG that says it is a PDF', jpeg, 'application/pdf', 'image/jpeg'],
  ['a PDF that says it is a picture', pdf, 'image/png', 'application/pdf'],
  ['a PDF that says it is text', pdf, 'text/plain', 'application/pdf'],
  ['a picture that says it is JSON', png, 'application/json', 'image/png'],
  ['text that says it is a picture', 'Total: 80.90', 'image/png', 'text/plain'],
  [
    'bytes that say they are text',
    Buffer.from([0x66, 0, 1, 2, 0xff, 0xfd]),
    'text/plain',
    'no text in UTF-8',
  ],
  ['text in UTF-16', Buffer.from('\ufeffTotal: 80.90', 'utf16le'), 'text/plain', 'no text in UTF-8'],
  ['bytes that say they are a picture', randomBytes(100).fill(1, 0, 8), 'image/png', 'no known type'],
  ['an archive that says it is a PDF', zip, 'application/pdf', 'application/zip'],
];
for (const [what, content, declared, seen] of refused)
  test(`${what} is a 422 at submit that tells both, and the session stays open [uploads-18]`, async () => {
    const { session, answer } = await submitted(content, declared);
    const { status, body } = answer;
    assert.equal([status, body.code, body.errors.length], [422, 'validation-failed', 1]);
    const [{ pointer, detail }] = body.errors;
    assert.is(pointer, '/files/0');
    assert.ok(
      detail.startsWith(`front: the uploaded file was declared as ${declared}, but its bytes `),
      detail,
    );
    assert.ok(detail.endsWith(seen), detail);
    assert.is((await api.job(session)).body.state, 'pending');
    const { content: good, mimeType } = receiptText();
    assert.is((await sendFile(session.uploads[0], good, mimeType)).status, 200);
    assert.is((await api.submit(session)).status, 202, 'another file in its place is taken');
  });

test('one that was declared with the session is refused as well, and each one is named [uploads-18]', async () => {
  const files = [
    { mimeType: 'image/jpeg', fileSize: made.png.length },
    { mimeType: 'image/png', fileSize: made.png.length },
    { mimeType: 'application/pdf', fileSize: made.png.length },
  ];
  const contents = files.map(({ mimeType }) => ({ content: made.png, mimeType }));
  const session = await api.open(contents, { files });
  const { status, body } = await api.submit(session);
  assert.is(status, 422);
  assert.equal(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/files/0', '/files/2'],
  );
  assert.is((await api.job(session)).body.state, 'pending');
});

const taken: readonly (readonly [what: string, content: Content, declared: string])[] = [
  ['a text with a byte order mark', '\ufeffTotal: 80.90', 'text/plain'],
  ['a text that begins like a bitmap', 'BMW Total: 80.90', 'text/plain'],
  ['JSON that says it is text', '{"total":80.9}', 'text/plain'],
  ['JSON with a byte order mark', '\ufeff{"total":80.9}', 'application/json'],
  ['a long text that is cut within a character', `x${'é'.repeat(40_000)}`, 'text/plain'],
  ['JSON that says nothing', '{"total":80.9}', 'application/octet-stream'],
  ['a PDF that says nothing', pdf, 'application/octet-stream'],
  ['a WebP', () => made.webp, 'image/webp'],
  ['a TIFF with its directory at its end', () => made.tiff, 'image/tiff'],
  ['a TIFF that says nothing', () => made.tiff, 'application/octet-stream'],
  ['a PNG with much text before its dots', withText(100_000), 'image/png'],
];
for (const [what, content, declared] of taken)
  test(`${what} is taken for what it is [uploads-19]`, async () => {
    const { answer } = await submitted(content, declared);
    assert.is(answer.status, 202, answer.text);
  });

const elsewhere: readonly (readonly [what: string, content: Content, declared: string, status: number])[] = [
  ['a HEIC', box('heic'), 'image/heic', 202],
  ['a HEIC of the general brand', box('mif1'), 'image/heic', 202],
  ['a HEIC under its other name', box('heic'), 'image/heif', 202],
  ['a PNG that says it is a HEIC', png, 'image/heic', 422],
  ['a HEIC that says it is a JPEG', box('heic'), 'image/jpeg', 422],
  ['a document that is an archive', zip, WORD, 202],
  ['a document of an older office', officeFile, 'application/msword', 202],
  ['a picture that says it is a document', png, WORD, 422],
  ['a table as text', 'a;b\n1;2\n', 'text/csv', 202],
  ['bytes of a format that nobody knows', Buffer.from([0, 1, 2, 3]), 'application/x-own', 202],
  ['a PDF of a format that nobody knows', pdf, 'application/x-own', 422],
];
for (const [what, content, declared, status] of elsewhere)
  test(`for a server elsewhere ${what} is ${status === 202 ? 'taken' : 'refused'} [uploads-19]`, async () => {
    const { answer } = await submitted(content, declared, 'elsewhere');
    assert.is(answer.status, status, answer.text);
  });

test('what is taken at submit is not refused for its type when it is read', async () => {
  const read = async (content: Content, declared: string, slug?: string) => {
    const job = await live.process([{ content: bytesOf(content), mimeType: declared }], {}, slug);
    return job.failedReason ?? '';
  };
  for (const reason of await Promise.all([
    read(box('heic'), 'image/heif', 'elsewhere'),
    read(officeFile, 'application/msword', 'elsewhere'),
    read(Buffer.from([0, 1, 2, 3]), 'application/x-own', 'elsewhere'),
    read(made.tiff, 'image/tiff'),
  ]))
    assert.not.match(reason, /says it is|does not accept|save it as plain text/);
});
