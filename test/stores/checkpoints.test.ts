import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { checkpointsBeside } from '../../stores/sqlite/checkpoints.ts';
import { openDatabase } from '../../stores/sqlite/database.ts';
import { transactions } from '../../stores/sqlite/transactions.ts';
import { suite } from '../harness.ts';

const test = suite('checkpoints in a thread');

const ROWS = 3_000;

test('the write-ahead log is bounded however busy the writer, and nothing is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-checkpoints-'));
  const path = join(folder, 'test.db');
  const schema = 'CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, body TEXT)';
  const database = openDatabase(path, { synchronous: 'NORMAL', busyMs: 5, schema });
  const checkpoints = checkpointsBeside(path, database);
  const transact = transactions(database, 5_000);
  const insert = database.prepare('INSERT INTO t (body) VALUES (?)');
  try {
    let longest = 0;
    for (let row = 0; row < ROWS; row += 1) {
      await transact(() => insert.run('x'.repeat(20_000)));
      checkpoints.committed();
      longest = Math.max(longest, statSync(`${path}-wal`).size);
      await nextTurn();
    }
    assert.ok(longest < 40_000_000, `it grew to ${longest} bytes of ${ROWS * 20_000} written`);
    assert.ok(longest > 8_000_000);
    assert.equal(database.prepare<[number]>('SELECT count(*) FROM t').get(), [ROWS]);
  } finally {
    await checkpoints.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
});
