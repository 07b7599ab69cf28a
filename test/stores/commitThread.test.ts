import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { StoreDamaged, StoreUnavailable } from '../../kernel/errors.ts';
import { commitThread } from '../../stores/sqlite/commitThread.ts';
import { type Database, openDatabase } from '../../stores/sqlite/database.ts';
import { isBusy } from '../../stores/sqlite/guard.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('commits in a thread');

/** A thread that gives back what it gets, fails with a `Failure`, or dies. */
const SCRIPT = `import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (items) => {
    if (items === null) return parentPort.close();
    if (items[0] === 'die') process.exit(1);
    parentPort.postMessage(items[0].kind ? { failed: items[0] } : { outcomes: items });
  });`;

const withThread =
  (body: (thread: ReturnType<typeof commitThread<unknown, unknown>>, database: Database) => Promise<void>) =>
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'intake-thread-'));
    const path = join(folder, 'test.db');
    const database = openDatabase(path, { synchronous: 'NORMAL' });
    const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`);
    const thread = commitThread<unknown, unknown>(script, path, database);
    try {
      await body(thread, database);
    } finally {
      await thread.close();
      database.close();
      rmSync(folder, { recursive: true });
    }
  };

test(
  'a thread that dies leaves the outcome unknown, and the next batch has a new one',
  withThread(async (thread) => {
    assert.equal(await thread.commit([1, 2]), [1, 2]);
    assert.instance(await failure(thread.commit(['die'])), StoreUnavailable);
    assert.equal(await thread.commit([3]), [3]);
  }),
);

test(
  'errors keep their kind: a busy file is tried again, another fault is no outage',
  withThread(async (thread) => {
    const busy = await failure(thread.commit([{ kind: 'unavailable', message: 'locked', rawCode: 5 }]));
    assert.ok(isBusy(busy));
    const full = await failure(thread.commit([{ kind: 'unavailable', message: 'full', rawCode: 13 }]));
    assert.ok(full instanceof StoreUnavailable && !isBusy(full));
    const other = await failure(thread.commit([{ kind: 'other', message: 'a fault', rawCode: 0 }]));
    assert.not.instance(other, StoreUnavailable);
    assert.is(other.message, 'a fault');
  }),
);

test(
  'damage that either connection finds stops the writes of both',
  withThread(async (thread, database) => {
    const damaged = { kind: 'damaged', message: 'malformed', rawCode: 0 };
    assert.instance(await failure(thread.commit([damaged])), StoreDamaged);
    assert.throws(database.refuseDamaged, /malformed/);
    assert.instance(await failure(thread.commit([1])), StoreDamaged);
  }),
);
