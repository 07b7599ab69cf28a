import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { LeaseLost, StoreUnavailable } from '../../kernel/errors.ts';
import { LEASES, leaseRegistry } from '../../stores/documents/sqlite/leases.ts';
import { type Database, openDatabase } from '../../stores/sqlite/database.ts';
import { gatheredTransactions } from '../../stores/sqlite/gathered.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('gathered transactions');

const SCHEMA = `CREATE TABLE IF NOT EXISTS t (body TEXT); ${LEASES}`;
/** No test waits for it. */
const LONG_MS = 600_000;

type Given = Readonly<{ ours: Database; other: Database; calls: string[] }> &
  ReturnType<typeof gatheredTransactions>;

/** Ours, and the connection of another process; `spoilt` changes ours. */
const withFile = async (
  body: (given: Given) => Promise<void>,
  gatherMs = LONG_MS,
  spoilt: (database: Database) => Database = (database) => database,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-gathered-'));
  const open = () =>
    openDatabase(join(folder, 'test.db'), { synchronous: 'NORMAL', busyMs: 5, schema: SCHEMA });
  const [ours, other] = [spoilt(open()), open()];
  const calls: string[] = [];
  const call = (name: string) => () => void calls.push(name);
  const gathered = gatheredTransactions(ours, {
    ...{ patienceMs: 5_000, gatherMs },
    ...{ committed: call('committed'), undone: call('undone'), recover: call('recover') },
  });
  try {
    await body({ ours, other, calls, ...gathered });
  } finally {
    await gathered.close();
    for (const database of [ours, other]) database.close();
    rmSync(folder, { recursive: true });
  }
};

const add = (database: Database, body: string): void =>
  void database.prepare('INSERT INTO t VALUES (?)').run(body);
const rows = (database: Database): string =>
  database
    .texts<[string]>('SELECT body FROM t ORDER BY body')()
    .map(([body]) => body)
    .join('');

test('what is done is seen here at once, by others when it is committed, together', () =>
  withFile(async ({ ours, other, calls, transact, close }) => {
    await transact(() => add(ours, 'a'));
    await transact(() => add(ours, 'b'));
    assert.equal([rows(ours), rows(other), calls], ['ab', '', []]);
    await close();
    assert.equal([rows(other), calls], ['ab', ['committed']]);
  }));

test('a transaction stays open for no longer than it may', () =>
  withFile(async ({ ours, other, transact }) => {
    await transact(() => add(ours, 'a'));
    await eventually('it is committed', () => rows(other) === 'a');
  }, 1));

test('others that join without end do not keep it open', () =>
  withFile(async ({ ours, other, transact }) => {
    await eventually('it is committed while others still join', async () => {
      await transact(() => add(ours, 'a'));
      return rows(other) !== '';
    });
  }, 500));

test('a part that fails undoes what it wrote, and nothing else', () =>
  withFile(async ({ ours, other, transact, close }) => {
    const bodies = ['a', '', 'b'].map((text) => () => {
      add(ours, text || 'x');
      if (text === '') throw new Error('refused');
    });
    const outcomes = await Promise.allSettled(bodies.map((body) => transact(body)));
    assert.equal(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    await close();
    assert.is(rows(other), 'ab');
  }));

test('beside another process that writes each is committed by itself', () =>
  withFile(async ({ ours, other, transact }) => {
    add(other, 'a');
    await transact(() => add(ours, 'b'));
    assert.is(rows(other), 'ab');
    add(other, 'c');
    await transact(() => add(ours, 'd'));
    assert.is(rows(other), 'abcd');
  }));

test('what needs the file for itself has it, and then they are gathered again', () =>
  withFile(async ({ ours, other, transact, aside }) => {
    await transact(() => add(ours, 'a'));
    await aside(async () => {
      add(other, 'b');
      await transact(() => add(ours, 'c'));
      assert.is(rows(other), 'abc');
    });
    await transact(() => add(ours, 'd'));
    assert.is(rows(other), 'abc');
  }));

test('a commit that fails is told, and the next transaction recovers first, by itself', () => {
  let isFull = true;
  const spoilt = (database: Database): Database => ({
    ...database,
    commit: () => {
      if (!isFull) return database.commit();
      database.exec('ROLLBACK');
      throw new StoreUnavailable('the disk is full');
    },
  });
  return withFile(
    async ({ ours, other, calls, transact }) => {
      await transact(() => add(ours, 'a'));
      await eventually('it is told', () => calls.includes('undone'));
      assert.is(rows(ours), '');
      isFull = false;
      await transact(() => add(ours, 'b'));
      assert.equal([rows(other), calls], ['b', ['undone', 'recover', 'committed']]);
      await transact(() => add(ours, 'c'));
      assert.is(rows(other), 'b');
    },
    1,
    spoilt,
  );
});

test('leases that a failed commit undid are lost, those before them too, and no token comes again', () =>
  withFile(async ({ ours }) => {
    const leases = leaseRegistry(ours, () => 1_000);
    const before = leases.acquire('before', 'us', 60_000);
    ours.begin();
    const undone = leases.acquire('undone', 'us', 60_000);
    ours.exec('ROLLBACK');
    leases.endOwn();
    for (const fence of [before, undone]) {
      assert.ok(fence);
      assert.throws(
        () => leases.check(fence),
        (error: Error) => error instanceof LeaseLost,
      );
    }
    const again = leases.acquire('undone', 'us', 60_000);
    assert.ok((again?.token ?? 0) > (undone?.token ?? 0));
  }));
