import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore, StoredEvent } from '../stores/events/port.ts';
import { sqliteEventStore } from '../stores/events/sqlite.ts';
import { openDatabase } from '../stores/sqlite/database.ts';
import { type Cost, compare, cost, type Row } from './measure.ts';
import { optionsOf } from './options.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'durable appends through the port against a raw loop on the same database engine';

const CALLERS = 64;
const ONE_ROW = 'a raw commit of each row (FULL)';
const GROUP = 'a raw commit of 64 rows (FULL)';
const EVENTS = { one: 500, many: 6_400 };

/** Measures appends; `--rounds N` (default 11). Its rows are those of P3. */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { rounds: given } = optionsOf(options, { rounds: 11 });
  const rounds = Math.max(5, given);
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  const store = sqliteEventStore({ path: join(folder, 'port.db') });
  const raw = rawLog(join(folder, 'raw.db'));
  try {
    return [
      await compare(
        { figure: 'P3', what: 'durable append, 1 caller', yardstick: ONE_ROW, goal: 0.85, by: 'elapsed' },
        rounds,
        (round) => raw(`one${round}`, 1, EVENTS.one),
        (round) => appends(store, `one${round}`, 1, EVENTS.one),
      ),
      await compare(
        {
          figure: 'P3',
          what: `durable append, ${CALLERS} callers`,
          yardstick: GROUP,
          goal: 0.8,
          by: 'elapsed',
        },
        rounds,
        (round) => raw(`many${round}`, CALLERS, EVENTS.many),
        (round) => appends(store, `many${round}`, CALLERS, EVENTS.many),
      ),
    ];
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
};

/**
 * Each caller appends to a stream of its own, one event after the other, each when the last one is durable.
 */
const appends = (store: EventStore, name: string, callers: number, count: number): Promise<Cost> =>
  cost(count, async () => {
    const caller = async (_: unknown, n: number): Promise<void> => {
      for (let revision = 0; revision < count / callers; revision += 1)
        await store.append(`submission-${name}-${n}`, revision === 0 ? 'none' : revision - 1, [event()]);
    };
    await Promise.all(Array.from({ length: callers }, caller));
  });

/**
 * The yardstick: the same columns, indexes, JSON and durability (WAL, FULL), and nothing else: no expected
 * revision, no queue, no promise. One caller: each row its own commit. Many: one row of each in one
 * transaction.
 */
const rawLog = (path: string): ((name: string, group: number, count: number) => Promise<Cost>) => {
  const database = openDatabase(path, { synchronous: 'FULL' });
  database.exec(`CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, metadata TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (stream, revision))`);
  const insert = database.prepare(
    'INSERT INTO events (stream, revision, id, type, metadata, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const add = (stream: string, revision: number): void => {
    const { id, type, metadata, data } = event();
    insert.run(stream, revision, id, type, JSON.stringify(metadata), JSON.stringify(data));
  };
  return (name, group, count) =>
    cost(count, () => {
      for (let revision = 0; revision < count / group; revision += 1) {
        if (group > 1) database.exec('BEGIN IMMEDIATE');
        for (let n = 0; n < group; n += 1) add(`submission-${name}-${n}`, revision);
        if (group > 1) database.exec('COMMIT');
      }
    });
};

/** An event of about 600 bytes of JSON. */
export const event = (): StoredEvent => ({
  id: randomUUID(),
  type: 'SubmissionProcessed',
  data: {
    companyId: 'cmp_01jd7x3v9q4m8k2n5p6r7s8t9v',
    submissionId: 'sub_01jd7x3v9q4m8k2n5p6r7s8t9w',
    workflow: { slug: 'receipt', version: 3 },
    mode: 'live',
    private: { sealed: 'A'.repeat(120), subject: 'sub_01jd7x3v9q4m8k2n5p6r7s8t9w' },
  },
  metadata: {
    schema: 1,
    at: '2026-11-21T10:00:00.000Z',
    $correlationId: 'req_01jd7x3v9q4m8k2n5p6r7s8t9x',
    $causationId: 'req_01jd7x3v9q4m8k2n5p6r7s8t9x',
    actor: { kind: 'key', id: 'key_01jd7x3v9q4m8k2n5p6r7s8t9y' },
    prev: 'f'.repeat(64),
  },
});
