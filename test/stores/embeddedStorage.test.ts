import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../kernel/clock.ts';
import { folderObjectStore } from '../../stores/objects/embedded/folderStore.ts';
import { pathIn } from '../../stores/objects/embedded/openObject.ts';
import { openStorage, type Storage } from '../../stores/objects/embedded/storage.ts';
import { evidenceKey, evidenceOf, uploadKey } from '../../stores/objects/keys.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('the folder of the embedded object store');

const withStorage = (body: (storage: Storage, folder: string) => Promise<void>) => async () => {
  const folder = await mkdtemp(join(tmpdir(), 'intake-storage-'));
  const storage = await openStorage(folder);
  try {
    await body(storage, folder);
  } finally {
    await storage.close();
    await rm(folder, { recursive: true });
  }
};

const put = (storage: Storage, key: string) => {
  const object = { key, mimeType: null, storedAt: '2026-01-01T00:00:00.000Z' };
  return storage.put({
    ...object,
    body: (async function* () {
      yield Buffer.from('x');
    })(),
  });
};
const submissionId = `sub_${'0'.repeat(26)}`;
const keyOf = (session: number, file: number): string =>
  uploadKey(`sub_${String(session).padStart(26, '0')}`, `fil_${file}`);

test(
  'uploads of one session are stored while others of it are removed',
  withStorage(async (storage) => {
    for (let round = 0; round < 100; round += 1) {
      await put(storage, keyOf(1, 0));
      await Promise.all([put(storage, keyOf(1, 1)), storage.remove(keyOf(1, 0))]);
      assert.equal(await storage.uploads('', 10), [keyOf(1, 1)]);
      await storage.remove(keyOf(1, 1));
    }
  }),
);

test(
  'uploads in a folder for each session, as earlier releases had them, are found again',
  withStorage(async (storage, folder) => {
    for (const file of [1, 0]) await put(storage, keyOf(1, file));
    const uploads = join(folder, 'uploads');
    for (const name of await readdir(uploads)) {
      const [session = '', hash = ''] = name.split('.');
      await mkdir(join(uploads, session), { recursive: true });
      await rename(join(uploads, name), join(uploads, session, hash));
    }
    const next = await openStorage(folder);
    assert.equal(await next.uploads('', 10), [keyOf(1, 0), keyOf(1, 1)]);
    assert.is(await next.remove(keyOf(1, 0)), true);
    assert.is(await next.remove(keyOf(1, 0)), false);
    await next.close();
  }),
);

test(
  'evidence named by its hash alone, as earlier releases did, is found and removed with its submission',
  withStorage(async (storage, folder) => {
    const keys = [1, 2].map((file) => evidenceKey(submissionId, { fileId: `fil_${file}`, etag: '"e"' }));
    for (const key of [...keys, 'proof']) {
      await put(storage, key);
      const hash = createHash('sha256').update(key).digest('hex');
      await mkdir(join(folder, hash.slice(0, 2)), { recursive: true });
      await rename(pathIn(folder, key), join(folder, hash.slice(0, 2), hash.slice(2)));
    }
    const next = await openStorage(folder);
    for (const key of [...keys, 'proof']) assert.is(next.open(key)?.record.key, key);
    assert.is(await next.removeAll(evidenceOf(submissionId)), 2);
    assert.equal([next.open(keys[0] ?? ''), next.open('proof')?.record.key], [null, 'proof']);
    await next.close();
  }),
);

test(
  'removeAll removes what a write was interrupted in, and what is being written is not stored',
  withStorage(async (storage, folder) => {
    const key = evidenceKey(submissionId, { fileId: 'fil_1', etag: '"e"' });
    let end: () => void = () => undefined;
    const object = { key, mimeType: null, storedAt: '2026-01-01T00:00:00.000Z' };
    const body = (async function* () {
      yield Buffer.from('private');
      yield Buffer.from('bytes');
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    })();
    const writing = storage.put({ ...object, body }).catch((error) => error.code);
    const written = async () => (await readdir(join(folder, 'incoming'))).length;
    await eventually('bytes to be written', async () => (await written()) === 1);
    await storage.removeAll(evidenceOf(submissionId));
    assert.is(await written(), 0);
    end();
    assert.is(await writing, 'ENOENT');
    assert.is(storage.open(key), null);
    const other = keyOf(1, 1).slice(0, -'fil_1'.length);
    assert.is(await storage.removeAll(other), 0);
  }),
);

test(
  'removeAll takes the prefix of a submission alone',
  withStorage(async (storage) => {
    for (const prefix of ['', 'uploads/', 'evidence', keyOf(1, 1)]) {
      const thrown = await storage.removeAll(prefix).catch((error) => error);
      assert.match(String(thrown.message), /is not the prefix of a submission/, prefix);
    }
  }),
);

test(
  'of many copies at most 64 are made at once, and all of them are made',
  withStorage(async (storage, folder) => {
    const { etag } = await put(storage, keyOf(1, 0));
    const counts = { running: 0, most: 0 };
    const counted: Storage = {
      ...storage,
      put: async (object) => {
        counts.running += 1;
        counts.most = Math.max(counts.most, counts.running);
        return storage.put(object).finally(() => {
          counts.running -= 1;
        });
      },
    };
    const store = folderObjectStore(folder, counted, {
      ...{ baseUrl: 'http://localhost', bucket: 'b', region: 'r', clock: systemClock },
      credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    });
    const copied = await Promise.all(
      Array.from({ length: 300 }, (_, n) => store.copy(keyOf(1, 0), etag, `evidence/${n}`, 'text/plain')),
    );
    assert.ok(copied.every(Boolean));
    assert.ok(counts.most <= 64, String(counts.most));
  }),
);

test(
  'a damaged upload is not listed, and hides no other',
  withStorage(async (storage, folder) => {
    for (const session of [1, 2, 3]) await put(storage, keyOf(session, 0));
    const [, second = ''] = (await readdir(join(folder, 'uploads'))).sort();
    await writeFile(join(folder, 'uploads', second), 'nothing of ours');
    assert.equal(await storage.uploads('', 10), [keyOf(1, 0), keyOf(3, 0)]);
  }),
);
