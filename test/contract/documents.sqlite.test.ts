import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { systemClock } from '../../runtime/clock.ts';
import type { Sort, Where } from '../../stores/documents/port.ts';
import { dueIn, dueLanes } from '../../stores/documents/sqlite/claims.ts';
import { type Fragment, pageStatements } from '../../stores/documents/sqlite/query.ts';
import { sqliteDocumentStore } from '../../stores/documents/sqlite.ts';
import { StoreUnavailable } from '../../stores/errors.ts';
import { openDatabase } from '../../stores/sqlite/database.ts';
import { rounds, suite } from '../harness.ts';
import { failure, fence, position, put, write } from './documents/stage.ts';
import { documentStoreContract } from './documents.ts';

const temporary = (): string => mkdtempSync(join(tmpdir(), 'intake-documents-'));

documentStoreContract('documents in SQLite', async () => {
  const folder = temporary();
  let now = Date.parse('2026-01-02T03:04:05.678Z');
  return {
    open: async () => sqliteDocumentStore({ folder, clock: { now: () => new Date(now) } }),
    pass: async (ms) => {
      now += ms;
    },
    end: async () => rmSync(folder, { recursive: true }),
  };
});

const test = suite('documents in SQLite: the driver alone');

/** A store in a folder of its own, and what SQL finds there; all is closed and removed at the end. */
const inFolder = async (
  body: (folder: string, store: ReturnType<typeof sqliteDocumentStore>) => Promise<void>,
  clock = systemClock,
): Promise<void> => {
  const folder = temporary();
  const store = sqliteDocumentStore({ folder, clock });
  try {
    await body(folder, store);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
};

const query = (folder: string, sql: string): readonly (readonly unknown[])[] => {
  const database = openDatabase(join(folder, 'models.db'), { synchronous: 'NORMAL' });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
};

/** How many steps SQLite's machine takes for a statement. */
const stepsOf = (folder: string, { sql, values }: Fragment, limit: number): number => {
  const database = openDatabase(join(folder, 'models.db'), { synchronous: 'NORMAL' });
  const statement = database.prepare(sql);
  statement.all(...values, limit);
  const [steps] = database.prepare<[number]>('SELECT nstep FROM sqlite_stmt WHERE sql = ?').get(sql) ?? [0];
  database.close();
  return steps;
};

const descending = (...paths: readonly string[]): Sort =>
  paths.map((path) => ({ path, direction: 'descending' }));

test('seeks every page in an index and sorts none', () =>
  inFolder(async (folder, { models }) => {
    const newest = descending('createdAt', 'id');
    await models.ensure('plans', [
      { name: 'all', sort: [...descending('companyId'), ...newest] },
      { name: 'status', sort: [...descending('companyId', 'deep.status'), ...newest] },
    ]);
    const time = { from: '2026', before: '2027' };
    const conditions: readonly Where[] = [
      { companyId: 'c' },
      { companyId: null },
      { companyId: 'c', 'deep.status': 'review' },
      { companyId: 'c', 'deep.status': null },
      { companyId: 'c', createdAt: time },
      { companyId: 'c', 'deep.status': 'review', createdAt: { from: '2026' } },
      { companyId: 'c', createdAt: { before: '2026' } },
    ];
    const opposite: Sort = newest.map(({ path }) => ({ path, direction: 'ascending' }));
    for (const where of conditions)
      for (const sort of [newest, opposite])
        for (const after of [null, ['2026-06', 'x'], [null, 'x']])
          for (const { sql } of pageStatements('plans', { where, sort, limit: 20, after })) {
            const plan = query(folder, `EXPLAIN QUERY PLAN ${sql}`).map((row) => row.at(-1));
            const expected = 'deep.status' in where ? 'm_plans.status' : 'm_plans.all';
            assert.is(plan.length, 1, `${plan.join('\n')}\n${sql}`);
            assert.match(
              String(plan[0]),
              new RegExp(`^SEARCH m_plans USING INDEX ${expected} \\(<expr>=\\?`),
            );
          }
  }));

test('reads no more for a late page than for the first', () =>
  inFolder(async (folder, store) => {
    const sort = descending('createdAt', 'rank', 'id');
    const opposite: Sort = sort.map(({ path }) => ({ path, direction: 'ascending' }));
    await store.models.ensure('late', [
      { name: 'all', sort: [...descending('companyId'), ...sort] },
      { name: 'status', sort: [...descending('companyId', 'status'), ...sort] },
    ]);
    const time = (n: number): string => new Date(1.7e12 + n * 1_000).toISOString();
    const item = (n: number) => ({ id: `i${n}`, companyId: 'c', status: 's', createdAt: time(n), rank: 5 });
    const items = Array.from({ length: 2_000 }, (_, n) => item(n));
    await put(store, 'late', Object.fromEntries(items.map((each) => [each.id, each])));
    const steps = (where: Where, order: Sort, after: number | null) => {
      const values = after === null ? null : [time(after), 5, `i${after}`];
      const statements = pageStatements('late', { where, sort: order, limit: 20, after: values });
      return Math.max(...statements.map((statement) => stepsOf(folder, statement, 20)));
    };
    const createdAt = { from: time(100), before: time(1_900) };
    const ranges: readonly Where[] = [{}, { createdAt }, { status: 's' }, { status: 's', createdAt }];
    for (const range of ranges)
      for (const order of [sort, opposite]) {
        const where = { companyId: 'c', ...range };
        const first = steps(where, order, null);
        assert.ok(first > 100, `${first} steps of SQLite for 20 documents: it does not count`);
        for (const after of [105, 1_000, 1_895]) {
          const late = steps(where, order, after);
          assert.ok(late < first * 2, `${late} steps after ${after}, ${first} for the first page`);
        }
      }
  }));

test('writes nothing at all under a stale fence', () =>
  inFolder(async (_folder, store) => {
    const held = await fence(store);
    await store.leases.release(held);
    await failure(store.models.commit([write('fenced', 'x', 1, {})], { fenced: position(1) }, held));
    assert.is(await store.models.get('fenced', 'x'), null);
    assert.is(await store.models.checkpoint('fenced'), null);
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

test('seeks the next lane, however many documents there are in one', () =>
  inFolder(async (folder, store) => {
    await put(store, 'queue', { x: { lane: 'a', dueAt: '2020' } });
    await store.leases.claim({ collection: 'queue', owner: 'w', leaseMs: 9, limit: 1, perLane: 1, skip: [] });
    for (const sql of [dueLanes('"m_queue"'), dueIn('"m_queue"')]) {
      const plan = query(folder, `EXPLAIN QUERY PLAN ${sql}`).map((row) => String(row.at(-1)));
      assert.ok(
        plan.some((step) => /^SEARCH m_queue USING .*INDEX m\.queue/.test(step)),
        plan.join('\n'),
      );
      assert.not(
        plan.some((step) => /SCAN m_queue|SCAN leases|TEMP B-TREE/.test(step)),
        plan.join('\n'),
      );
    }
  }));

const start = (role: 'claim' | 'write' | 'flip', folder: string): ChildProcess =>
  fork(fileURLToPath(new URL('./documents.process.js', import.meta.url)), [role, folder]);

test(
  'gives each document to exactly one of several processes',
  () =>
    inFolder(async (folder, store) => {
      const count = rounds(1_000, 10_000);
      const all = Array.from(
        { length: count },
        (_, n) => [`i${n}`, { lane: `l${n % 9}`, dueAt: '2020' }] as const,
      );
      await put(store, 'raced', Object.fromEntries(all));
      const claimers = Array.from({ length: 3 }, () => start('claim', folder));
      await Promise.all(claimers.map((child) => once(child, 'message')));
      const ends = claimers.map((child) => Promise.all([once(child, 'message'), once(child, 'exit')]));
      for (const child of claimers) child.send('go');
      const won = (await Promise.all(ends)).map(([[ids]]): string[] => ids);
      assert.is(won.flat().length, count);
      assert.is(new Set(won.flat()).size, count);
      assert.ok(won.filter((ids) => ids.length > 0).length > 1, 'only one process took part');
    }),
  { timeoutMs: 120_000 },
);

test(
  'keeps documents, checkpoint and rows together when its process is killed',
  () =>
    inFolder(async (folder, store) => {
      for (let round = 0; round < rounds(3, 50); round += 1) {
        const child = start('write', folder);
        let told = 0;
        child.on('message', (n) => {
          told = Number(n);
          if (told % 100 > 20 + Math.random() * 70) child.kill('SIGKILL');
        });
        await once(child, 'exit');
        const checkpoint = await store.models.checkpoint('written');
        for (const id of ['x', 'y']) {
          const stored = (await store.models.getMany<{ n: number }>('written', [id])).get(id);
          assert.is(stored?.position, checkpoint);
          assert.is(stored?.document?.n, Number(checkpoint));
        }
        assert.ok(Number(checkpoint) >= told, `${told} was told, ${checkpoint} is there`);
        assert.ok(
          await store.tables.read('written', String(told)),
          `the row ${told} was told and is not there`,
        );
        await store.leases.breakAll();
      }
    }),
  { timeoutMs: 120_000 },
);

test(
  'reads one moment, and never an older one, while an alias is flipped and what it left is dropped',
  () =>
    inFolder(async (folder, { models }) => {
      const child = start('flip', folder);
      const exit = once(child, 'exit');
      await once(child, 'message');
      const sort: Sort = [{ path: 'id', direction: 'ascending' }];
      let ended = false;
      let last = 0;
      child.once('exit', () => {
        ended = true;
      });
      const look = async (read: () => Promise<{ n: number } | null | undefined>): Promise<void> => {
        const n = (await read())?.n ?? 0;
        assert.ok(n >= last, `${n} after ${last}`);
        last = n;
      };
      while (!ended) {
        for (let n = 0; n < 20; n += 1) {
          await look(() => models.get('flipped', 'x'));
          await look(async () => (await models.getMany<{ n: number }>('flipped', ['x'])).get('x')?.document);
          await look(async () => {
            const query = { where: {}, sort, limit: 1, after: null };
            return (await models.page<{ n: number }>('flipped', query)).items[0];
          });
        }
        await setTimeout(0);
      }
      assert.equal(await exit, [0, null]);
      assert.is(last, 150);
    }),
  { timeoutMs: 60_000 },
);
