import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import type { StoredPart, UnfinishedUpload } from '../../../stores/objects/port.ts';
import { httpSend, type Received } from '../httpSend.ts';
import { type Declare, newKey } from './stage.ts';

/** The least that S3 joins, but for the last part. In bytes. */
const LEAST = 5_242_880;
const pieces = [Buffer.alloc(LEAST, 'a'), Buffer.alloc(LEAST, 'b'), Buffer.from('the end')];
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Uploads of large files in parts. */
export const partTests: Declare = (test, { store, put, bytesOf, etagOf }) => {
  const begin = async (isChecked = false, key = newKey()): Promise<UnfinishedUpload> => ({
    ...{ key, uploadId: await store().inParts.begin(key, 'text/plain', isChecked) },
  });
  const sign = (upload: UnfinishedUpload, partNumber: number, bytes: Buffer, isChecked = false) =>
    store().inParts.sign({
      ...{ ...upload, partNumber, size: bytes.length, expiresInSeconds: 60 },
      ...(isChecked && { sha256: sha256(bytes) }),
    });
  const send = async (
    upload: UnfinishedUpload,
    partNumber: number,
    bytes: Buffer,
    isChecked = false,
  ): Promise<Received> => {
    const signed = await sign(upload, partNumber, bytes, isChecked);
    const headers = { 'content-length': String(bytes.length), ...signed.headers };
    return httpSend({ ...signed, headers, body: bytes });
  };
  const there = async (upload: UnfinishedUpload): Promise<readonly StoredPart[]> =>
    (await store().inParts.parts(upload)) ?? [];

  for (const isChecked of [false, true])
    test(`parts in any order are joined to one object${isChecked ? ', each with its SHA-256' : ''} [uploads-21]`, async () => {
      const upload = await begin(isChecked);
      for (const [index, bytes] of [...pieces.entries()].reverse())
        assert.is((await send(upload, index + 1, bytes, isChecked)).status, 200);
      const parts = await there(upload);
      assert.equal(
        parts.map(({ partNumber, size }) => [partNumber, size]),
        pieces.map(({ length }, index) => [index + 1, length]),
      );
      assert.is(await store().head(upload.key), null, 'nothing is there before they are joined');
      assert.is(await store().inParts.join(upload, parts), true);
      const whole = Buffer.concat(pieces);
      const head = await store().head(upload.key);
      assert.equal([head?.size, head?.mimeType], [whole.length, 'text/plain']);
      const stream = await store().read(upload.key);
      assert.ok(stream && (await buffer(stream)).equals(whole));
      assert.is(await store().sha256(upload.key, head?.etag ?? ''), sha256(whole));
      const copy = newKey();
      assert.is(await store().copy(upload.key, head?.etag ?? '', copy, 'text/plain', whole.length), true);
      assert.is((await store().head(copy))?.size, whole.length);
    });

  test('a joined upload is over: it takes no part and lists none, and joining it again changes nothing', async () => {
    const upload = await begin();
    await send(upload, 1, Buffer.from('whole'));
    const parts = await there(upload);
    const late = await sign(upload, 2, Buffer.from('late'));
    assert.is(await store().inParts.join(upload, parts), true);
    assert.is(await store().inParts.parts(upload), null);
    await store().inParts.join(upload, parts); // some stores answer as they did at first
    const headers = { 'content-length': '4', ...late.headers };
    assert.is((await httpSend({ ...late, headers, body: 'late' })).status, 404);
    assert.is(await bytesOf(upload.key), 'whole');
  });

  test('a dropped upload is over, and leaves nothing; dropping it again does no harm', async () => {
    const upload = await begin();
    await send(upload, 1, Buffer.from('part'));
    const parts = await there(upload);
    for (let round = 0; round < 2; round += 1) await store().inParts.drop(upload);
    assert.is(await store().inParts.parts(upload), null);
    assert.is(await store().inParts.join(upload, parts), false);
    assert.is((await send(upload, 1, Buffer.from('part'))).status, 404);
    assert.equal(await store().inParts.unfinished(upload.key, '', 10), []);
    assert.is(await store().head(upload.key), null);
  });

  test('a part that is sent again replaces the earlier one; one that was replaced is not joined', async () => {
    const upload = await begin();
    await send(upload, 1, Buffer.from('old'));
    const [old] = await there(upload);
    await send(upload, 1, Buffer.from('newer'));
    assert.is(await store().inParts.join(upload, old ? [old] : []), false);
    const parts = await there(upload);
    assert.equal(
      parts.map(({ size }) => size),
      [5],
    );
    assert.is(await store().inParts.join(upload, parts), true);
    assert.is(await bytesOf(upload.key), 'newer');
  });

  test('a part of another size, number or upload than signed is refused and not stored [uploads-22]', async () => {
    const [upload, other] = [await begin(), await begin()];
    const signed = await sign(upload, 2, Buffer.from('five!'));
    const changed = [
      { ...signed, body: 'longer' },
      { ...signed, body: 'four' },
      { ...signed, url: signed.url.replace('partNumber=2', 'partNumber=3'), body: 'five!' },
      { ...signed, url: signed.url.replace('partNumber=2', 'partNumber=10001'), body: 'five!' },
      { ...signed, url: signed.url.replace(upload.uploadId, other.uploadId), body: 'five!' },
      { ...signed, url: signed.url.replace(/&uploadId=[^&]*/, ''), body: 'five!' },
    ];
    for (const request of changed) {
      const headers = { 'content-length': String(request.body.length), ...request.headers };
      const { status } = await httpSend({ ...request, headers });
      assert.ok([400, 403].includes(status), `answered ${status} for ${request.url} ${request.body}`);
    }
    assert.equal(await there(upload), []);
    assert.equal(await there(other), []);
  });

  test('a part with other bytes than its SHA-256 is refused and not stored [uploads-22]', async () => {
    const upload = await begin(true);
    const signed = await sign(upload, 1, Buffer.from('hello'), true);
    const put = (body: string) =>
      httpSend({ ...signed, headers: { 'content-length': '5', ...signed.headers }, body });
    assert.is((await put('hellO')).status, 400);
    assert.equal(await there(upload), []);
    assert.is((await put('hello')).status, 200);
    assert.is((await there(upload)).length, 1);
  });

  test('the unfinished uploads of a key are found, the oldest first, and no others', async () => {
    const first = await begin();
    const second = await begin(false, first.key);
    await begin(false, `${first.key}.longer`);
    const found = async () =>
      (await store().inParts.unfinished(first.key, '', 10)).filter(({ key }) => key === first.key);
    assert.equal(
      new Set((await found()).map(({ uploadId }) => uploadId)),
      new Set([first.uploadId, second.uploadId]),
    );
    await store().inParts.drop(first);
    assert.equal(await found(), [second]);
  });

  test('the SHA-256 is that of the object with the ETag, null for another', async () => {
    const key = newKey();
    await put(key, 'hello');
    const etag = await etagOf(key);
    assert.is(await store().sha256(key, etag), sha256(Buffer.from('hello')));
    await put(key, 'other');
    assert.is(await store().sha256(key, etag), null);
    assert.is(await store().sha256(newKey(), etag), null);
  });
};
