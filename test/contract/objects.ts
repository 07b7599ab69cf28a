import { createHash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../stores/errors.ts';
import type { ObjectStore, SignedRequest, UploadTerms } from '../../stores/objects/port.ts';
import { eventually, suite } from '../harness.ts';
import { httpSend, type Received } from './httpSend.ts';

/**
 * One object store under test and the same one in trouble: `missing` names a bucket that is not there, `stranger` has a
 * wrong secret, `away` can't be reached. `secrets` must stand in no message.
 */
export type ObjectsUnderTest = Readonly<{
  store: ObjectStore;
  missing: ObjectStore;
  stranger: ObjectStore;
  away: ObjectStore;
  bucket: string;
  endpoint: string;
  secrets: readonly string[];
  close(): Promise<void>;
}>;

/** Holds a driver to every sentence of stores/objects/port.ts. */
export const objectContract = (driver: string, open: () => Promise<ObjectsUnderTest>): void => {
  const test = suite(`objects: ${driver}`);
  let under: ObjectsUnderTest;
  const store = (): ObjectStore => under.store;
  test.before(async () => {
    under = await open();
  });
  test.after(() => under.close());

  const newKey = (name = 'file'): string => `contract/${randomUUID()}/${name}`;
  const put = async (key: string, bytes: Buffer | string, terms: Partial<UploadTerms> = {}) => {
    const signed = await store().signUpload({ key, expiresInSeconds: 60, ...terms });
    const answer = await upload(signed, bytes);
    assert.is(answer.status, 200, answer.body.toString());
  };
  const bytesOf = async (key: string): Promise<string | null> => {
    const stream = await store().read(key);
    return stream && (await buffer(stream)).toString();
  };
  const etagOf = async (key: string): Promise<string> => (await store().head(key))?.etag ?? 'none';
  const bound = (key: string, bytes: string): UploadTerms => ({
    key,
    expiresInSeconds: 60,
    mimeType: 'text/plain',
    size: Buffer.byteLength(bytes),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });

  test('an upload by its URL is there, with its size and type', async () => {
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

  const refused = async (what: string, change: (signed: SignedRequest) => [SignedRequest, string]) => {
    test(`another ${what} than signed is refused and stores nothing`, async () => {
      const key = newKey();
      const [request, bytes] = change(await store().signUpload(bound(key, 'hello')));
      const answer = await upload(request, bytes);
      assert.ok([400, 403].includes(answer.status), `answered ${answer.status}`);
      assert.is(await store().head(key), null);
      assert.is(await store().head(new URL(request.url).pathname.slice(1)), null);
    });
  };
  const withHeaders = (signed: SignedRequest, headers: Record<string, string>): SignedRequest => ({
    ...signed,
    headers: { ...signed.headers, ...headers },
  });
  refused('key', (signed) => [{ ...signed, url: signed.url.replace('/file?', '/other?') }, 'hello']);
  refused('method', (signed) => [{ ...signed, method: 'GET' }, '']);
  refused('length', (signed) => [withHeaders(signed, { 'content-length': '6' }), 'hello!']);
  refused('type', (signed) => [withHeaders(signed, { 'content-type': 'text/html' }), 'hello']);
  refused('content', (signed) => [signed, 'hellO']);

  test('an upload URL ends at its time', async () => {
    const signed = await store().signUpload({ key: newKey(), expiresInSeconds: 1 });
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

  test('an empty file is a file', async () => {
    const key = newKey();
    await put(key, '', bound(key, ''));
    assert.is((await store().head(key))?.size, 0);
    assert.is(await bytesOf(key), '');
  });

  test('the ETag changes with the bytes and only with them', async () => {
    const key = newKey();
    await put(key, 'one');
    const first = await etagOf(key);
    await put(key, 'two');
    assert.is.not(await etagOf(key), first);
    await put(key, 'one');
    assert.is(await etagOf(key), first);
  });

  test('megabytes come back as they went in', async () => {
    const key = newKey();
    const bytes = Buffer.alloc(3_000_001, createHash('sha256').update('seed').digest());
    await put(key, bytes);
    const stream = await store().read(key);
    assert.ok(stream && (await buffer(stream)).equals(bytes));
  });

  for (const name of ['a b', 'ü€😀', 'a+b', '100%', 'a&b=c?d#e', "(it's*)!", 'a//b', '~-_.'])
    test(`a key may hold ${name}`, async () => {
      const [key, copy] = [newKey(name), newKey(`${name}.copy`)];
      await put(key, name, bound(key, name));
      assert.is(await bytesOf(key), name);
      assert.ok(await store().copy(key, await etagOf(key), copy, 'text/plain'));
      const terms = { key: copy, expiresInSeconds: 60, fileName: name, mimeType: 'text/plain' };
      const { body } = await httpSend(await store().signDownload(terms));
      assert.is(body.toString(), name);
    });

  test('head and read give null for a key that is not there', async () => {
    assert.is(await store().head(newKey()), null);
    assert.is(await store().read(newKey()), null);
  });

  test('a reader that stops early harms nobody', async () => {
    const key = newKey();
    await put(key, Buffer.alloc(2_000_000, 'x'));
    for (let round = 0; round < 80; round += 1) (await store().read(key))?.destroy();
    assert.is((await store().head(key))?.size, 2_000_000);
  });

  test('a download is saved under its name with its type, never shown', async () => {
    const key = newKey();
    await put(key, '<script>1</script>', { mimeType: 'text/html' });
    const terms = { key, expiresInSeconds: 60, fileName: 'Beleg "März"/2.html', mimeType: 'text/html' };
    const signed = await store().signDownload(terms);
    assert.equal([signed.method, signed.headers], ['GET', {}]);
    const { status, headers } = await httpSend(signed);
    assert.is(status, 200);
    assert.is(headers['content-type'], 'text/html');
    assert.is(
      headers['content-disposition'],
      `attachment; filename="Beleg _M_rz__2.html"; filename*=UTF-8''Beleg%20_M%C3%A4rz__2.html`,
    );
  });

  test('a download URL ends at its time', async () => {
    const key = newKey();
    await put(key, 'x');
    const terms = { key, expiresInSeconds: 1, fileName: 'x', mimeType: 'text/plain' };
    const signed = await store().signDownload(terms);
    assert.is((await httpSend(signed)).status, 200);
    await eventually('the URL to expire', async () => (await httpSend(signed)).status === 403);
  });

  test('copy takes the bytes, gives the type, leaves the source, and may be repeated', async () => {
    const [source, target] = [newKey(), newKey()];
    await put(source, 'evidence');
    const etag = await etagOf(source);
    for (let round = 0; round < 2; round += 1)
      assert.is(await store().copy(source, etag, target, 'image/png'), true);
    assert.is(await bytesOf(target), 'evidence');
    assert.is((await store().head(target))?.mimeType, 'image/png');
    assert.is(await bytesOf(source), 'evidence');
    await put(source, 'swapped');
    assert.is(await bytesOf(target), 'evidence');
  });

  test('copy says false, and copies nothing, when the source has changed or is gone', async () => {
    const [source, target] = [newKey(), newKey()];
    await put(source, 'checked');
    const etag = await etagOf(source);
    await put(source, 'swapped');
    assert.is(await store().copy(source, etag, target, 'text/plain'), false);
    await store().remove(source);
    assert.is(await store().copy(source, etag, target, 'text/plain'), false);
    assert.is(await store().head(target), null);
  });

  test('while a key is overwritten all the time, each reader gets one upload whole', async () => {
    const key = newKey();
    const bodies = ['a', 'b', 'c', 'd'].map((letter, at) => letter.repeat(1_000_000 + at));
    await put(key, bodies[0] ?? '');
    const seen = new Set<string>();
    let isWriting = true;
    const writing = Promise.all([...bodies, ...bodies].map((body) => put(key, body))).finally(() => {
      isWriting = false;
    });
    do seen.add((await bytesOf(key)) ?? 'gone');
    while (isWriting);
    await writing;
    for (const body of seen) assert.ok(bodies.includes(body), `a mixture of ${body.length} bytes`);
  });

  test('remove removes, also what is gone already', async () => {
    const key = newKey();
    await put(key, 'x');
    for (let round = 0; round < 2; round += 1) await store().remove(key);
    assert.is(await store().head(key), null);
    assert.is(await store().read(key), null);
  });

  test('check holds for a bucket that can be used', () => store().check());

  test('check names bucket and endpoint of one that can not, and no secret', async () => {
    for (const [troubled, bucket] of [
      [under.missing, 'missing-bucket'],
      [under.stranger, under.bucket],
      [under.away, under.bucket],
    ] as const) {
      const error = await thrownBy(() => troubled.check());
      assert.ok(error.message.includes(bucket), error.message);
      assert.is(error instanceof StoreUnavailable, troubled === under.away, error.message);
      for (const secret of under.secrets) assert.not.ok(told(error).includes(secret), told(error));
    }
    assert.ok((await thrownBy(() => under.missing.check())).message.includes(under.endpoint));
  });

  test('what can not be reached is StoreUnavailable', async () => {
    const calls: ((away: ObjectStore) => Promise<unknown>)[] = [
      (away) => away.head('k'),
      (away) => away.read('k'),
      (away) => away.copy('k', '"e"', 't', 'text/plain'),
      (away) => away.remove('k'),
      (away) => away.check(),
    ];
    for (const call of calls)
      assert.instance(await thrownBy(() => call(under.away)), StoreUnavailable, String(call));
  });

  test('a refusal is neither absence nor unavailability', async () => {
    for (const call of [() => under.stranger.head('k'), () => under.stranger.read('k')]) {
      const error = await thrownBy(call);
      assert.not.instance(error, StoreUnavailable);
      for (const secret of under.secrets) assert.not.ok(told(error).includes(secret), told(error));
    }
  });
};

const upload = (signed: SignedRequest, body: Buffer | string): Promise<Received> => {
  const headers = { 'content-length': String(Buffer.byteLength(body)), ...signed.headers };
  return httpSend({ ...signed, headers, body });
};

const thrownBy = async (call: () => Promise<unknown>): Promise<Error> => {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
};

/** All of an error that a log line would show. */
const told = (error: Error): string =>
  `${error.stack} ${JSON.stringify(error)} ${JSON.stringify(Object.getOwnPropertyDescriptors(error))}`;
