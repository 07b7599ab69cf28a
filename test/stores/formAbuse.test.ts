import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { uploadKey } from '../../stores/objects/keys.ts';
import { httpSend } from '../contract/httpSend.ts';
import { eventually, suite } from '../harness.ts';
import { BUCKET, codeOf, type Fixture, rawSend, startEmbedded } from './embeddedFixture.ts';

const test = suite('embedded objects: forms and parts abused');
let fixture: Fixture;
test.before(async () => {
  fixture = await startEmbedded();
  await fixture.put('b/victim', 'victim');
});
test.after(() => fixture.close());

type Field = readonly [name: string, value: string, isFile?: boolean | undefined];
const BOUNDARY = 'boundary-of-tests';
const bodyOf = (fields: readonly Field[]): string =>
  `${fields
    .map(
      ([name, value, isFile = false]) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${isFile ? '; filename="f"' : ''}\r\n\r\n${value}\r\n`,
    )
    .join('')}--${BOUNDARY}--\r\n`;

const signed = async (): Promise<Field[]> => {
  const sha256 = createHash('sha256').update('hello').digest('hex');
  const terms = {
    key: 'a/target',
    expiresInSeconds: 60,
    mimeType: 'text/plain',
    size: 5,
    sha256,
    isForm: true,
  };
  const { fields } = await fixture.store.signUpload(terms);
  return [...Object.entries(fields ?? {}), ['file', 'hello', true]];
};
type Sending = Readonly<{ path?: string; contentType?: string; body?: string; ahead?: number }>;
const post = async (
  fields: readonly Field[],
  {
    path = `/${BUCKET}`,
    contentType = `multipart/form-data; boundary=${BOUNDARY}`,
    body,
    ahead = 0,
  }: Sending = {},
): Promise<string> => {
  const sent = body ?? bodyOf(fields);
  const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(sent)) };
  fixture.time.ahead = ahead;
  try {
    const { status, body: answer } = await httpSend({
      ...{ method: 'POST', url: fixture.url + path, headers, body: sent },
    });
    return status < 400 ? `accepted: ${status}` : codeOf(answer.toString(), status);
  } finally {
    fixture.time.ahead = 0;
  }
};
const changed = (name: string, value: string) => async (): Promise<string> =>
  post((await signed()).map(([field, was, isFile]) => [field, field === name ? value : was, isFile]));
const without = (name: string) => async (): Promise<string> =>
  post((await signed()).filter(([field]) => field !== name));
const before =
  (...more: Field[]) =>
  async (): Promise<string> =>
    post([...more, ...(await signed())]);
const behind =
  (...more: Field[]) =>
  async (): Promise<string> =>
    post([...(await signed()), ...more]);
const sentAs = (sending: Sending) => async (): Promise<string> => post(await signed(), sending);
const cut = async (): Promise<string> => {
  const body = bodyOf(await signed()).slice(0, -(BOUNDARY.length + 8));
  return post([], { body });
};

const abuses: Readonly<Record<string, readonly [() => Promise<string>, string]>> = {
  'another key': [changed('key', 'b/victim'), 'AccessDenied'],
  'a key that leads out': [changed('key', '../../owned'), 'AccessDenied'],
  'another type': [changed('Content-Type', 'text/html'), 'AccessDenied'],
  'another status': [changed('success_action_status', '201'), 'AccessDenied'],
  'another checksum': [changed('x-amz-checksum-sha256', 'AAAA'), 'AccessDenied'],
  'another bucket in the fields': [changed('bucket', 'other'), 'AccessDenied'],
  'another policy': [changed('Policy', Buffer.from('{}').toString('base64')), 'SignatureDoesNotMatch'],
  'a policy that is not valid': [changed('Policy', '%%%'), 'SignatureDoesNotMatch'],
  'a signature of zeros': [changed('X-Amz-Signature', '0'.repeat(64)), 'SignatureDoesNotMatch'],
  'an empty signature': [changed('X-Amz-Signature', ''), 'SignatureDoesNotMatch'],
  'another access key': [
    changed('X-Amz-Credential', 'root/20260101/us-east-1/s3/aws4_request'),
    'InvalidAccessKeyId',
  ],
  'a credential that is not valid': [
    changed('X-Amz-Credential', 'intake'),
    'AuthorizationQueryParametersError',
  ],
  'another date': [changed('X-Amz-Date', '20990101T000000Z'), 'AuthorizationQueryParametersError'],
  'another algorithm': [changed('X-Amz-Algorithm', 'none'), 'AccessDenied'],
  'no policy': [without('Policy'), 'AccessDenied'],
  'no signature': [without('X-Amz-Signature'), 'SignatureDoesNotMatch'],
  'no key': [without('key'), 'AccessDenied'],
  'no type': [without('Content-Type'), 'AccessDenied'],
  'no checksum': [without('x-amz-checksum-sha256'), 'AccessDenied'],
  'no file': [without('file'), 'MalformedPOSTRequest'],
  'a field more': [before(['x-amz-meta-owner', 'me']), 'AccessDenied'],
  'an access list': [before(['acl', 'public-read']), 'AccessDenied'],
  'a redirection': [before(['success_action_redirect', 'https://evil.example/']), 'AccessDenied'],
  'a field twice': [before(['key', 'a/target']), 'MalformedPOSTRequest'],
  'a field twice in another case': [before(['KEY', 'b/victim']), 'MalformedPOSTRequest'],
  'a field __proto__': [before(['__proto__', 'x']), 'AccessDenied'],
  'a second file': [behind(['file', 'again', true]), 'MalformedPOSTRequest'],
  'a second file of another name': [behind(['other', 'again', true]), 'MalformedPOSTRequest'],
  'a field behind the file': [behind(['key', 'b/victim']), 'MalformedPOSTRequest'],
  'a file before all fields': [before(['attachment', 'hello', true]), 'AccessDenied'],
  'a large field before the file': [before(['x', 'x'.repeat(30_000)]), 'MaxPostPreDataLengthExceeded'],
  'huge fields before the file': [before(['x', 'x'.repeat(3_000_000)]), 'MaxPostPreDataLengthExceeded'],
  'a hundred fields': [
    before(...Array.from({ length: 100 }, (_, index): Field => [`x${index}`, 'x'])),
    'AccessDenied',
  ],
  'a longer file': [changed('file', 'hello!'), 'EntityTooLarge'],
  'a much longer file': [changed('file', 'hello'.repeat(100_000)), 'EntityTooLarge'],
  'a shorter file': [changed('file', 'hell'), 'EntityTooSmall'],
  'an empty file': [changed('file', ''), 'EntityTooSmall'],
  'another file of that size': [changed('file', 'hellO'), 'BadDigest'],
  'a form that is cut off': [cut, 'MalformedPOSTRequest'],
  'another bucket': [sentAs({ path: '/other' }), 'NoSuchBucket'],
  'the address of an object': [sentAs({ path: `/${BUCKET}/b/victim` }), 'MethodNotAllowed'],
  'a query': [sentAs({ path: `/${BUCKET}?uploads` }), 'MethodNotAllowed'],
  'no boundary': [sentAs({ contentType: 'multipart/form-data' }), 'MalformedPOSTRequest'],
  'another boundary': [
    sentAs({ contentType: 'multipart/form-data; boundary=other' }),
    'MalformedPOSTRequest',
  ],
  'a second past its expiry': [sentAs({ ahead: 61_000 }), 'AccessDenied'],
  'a clock 16 minutes behind': [sentAs({ ahead: -16 * 60_000 }), 'AccessDenied'],
};

/** Nothing was stored, and nothing failed but what was asked. */
const untouched = async (files: readonly string[]): Promise<void> => {
  await eventually('the files to be those before', async () => `${await fixture.files()}` === `${files}`);
  assert.equal([await fixture.get('b/victim'), await fixture.get('a/target')], ['victim', null]);
  assert.equal(fixture.reports, []);
};

for (const [name, [abuse, code]] of Object.entries(abuses))
  test(`refused in a form: ${name} [uploads-26]`, async () => {
    const files = await fixture.files();
    assert.is(await abuse(), code);
    await untouched(files);
  });

test('fields that trickle in before the file are cut off, however large the file is said to be', async () => {
  const slow = await startEmbedded({ limits: { idleMs: 200, leastBytesPerSecond: 1 } });
  const head = [`POST /${BUCKET} HTTP/1.1`, `Host: ${slow.host}`, 'Content-Length: 100000'];
  const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
  const socket = connect({ port: slow.port, host: '127.0.0.1' });
  socket.write(
    `${[...head, type, '', ''].join('\r\n')}--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n`,
  );
  const trickle = setInterval(() => socket.write('a'), 20);
  const [answer] = await once(socket, 'data');
  clearInterval(trickle);
  socket.destroy();
  assert.is(codeOf(String(answer), 0), 'RequestTimeout');
  await slow.close();
});

test('a form that comes too slowly is cut off, and leaves nothing', async () => {
  const slow = await startEmbedded({ limits: { idleMs: 200, leastBytesPerSecond: 1_000_000 } });
  const body = bodyOf(await signed()).slice(0, 900);
  const head = [`POST /${BUCKET} HTTP/1.1`, `Host: ${slow.host}`, 'Content-Length: 2000'];
  const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
  await rawSend(slow.port, `${[...head, type, '', ''].join('\r\n')}${body}`).catch(() => '');
  await eventually('nothing to be left', async () => (await slow.files()).length === 0);
  await slow.close();
});

const parts: Readonly<Record<string, readonly [(url: string) => string, string]>> = {
  'another number': [(url) => url.replace('partNumber=1&', 'partNumber=2&'), 'SignatureDoesNotMatch'],
  'another upload': [(url) => url.replace(/uploadId=[^&]*/, 'uploadId=other'), 'SignatureDoesNotMatch'],
  'no upload': [(url) => url.replace(/&uploadId=[^&]*/, ''), 'SignatureDoesNotMatch'],
  'a whole object': [(url) => url.replace(/&partNumber=1&uploadId=[^&]*/, ''), 'SignatureDoesNotMatch'],
  'another key': [(url) => url.replace('/a/target?', '/b/victim?'), 'SignatureDoesNotMatch'],
};
const put = async (url: string): Promise<string> => {
  const { status, body } = await httpSend({
    method: 'PUT',
    url,
    headers: { 'content-length': '5' },
    body: 'hello',
  });
  return status < 400 ? `accepted: ${status}` : codeOf(body.toString(), status);
};

for (const [name, [change, code]] of Object.entries(parts))
  test(`refused of a part: ${name} [uploads-22]`, async () => {
    const { inParts } = fixture.store;
    const uploadId = await inParts.begin('a/target', 'text/plain', false);
    const files = await fixture.files();
    const terms = { key: 'a/target', uploadId, partNumber: 1, size: 5, expiresInSeconds: 60 };
    assert.is(await put(change((await inParts.sign(terms)).url)), code);
    await untouched(files);
    await inParts.drop({ key: 'a/target', uploadId });
  });

for (const [what, terms, code] of [
  ['an upload that leads out of the folder', { uploadId: '../../../owned', partNumber: 1 }, 'NoSuchUpload'],
  ['an upload that nobody began', { uploadId: 'none', partNumber: 1 }, 'NoSuchUpload'],
  ['the number 0', { uploadId: 'none', partNumber: 0 }, 'InvalidArgument'],
  ['the number 10,001', { uploadId: 'none', partNumber: 10_001 }, 'InvalidArgument'],
  ['the number 1.5', { uploadId: 'none', partNumber: 1.5 }, 'InvalidArgument'],
] as const)
  test(`not done, though it was signed: a part of ${what} [uploads-22]`, async () => {
    const files = await fixture.files();
    const signed = await fixture.store.inParts.sign({
      key: 'a/target',
      size: 5,
      expiresInSeconds: 60,
      ...terms,
    });
    assert.is(await put(signed.url), code);
    await untouched(files);
  });

test('a damaged part counts as missing, and a damaged upload hides no other', async () => {
  const { store, folder } = fixture;
  const session = 'sub_01arz3ndektsv4rrffq69g5fav';
  const [key, other] = [uploadKey(session, 'fil_1'), uploadKey(session, 'fil_2')];
  const uploadId = await store.inParts.begin(key, 'text/plain', false);
  const { url } = await store.inParts.sign({ key, uploadId, partNumber: 1, size: 5, expiresInSeconds: 60 });
  assert.is(await put(url), 'accepted: 200');
  const upload = { key, uploadId };
  const name = (await readdir(join(folder, 'parts'))).find((one) => one.endsWith(uploadId)) ?? '';
  await truncate(join(folder, 'parts', name, '1'), 3);
  assert.equal(await store.inParts.parts(upload), []);
  assert.is(await put(url), 'accepted: 200');
  assert.is((await store.inParts.parts(upload))?.length, 1);
  await truncate(join(folder, 'parts', name, 'upload'), 3);
  const left = { key: other, uploadId: await store.inParts.begin(other, 'text/plain', false) };
  const found = await store.inParts.unfinished('uploads/', '', 10);
  assert.ok(found.some((one) => one.uploadId === left.uploadId));
  assert.not.ok(found.some((one) => one.uploadId === uploadId));
  await store.inParts.drop(left);
  await store.inParts.drop(upload);
});
