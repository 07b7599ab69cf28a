import * as assert from 'uvu/assert';
import type { SignedUpload } from '../../../stores/objects/port.ts';
import { eventually } from '../../harness.ts';
import type { Received } from '../httpSend.ts';
import { bound, type Declare, newKey, SHORTLY, upload } from './stage.ts';

type Changed = Parameters<typeof upload>[0];

/** What a signed upload lets in, and what not. */
export const uploadTests: Declare = (test, { store, put, bytesOf }) => {
  test('an upload by its URL is stored, with its size and type [uploads-1]', async () => {
    const key = newKey();
    await put(key, 'hello', bound(key, 'hello'));
    const head = await store().head(key);
    assert.is(head?.size, 5);
    assert.is(head?.mimeType, 'text/plain');
    assert.ok(head?.etag);
    assert.is(await bytesOf(key), 'hello');
  });

  test('the headers of an upload are exactly those that are needed', async () => {
    const signed = await store().signUpload(bound(newKey(), 'hello'));
    assert.is(signed.method, 'PUT');
    assert.ok(Object.keys(signed.headers).length >= 2);
    for (const name of Object.keys(signed.headers)) {
      const { [name]: _left, ...rest } = signed.headers;
      const answer = await upload({ ...signed, headers: { ...rest, 'content-length': '5' } }, 'hello');
      assert.is(answer.status, 403, `without ${name}`);
    }
    assert.is((await upload(signed, 'hello')).status, 200);
  });

  test('fetch can upload and download as the signed requests say', async () => {
    const key = newKey();
    const signed = await store().signUpload(bound(key, 'hello'));
    const sent = await fetch(signed.url, { method: 'PUT', headers: signed.headers, body: 'hello' });
    assert.is(sent.status, 200);
    const terms = { key, expiresInSeconds: 60, fileName: 'a.txt', mimeType: 'text/plain' };
    const { url, method, headers } = await store().signDownload(terms);
    assert.is(await (await fetch(url, { method, headers })).text(), 'hello');
  });

  const refused = async (what: string, change: (signed: SignedUpload) => [Changed, string]) => {
    test(`another ${what} than signed is refused and stores nothing [uploads-5]`, async () => {
      const key = newKey();
      const [request, bytes] = change(await store().signUpload(bound(key, 'hello')));
      const answer = await upload(request, bytes);
      assert.ok([400, 403].includes(answer.status), `answered ${answer.status}`);
      assert.is(await store().head(key), null);
      assert.is(await store().head(new URL(request.url).pathname.slice(1)), null);
    });
  };
  const withHeaders = (signed: SignedUpload, headers: Record<string, string>): Changed => ({
    ...signed,
    headers: { ...signed.headers, ...headers },
  });
  refused('key', (signed) => [{ ...signed, url: signed.url.replace('/file?', '/other?') }, 'hello']);
  refused('method', (signed) => [{ ...signed, method: 'GET' }, '']);
  refused('length', (signed) => [withHeaders(signed, { 'content-length': '6' }), 'hello!']);
  refused('type', (signed) => [withHeaders(signed, { 'content-type': 'text/html' }), 'hello']);
  refused('content', (signed) => [signed, 'hellO']);

  test('an upload URL ends at its time', async () => {
    const signed = await store().signUpload({ key: newKey(), expiresInSeconds: SHORTLY });
    assert.is((await upload(signed, 'in time')).status, 200);
    await eventually('the URL to expire', async () => (await upload(signed, 'late')).status === 403);
  });

  test('terms left out bind nothing: any size, any type', async () => {
    const key = newKey();
    await put(key, 'whatever');
    assert.is((await store().head(key))?.size, 8);
    const signed = await store().signUpload({ key, expiresInSeconds: 60 });
    assert.equal(signed.headers, {});
    const typed = { 'content-length': '2', 'content-type': 'image/png' };
    assert.is((await upload({ ...signed, headers: typed }, 'ab')).status, 200);
    assert.is((await store().head(key))?.mimeType, 'image/png');
  });

  test('a type that was not given is null', async () => {
    const key = newKey();
    await put(key, 'x');
    assert.is((await store().head(key))?.mimeType, null);
  });
};

/** An upload whose size is not known, bound to the greatest one. */
export const maxSizeTests: Declare = (test, { store }) => {
  test('the greatest size binds what has no size of its own: a byte more is refused and stores nothing [uploads-6]', async () => {
    const key = newKey();
    const signed = await store().signUpload({ key, expiresInSeconds: 60, maxSize: 1_000 });
    const answer = await upload(signed, 'x'.repeat(1_001));
    assert.equal([answer.status, codeOf(answer)], [400, 'EntityTooLarge']);
    assert.is(await store().head(key), null);
    assert.is((await upload(signed, 'x'.repeat(1_000))).status, 200);
    assert.is((await store().head(key))?.size, 1_000);
    assert.is((await store().head(key))?.mimeType, null, 'no type was told');
  });

  test('an upload of a greatest size has the type that it is sent with, no other key, and ends at its time', async () => {
    const terms = { key: newKey(), expiresInSeconds: SHORTLY, maxSize: 1_000 };
    const signed = await store().signUpload(terms);
    const png = { 'Content-Type': 'image/png' };
    const { fields, headers } = signed;
    const typed = fields
      ? { ...signed, fields: { ...fields, ...png } }
      : { ...signed, headers: { ...headers, ...png } };
    assert.is((await upload(typed, 'x')).status, 200);
    assert.is((await store().head(terms.key))?.mimeType, 'image/png');
    const elsewhere = newKey();
    const moved = fields
      ? { ...signed, fields: { ...fields, key: elsewhere } }
      : { ...signed, url: signed.url.replace(terms.key, elsewhere) };
    assert.is((await upload(moved, 'x')).status, 403);
    assert.is(await store().head(elsewhere), null);
    await eventually('the upload to expire', async () => (await upload(signed, 'late')).status === 403);
  });
};

const codeOf = ({ body }: Received): string => /<Code>(\w+)</.exec(body.toString())?.[1] ?? '';
