import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { checkpointsBeside } from '../../stores/sqlite/checkpoints.ts';
import { openDatabase } from '../../stores/sqlite/database.ts';
import { transactions } from '../../stores/sqlite/transactions.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('checkpoints in a thread');

/** How often it must become smaller while the writer makes no pause. */
const SHRUNK = 3;

test('the write-ahead log starts anew however busy the writer, and nothing is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-checkpoints-'));
  const path = join(folder, 'test.db');
  const schema = 'CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, body TEXT)';
  const database = openDatabase(path, { synchronous: 'NORMAL', busyMs: 5, schema });
  const checkpoints = checkpointsBeside(path, database, { warn: assert.unreachable });
  const transact = transactions(database, 5_000);
  const insert = database.prepare('INSERT INTO t (body) VALUES (?)');
  try {
    let [rows, shrunk, size] = [0, 0, 0];
    for (; shrunk < SHRUNK; rows += 1) {
      await transact(() => insert.run('x'.repeat(20_000)));
      checkpoints.committed();
      const before = size;
      size = statSync(`${path}-wal`).size;
      if (size < before) shrunk += 1;
      await nextTurn();
    }
    assert.equal(database.prepare<[number]>('SELECT count(*) FROM t').get(), [rows]);
  } finally {
    await checkpoints.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
});

test('a checkpoint that fails is reported, and tried again after a later commit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-checkpoints-'));
  const database = openDatabase(join(folder, 'test.db'), { synchronous: 'NORMAL' });
  const path = join(folder, 'broken.db');
  mkdirSync(path); // no thread can open it
  const failures: unknown[] = [];
  const warn = (_message: string, facts: object = {}) => failures.push((facts as { err: unknown }).err);
  const checkpoints = checkpointsBeside(path, database, { warn });
  try {
    for (let count = 1; count <= 2; count += 1) {
      writeFileSync(`${path}-wal`, Buffer.alloc(9_000_000 * count));
      checkpoints.committed();
      while (failures.length < count) await nextTurn();
      assert.instance(failures.at(-1), StoreUnavailable);
      await nextTurn();
    }
  } finally {
    await checkpoints.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
});

test('a log that others still read is left alone until it has grown as much again, then starts anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-checkpoints-'));
  const path = join(folder, 'test.db');
  const schema = 'CREATE TABLE IF NOT EXISTS t (body TEXT)';
  const database = openDatabase(path, { synchronous: 'NORMAL', busyMs: 5, schema });
  const reader = openDatabase(path, { synchronous: 'NORMAL', busyMs: 5 });
  const checkpoints = checkpointsBeside(path, database);
  const insert = database.prepare('INSERT INTO t (body) VALUES (?)');
  const bytes = () => statSync(`${path}-wal`).size;
  const write = async (): Promise<void> => {
    insert.run('x'.repeat(100_000));
    checkpoints.committed();
    await nextTurn();
  };
  try {
    insert.run('first');
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM t').get();
    while (bytes() < 12_000_000) await write();
    reader.exec('COMMIT');
    const free = bytes();
    while (bytes() < 15_000_000) await write();
    assert.ok(bytes() > free, 'it was asked to start anew before it was due');
    let before = 0;
    await eventually('the log starts anew', async () => {
      before = bytes();
      await write();
      return bytes() <= before || null;
    });
  } finally {
    await checkpoints.close();
    reader.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
});
