import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../kernel/clock.ts';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { sqliteDocumentStore } from '../../../stores/documents/sqlite.ts';
import { openDatabase } from '../../../stores/sqlite/database.ts';
import { suite } from '../../harness.ts';
import { failure, fence, position, put, write } from '../documents/stage.ts';
import { documentStoreContract } from '../documents.ts';
import { descending, inFolder, query, sqliteDriver } from './folder.ts';

documentStoreContract('documents in SQLite', sqliteDriver);

const test = suite('documents in SQLite: the driver alone');

test('writes nothing at all under a stale fence', () =>
  inFolder(async (_folder, store) => {
    const held = await fence(store);
    await store.leases.release(held);
    await failure(store.models.commit([write('fenced', 'x', 1, {})], { fenced: position(1) }, held));
    assert.is(await store.models.get('fenced', 'x'), null);
    assert.is(await store.models.checkpoint('fenced'), null);
  }));

test('leases last as long however the clock is set, and none outlives the machine’s last start [operations-11]', () =>
  inFolder(async (folder) => {
    let [wall, steady] = [Date.UTC(2026, 0, 1), 50_000_000];
    const clock = { now: () => new Date(wall) };
    const store = sqliteDocumentStore({ folder, clock, steadyMs: () => steady });
    const held = await store.leases.acquire('loop', 'a', 15_000);
    wall += 2 * 86_400_000;
    assert.ok(held && (await store.leases.renew(held, 15_000)));
    assert.is(await store.leases.acquire('loop', 'b', 15_000), null);
    wall -= 3 * 86_400_000;
    steady += 15_000;
    assert.ok(await store.leases.acquire('loop', 'b', 15_000));
    steady = 1_000;
    assert.ok(await store.leases.acquire('loop', 'c', 15_000));
    await store.close();
  }));

test('what was planned before the clock was set back is due when it would have been, and nothing else any earlier [operations-11]', () =>
  inFolder(async (folder) => {
    let [wall, steady] = [Date.UTC(2026, 0, 1, 12), 50_000_000];
    const clock = { now: () => new Date(wall) };
    const store = sqliteDocumentStore({ folder, clock, steadyMs: () => steady });
    const held = await fence(store);
    const plan = (id: string, n: number, inMs: number) =>
      store.models.commit(
        [write('queue', id, n, { id, lane: 'a', dueAt: new Date(wall + inMs).toISOString() })],
        { queue: position(n) },
        held,
      );
    const terms = { collection: 'queue', owner: 'w', leaseMs: 600_000, limit: 9, perLane: 9, skip: [] };
    const claimed = async () => (await store.leases.claim(terms)).map(({ id }) => id);
    assert.equal(await claimed(), []);
    await plan('now', 1, 0);
    await plan('in a minute', 2, 60_000);
    wall -= 3_600_000;
    assert.equal(await claimed(), ['now']);
    await plan('later, in half a minute', 3, 30_000);
    [wall, steady] = [wall + 29_000, steady + 29_000];
    assert.equal(await claimed(), []);
    [wall, steady] = [wall + 1_000, steady + 1_000];
    assert.equal(await claimed(), ['later, in half a minute']);
    [wall, steady] = [wall + 30_000, steady + 30_000];
    assert.equal(await claimed(), ['in a minute']);
    await store.close();
  }));

test('undoes a commit of which a part fails', () =>
  inFolder(async (_folder, store) => {
    const writes = [write('undone', 'x', 1, {}), { ...write('undone', 'y', 1, {}), id: {} as string }];
    await failure(store.models.commit(writes, { undone: position(1) }, await fence(store)));
    assert.is(await store.models.get('undone', 'x'), null);
    assert.is(await store.models.checkpoint('undone'), null);
    await put(store, 'undone', { x: { v: 1 } });
    assert.equal(await store.models.get('undone', 'x'), { v: 1 });
  }));

test('commits the changes of many callers together', () =>
  inFolder(async (folder, { tables }) => {
    const log = join(folder, 'tables.db-wal');
    const before = statSync(log).size;
    await Promise.all(Array.from({ length: 100 }, (_, n) => tables.insert('rows', `k${n}`, { n })));
    const pages = (statSync(log).size - before) / 4_096;
    assert.ok(
      pages < 100,
      `${pages} pages were written for 100 rows: a commit of its own writes two at least`,
    );
  }));

test('waits for the writes of another process, and says so when they take too long', () =>
  inFolder(async (folder, store) => {
    const hasty = sqliteDocumentStore({ folder, clock: systemClock, patienceMs: 1 });
    const held = await fence(store);
    for (const file of ['models.db', 'tables.db']) {
      const other = openDatabase(join(folder, file), { synchronous: 'NORMAL' });
      const writes = ({ models, tables, leases }: typeof store): readonly (() => Promise<unknown>)[] =>
        file === 'tables.db'
          ? [() => tables.insert('rows', 'k', {})]
          : [
              () => models.commit([write('busy', 'x', 1, {})], { busy: position(1) }, held),
              () => leases.acquire('busy', 'a', 60_000),
              () => leases.renew(held, 60_000),
            ];
      other.exec('BEGIN IMMEDIATE');
      for (const attempt of writes(hasty)) assert.instance(await failure(attempt()), StoreUnavailable);
      const waiting = Promise.all(writes(store).map((attempt) => attempt()));
      await setTimeout(60);
      other.exec('COMMIT');
      await waiting;
      other.close();
    }
    assert.equal(await hasty.models.get('busy', 'x'), {});
    assert.is(await hasty.models.checkpoint('busy'), position(1));
    assert.equal(await hasty.tables.read('rows', 'k'), { row: {}, version: 1 });
    await hasty.close();
  }));

test('keeps no lease that has ended', async () => {
  let now = 1.7e12;
  await inFolder(
    async (folder, store) => {
      const all = Array.from({ length: 1_000 }, (_, n) => [`i${n}`, { lane: 'a', dueAt: '2020' }] as const);
      await put(store, 'queue', Object.fromEntries(all));
      const terms = { collection: 'queue', owner: 'w', leaseMs: 1_000, limit: 500, perLane: 500, skip: [] };
      const expiring = await store.leases.claim(terms);
      const released = await store.leases.claim(terms);
      for (const { fence } of released) await store.leases.release(fence);
      assert.is(query(folder, `SELECT 1 FROM leases WHERE name LIKE 'queue/%'`).length, 500);
      await store.models.drop('queue');
      now += 1_000_000;
      await put(store, 'queue', { i0: { lane: 'a', dueAt: '2020' } });
      const [again] = await store.leases.claim(terms);
      assert.is(query(folder, `SELECT 1 FROM leases WHERE name LIKE 'queue/%'`).length, 1);
      assert.ok(
        (again?.fence.token ?? 0) > Math.max(...[...expiring, ...released].map(({ fence }) => fence.token)),
      );
    },
    { now: () => new Date(now) },
  );
});

test('finds documents that were there before their index, also those that an older release has written', () =>
  inFolder(async (folder, store) => {
    const older = openDatabase(join(folder, 'models.db'), { synchronous: 'NORMAL' });
    older.exec(`INSERT INTO collections VALUES ('older', 0);
      CREATE TABLE m_older (id TEXT PRIMARY KEY NOT NULL, position TEXT NOT NULL, body TEXT);
      CREATE INDEX "m_older.flag" ON m_older (json_extract(body, '$."deep"."flag"') ASC) WHERE body IS NOT NULL;
      INSERT INTO m_older VALUES ('x', '${position(1)}', '{"id":"x","deep":{"flag":true},"n":1.5}'), ('gone', '${position(1)}', NULL)`);
    older.close();
    const item = (id: string) => ({ id, deep: { flag: true }, n: 1.5 });
    await put(store, 'newer', { x: item('x') });
    const sort = ['deep.flag', 'n', 'id'].map((path) => ({ path, direction: 'ascending' as const }));
    for (const name of ['older', 'newer']) {
      await store.models.ensure(name, [{ name: 'flag', sort }]);
      await put(store, name, {
        y: item('y'),
        z: { id: 'z', deep: { flag: false }, n: 1.5 },
        empty: { id: 'empty' },
      });
      const where = { 'deep.flag': true, n: { from: 1, before: 2 } };
      assert.equal((await store.models.page(name, { where, sort, limit: 9, after: null })).items, [
        item('x'),
        item('y'),
      ]);
      const plan = query(folder, `SELECT sql FROM sqlite_schema WHERE name = 'm_${name}.flag'`);
      assert.not(String(plan[0]).includes('json_extract'));
      assert.is(await store.models.count(name, { n: null }), 1);
    }
  }));

test('claims from a queue that an older release has made', () =>
  inFolder(async (folder, store) => {
    const older = openDatabase(join(folder, 'models.db'), { synchronous: 'NORMAL' });
    older.exec(`INSERT INTO collections VALUES ('line', 1);
      CREATE TABLE m_line (id TEXT PRIMARY KEY NOT NULL, position TEXT NOT NULL, body TEXT);
      CREATE INDEX "m.queue.m_line." ON m_line (json_extract(body, '$."lane"'), json_extract(body, '$."dueAt"'), id)
        WHERE json_extract(body, '$."dueAt"') IS NOT NULL;
      INSERT INTO m_line VALUES ('x', '${position(1)}', '{"id":"x","lane":"a","dueAt":"2020"}')`);
    older.close();
    const terms = { collection: 'line', owner: 'w', leaseMs: 1_000, limit: 5, perLane: 5, skip: [] };
    assert.equal(
      (await store.leases.claim(terms)).map(({ id }) => id),
      ['x'],
    );
    const [index] = query(folder, `SELECT sql FROM sqlite_schema WHERE name = 'm.queue.m_line.'`);
    assert.not(String(index).includes('json_extract'));
  }));

/** Which of the texts any file of a folder holds. */
const storedIn = (folder: string, texts: readonly string[]): readonly string[] => {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  return texts.filter((text) => files.some((bytes) => bytes.includes(text)));
};

test('after compact no file holds what was overwritten, deleted or dropped before, also by a rebuild', () =>
  inFolder(async (folder, store) => {
    const { models, tables } = store;
    const indexes = [{ name: 'byName', sort: descending('name') }];
    const filler = 'x'.repeat(9_000); // on pages of its own
    const person = (text: string) => ({ name: text, filler, more: { name: text } });
    const held = await fence(store);
    for (const name of ['people', 'people@2']) await models.ensure(name, indexes);
    const commit = (collection: string, id: string, n: number, document: object | null) =>
      models.commit([write(collection, id, n, document)], { [collection]: position(n) }, held);
    await commit('people', 'a', 1, person('planted in the first form'));
    await commit('people', 'b', 2, person('planted and deleted'));
    await commit('people@2', 'a', 3, person('planted in a rebuild'));
    await commit('people', 'c', 4, person('another person'));
    await tables.insert('rows', 'a', person('planted in a row'));
    await tables.insert('rows', 'b', person('planted and replaced'));
    const planted = [
      ...['planted in the first form', 'planted and deleted', 'planted in a rebuild'],
      ...['planted in a row', 'planted and replaced'],
    ];
    assert.equal(storedIn(folder, planted), planted);
    await commit('people', 'a', 5, person('redacted'));
    await commit('people', 'b', 6, null);
    await models.drop('people@2');
    await tables.remove('rows', 'a', 1);
    await tables.replace('rows', 'b', 1, { redacted: true });
    await store.compact?.();
    assert.equal(storedIn(folder, planted), []);
    assert.equal(await models.get('people', 'c'), person('another person'));
    await store.inspect?.(new AbortController().signal);
  }));
