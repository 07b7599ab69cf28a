import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../kernel/clock.ts';
import type { Index, Sort } from '../../../stores/documents/port.ts';
import type { Collection } from '../../../stores/documents/sqlite/collections.ts';
import type { Fragment } from '../../../stores/documents/sqlite/query.ts';
import { sqliteDocumentStore } from '../../../stores/documents/sqlite.ts';
import { openDatabase } from '../../../stores/sqlite/database.ts';
import type { Driver } from '../documents/stage.ts';

/** A new folder; whoever asks for it removes it. */
const temporary = (): string => mkdtempSync(join(tmpdir(), 'intake-documents-'));

/** SQLite as the contract has it, with a clock that is moved. */
export const sqliteDriver = async (): Promise<Driver> => {
  const folder = temporary();
  let now = Date.parse('2026-01-02T03:04:05.678Z');
  return {
    open: async () =>
      sqliteDocumentStore({ folder, clock: { now: () => new Date(now) }, steadyMs: () => now }),
    elsewhere: ['sqlite', folder],
    now: () => now,
    pass: async (ms) => {
      now += ms;
    },
    end: async () => rmSync(folder, { recursive: true }),
  };
};

/** A store in a folder of its own; it is closed and removed at the end. */
export const inFolder = async (
  body: (folder: string, store: ReturnType<typeof sqliteDocumentStore>) => Promise<void>,
  clock = systemClock,
): Promise<void> => {
  const folder = temporary();
  const store = sqliteDocumentStore({ folder, clock, steadyMs: () => clock.now().getTime() });
  try {
    await body(folder, store);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
};

/** What SQL finds in the models of a store. */
export const query = (folder: string, sql: string): readonly (readonly unknown[])[] => {
  const database = openDatabase(join(folder, 'models.db'), { synchronous: 'NORMAL' });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
};

/** How many steps SQLite's machine takes for a statement. */
export const stepsOf = (folder: string, { sql, values }: Fragment, limit: number): number => {
  const database = openDatabase(join(folder, 'models.db'), { synchronous: 'NORMAL' });
  const statement = database.prepare(sql);
  statement.all(...values, limit);
  const [steps] = database.prepare<[number]>('SELECT nstep FROM sqlite_stmt WHERE sql = ?').get(sql) ?? [0];
  database.close();
  return steps;
};

/** A collection as the driver sees it once these indexes were ensured. */
export const indexed = (name: string, indexes: readonly Index[]): Collection => ({
  name,
  queue: false,
  within: null,
  paths: [...new Set(indexes.flatMap(({ sort }) => sort.map(({ path }) => path)))],
});

/** Newest or highest first. */
export const descending = (...paths: readonly string[]): Sort =>
  paths.map((path) => ({ path, direction: 'descending' }));
