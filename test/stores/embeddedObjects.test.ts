import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as assert from 'uvu/assert';
import { httpSend } from '../contract/httpSend.ts';
import { eventually, suite } from '../harness.ts';
import { type Fixture, startEmbedded } from './embeddedFixture.ts';
import { abuses, type Held } from './presignedAbuse.ts';

const test = suite('embedded objects: presigned URLs abused');
let fixture: Fixture;

const hold = async (): Promise<Held> => {
  const sha256 = createHash('sha256').update('hello').digest('hex');
  const terms = { key: 'a/target', expiresInSeconds: 60, mimeType: 'text/plain', size: 5, sha256 };
  const signed = await fixture.store.signUpload(terms);
  const upload = { ...signed, headers: { 'content-length': '5', ...signed.headers }, body: 'hello' };
  const saved = { key: 'b/victim', expiresInSeconds: 60, fileName: 'v.txt', mimeType: 'text/plain' };
  return { fixture, upload, download: await fixture.store.signDownload(saved) };
};

test.before(async () => {
  fixture = await startEmbedded();
  await fixture.put('b/victim', 'victim');
});
test.after(() => fixture.close());

for (const [name, [abuse, code]] of Object.entries(abuses))
  test(`refused: ${name}`, async () => {
    const before = await fixture.files();
    const beside = await readdir(dirname(fixture.folder));
    assert.is(await abuse(await hold()), code);
    assert.is(await fixture.get('b/victim'), 'victim');
    // What came of a body that was cut off is removed once the server has seen the end.
    await eventually('the files to be those before', async () => `${await fixture.files()}` === `${before}`);
    assert.equal((await readdir(dirname(fixture.folder))).includes('owned'), beside.includes('owned'));
    assert.equal(fixture.reports, []);
  });

/** What the refusal of an upload bound to "hello", of type text/plain, says when these headers are sent. */
const messageFor = async (
  headers: Readonly<Record<string, string>>,
  without: string = '',
): Promise<string> => {
  const { upload } = await hold();
  const { [without]: _removed, ...rest } = { ...upload.headers, ...headers };
  const body = 'x'.repeat(Number(headers['content-length'] ?? 5));
  const { body: answer } = await httpSend({ ...upload, headers: rest, body });
  return /<Message>(.*)<\/Message>/.exec(answer.toString())?.[1] ?? '';
};

test('a refusal names each signed header that differs [uploads-8]', async () => {
  assert.match(await messageFor({ 'content-length': '7' }), /the header content-length must be 5, not 7$/);
  assert.match(
    await messageFor({ 'content-type': 'image/png' }),
    /content-type must be text\/plain, not image\/png$/,
  );
  assert.match(await messageFor({}, 'content-type'), /content-type must be text\/plain, not left out$/);
  assert.match(
    await messageFor({ 'content-length': '7', 'content-type': 'image/png' }),
    /length must be 5, .*type must/,
  );
  assert.match(await messageFor({}, 'x-amz-checksum-sha256'), /x-amz-checksum-sha256 must be LPJNul/);
});

test('without a valid signature a refusal names nothing that was signed [uploads-8]', async () => {
  const { upload } = await hold();
  const url = upload.url.replace(/(?<=X-Amz-Signature=)\w+/, '0'.repeat(64));
  const { body } = await httpSend({ ...upload, url, headers: { ...upload.headers, 'content-length': '7' } });
  assert.match(body.toString(), /<Message>the signature is not that of this request</);
});

test('the maximum size and the signed headers in a URL can not be changed [uploads-6]', async () => {
  const signed = await fixture.store.signUpload({ key: 'm', expiresInSeconds: 60, maxSize: 3 });
  const headers = { 'content-length': '4' };
  for (const url of [
    signed.url.replace('max-length=3', 'max-length=4'),
    signed.url.replace(/&x-amz-meta-max-length=3/, ''),
    `${signed.url}&x-amz-meta-signed-content-length=4`,
  ]) {
    assert.is.not(url, signed.url);
    assert.is((await httpSend({ ...signed, url, headers, body: 'four' })).status, 403);
  }
  assert.is(await fixture.get('m'), null);
});

test('what was abused is accepted as it was signed', async () => {
  assert.ok(Object.keys(abuses).length >= 40);
  const { upload, download } = await hold();
  assert.is((await httpSend(upload)).status, 200);
  assert.is(await fixture.get('a/target'), 'hello');
  assert.is((await httpSend(download)).body.toString(), 'victim');
});
