import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { putObject } from '../../stores/objects/embedded/putObject.ts';
import { openStorage } from '../../stores/objects/embedded/storage.ts';
import { s3ObjectStore } from '../../stores/objects/s3/store.ts';
import { httpSend } from '../contract/httpSend.ts';
import { eventually, rounds, suite } from '../harness.ts';
import { BUCKET, credentials, type Fixture, REGION, startEmbedded } from './embeddedFixture.ts';
import {
  beginUpload,
  begun,
  failing,
  incoming,
  left,
  overwrite,
  prototypeOf,
  whileBroken,
} from './embeddedTrouble.ts';

const test = suite('embedded objects: nothing half, nothing lost');
let fixture: Fixture;
test.before(async () => {
  fixture = await startEmbedded();
});
test.after(() => fixture.close());

test('an upload that breaks off leaves nothing, and what was there stays', async () => {
  await fixture.put('k', 'whole');
  const before = await fixture.files();
  const socket = await beginUpload(fixture, 'k', 100_000, 'half');
  await begun(fixture);
  socket.destroy();
  await left(fixture);
  assert.equal(await fixture.files(), before);
  assert.is(await fixture.get('k'), 'whole');
});

test('a body shorter than announced is not stored, wherever it comes from', async () => {
  const storage = await openStorage(fixture.folder);
  const path = `/${BUCKET}/short`;
  const headers = new Map([['content-length', '6']]);
  const request = { method: 'PUT', path, bucket: BUCKET, key: 'short', query: new Map(), headers };
  const raw = Readable.from([Buffer.from('hello')]);
  const upload = { raw, payloadHash: 'UNSIGNED-PAYLOAD', storedAt: '', invite: () => undefined };
  const limits = { maximumBytes: 10, idleMs: 1_000, leastBytesPerSecond: 1 };
  const bucket = { storage, limits, uploadRefusal: async () => null };
  const error = await putObject(bucket, request, upload).catch((thrown) => thrown);
  await storage.close();
  assert.is(error.code, 'IncompleteBody');
  assert.is(await fixture.get('short'), null);
});

for (const [code, status] of [
  ['ENOSPC', 503],
  ['EROFS', 503],
  ['EACCES', 500],
] as const)
  test(`${code} while writing is answered ${status}, reported, and leaves nothing`, async () => {
    await fixture.put('k', 'whole');
    const before = await fixture.files();
    const etag = (await fixture.store.head('k'))?.etag ?? '';
    fixture.reports.length = 0;
    await whileBroken({ appendFile: failing(code) }, async () => {
      const signed = await fixture.store.signUpload({ key: 'k', expiresInSeconds: 60 });
      const answer = await httpSend({
        ...signed,
        headers: { 'content-length': '100000' },
        body: Buffer.alloc(100_000),
      });
      assert.is(answer.status, status);
      assert.is(answer.headers['retry-after'], status === 503 ? '1' : undefined);
      const error = await fixture.store.copy('k', etag, 'k2', 'text/plain').catch((thrown) => thrown);
      assert.instance(error, StoreUnavailable);
    });
    assert.is(fixture.reports.length, 1);
    assert.equal(await fixture.files(), before);
    await fixture.put('k', 'healed');
    assert.is(await fixture.get('k'), 'healed');
  });

test('bytes and names are on the disk before an answer', async () => {
  const { sync } = await prototypeOf();
  const synced: string[] = [];
  const { ino: root } = await stat(fixture.folder);
  const counting = async function (this: FileHandle) {
    const stats = await this.stat();
    synced.push(stats.isFile() ? 'file' : stats.ino === root ? 'folder of folders' : 'folder');
    await sync.call(this);
  };
  await whileBroken({ sync: counting }, async () => {
    // The folder of an object is made for the first of those that share it.
    await fixture.put('synced', 'x');
    assert.equal(synced.splice(0), ['file', 'folder of folders', 'folder']);
    await fixture.put('synced', 'x');
    assert.equal(synced.splice(0), ['file', 'folder']);
    const etag = (await fixture.store.head('synced'))?.etag ?? '';
    await fixture.store.copy('synced', etag, 'synced2', 'text/plain');
    assert.equal(synced.splice(0), ['file', 'folder of folders', 'folder']);
    await fixture.store.remove('synced');
    assert.equal(synced, ['folder']);
  });
});

test('a damaged file is an error, never absence or other bytes', async () => {
  const before = await fixture.files();
  await fixture.put('damaged', 'some bytes');
  const [file = ''] = (await fixture.files()).filter((one) => !before.includes(one));
  const terms = { key: 'damaged', expiresInSeconds: 60, fileName: 'x', mimeType: 'text/plain' };
  for (const length of [0, 5, 60]) {
    fixture.reports.length = 0;
    await truncate(file, length);
    assert.instance(await fixture.store.read('damaged').catch((thrown) => thrown), StoreUnavailable);
    assert.is((await httpSend(await fixture.store.signDownload(terms))).status, 500);
    assert.is(fixture.reports.length, 1);
  }
  await fixture.put('damaged', 'some bytes');
  const { size } = await stat(file);
  await overwrite(file, '2', size - 1);
  assert.instance(await fixture.store.read('damaged').catch((thrown) => thrown), StoreUnavailable);
});

test('rotten bytes are not copied', async () => {
  const before = await fixture.files();
  await fixture.put('rotten', 'some bytes');
  const etag = (await fixture.store.head('rotten'))?.etag ?? '';
  const [rotten = ''] = (await fixture.files()).filter((one) => !before.includes(one));
  await overwrite(rotten, 'S', 0);
  const error = await fixture.store.copy('rotten', etag, 'copy', 'text/plain').catch((thrown) => thrown);
  assert.instance(error, StoreUnavailable);
  assert.is(await fixture.get('copy'), null);
});

test('a start sweeps what a crash left, and finds every object again', async () => {
  const first = await startEmbedded();
  await first.put('kept', 'kept bytes', 'image/png');
  const { etag } = (await first.store.head('kept')) ?? {};
  await writeFile(join(first.folder, 'incoming', 'leftover'), 'half');
  const second = await startEmbedded({ folder: first.folder });
  assert.equal(await incoming(second), []);
  assert.equal(await second.store.head('kept'), { size: 10, etag, mimeType: 'image/png' });
  assert.is(await second.get('kept'), 'kept bytes');
  await second.close();
  await first.close();
});

test(
  'killed in the middle of uploads: what was answered is there, the rest is not',
  async () => {
    for (let round = 0; round < rounds(2, 20); round += 1) {
      const own = await startEmbedded();
      const child = fork(new URL('./embeddedChild.js', import.meta.url), [own.folder]);
      const [endpoint] = await once(child, 'message');
      const store = s3ObjectStore({ bucket: BUCKET, region: REGION, credentials, pathStyle: true, endpoint });
      const answered: string[] = [];
      const uploads = Array.from({ length: 40 }, async (_, at) => {
        const signed = await store.signUpload({ key: `k${at}`, expiresInSeconds: 60, size: 200_000 });
        const { status } = await httpSend({ ...signed, body: Buffer.alloc(200_000, `${at};`) });
        if (status === 200) answered.push(`k${at}`);
      });
      await eventually('some answers', () => answered.length > 3);
      child.kill('SIGKILL');
      await Promise.allSettled(uploads);
      await store.close();
      const after = await startEmbedded({ folder: own.folder });
      for (const key of answered) assert.is((await after.get(key))?.length, 200_000);
      for (let at = 0; at < 40; at += 1)
        assert.ok([undefined, 200_000].includes((await after.get(`k${at}`))?.length));
      assert.equal(await incoming(after), []);
      await after.close();
      await own.close();
    }
  },
  { timeoutMs: 60_000 },
);

test('a close lets an upload under way end', async () => {
  const own = await startEmbedded();
  const socket = await beginUpload(own, 'k', 10, 'first');
  await begun(own);
  const answer = once(socket, 'data');
  const closed = own.close();
  socket.write('last!');
  assert.match(String((await answer)[0]), /^HTTP\/1.1 200 /);
  await closed;
});
