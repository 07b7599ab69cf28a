import { isUtf8 } from 'node:buffer';
import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import Libsql from 'libsql';
import { createGuard, type Guard } from './guard.ts';
import { inspectBeside, QUICK_CHECK, SMALL_BYTES } from './inspection.ts';

/** What a column can hold. No booleans: libsql aborts the process. Text ends at a NUL when read back. */
export type Value = string | number | bigint | Uint8Array | null;

/** A prepared statement. Rows are tuples: libsql adds a `_metadata` member to row objects. */
export type Statement<R extends readonly unknown[]> = Readonly<{
  run(...values: readonly Value[]): Readonly<{ changes: number; lastInsertRowid: number | bigint }>;
  get(...values: readonly Value[]): R | undefined;
  all(...values: readonly Value[]): readonly R[];
}>;

/** Gives all rows of a query, every value as text: a number as SQLite writes it, NULL as ''. */
export type Texts<R extends readonly string[]> = (...values: readonly Value[]) => readonly R[];

export type Database = Readonly<ReturnType<typeof openDatabase>>;

/**
 * `synchronous`: FULL makes every commit durable, NORMAL only each checkpoint. `busyMs`: how long a call
 * blocks for another writer's lock (default 1,000). `schema` is run on opening, which itself waits for 5
 * s. `remedy`: what to do about a damaged file (default: to restore it from a backup).
 */
export type DatabaseOptions = Readonly<{
  synchronous: 'FULL' | 'NORMAL';
  busyMs?: number;
  schema?: string;
  remedy?: string;
}>;

/**
 * Opens (or makes, for its owner alone) the SQLite file at `path` in WAL mode: one connection. Everything on
 * it is synchronous and throws `StoreUnavailable` when the file can't be used now, `StoreDamaged` when it
 * never can. Once damage has been found nothing more is written; what can be read is still read.
 */
export const openDatabase = (path: string, options: DatabaseOptions) => {
  const { remedy = 'stop the service and restore the data folder from a backup' } = options;
  const guard = createGuard(path, remedy);
  const connection = guard.call(() => connect(path, options));
  const exec = (sql: string): void => guard.call(() => void connection.exec(sql));
  const begin = (): void => guard.write(() => void connection.exec('BEGIN IMMEDIATE'));
  /** A full disk may have rolled the transaction back already. */
  const within = (sql: string): void => {
    if (connection.inTransaction) exec(sql);
  };
  const commit = (): void => {
    try {
      exec('COMMIT');
    } catch (error) {
      within('ROLLBACK');
      throw error;
    }
  };
  const prepare = preparing(connection, guard);
  const texts = reading(connection, guard);
  return {
    exec,
    /**
     * For statements that write or give numbers. `R` is the tuple that the statement's columns make: here and
     * in `texts` stored rows get their type. Text is read by `texts`: libsql aborts the process on text that
     * is no UTF-8, which a damaged page holds.
     */
    prepare,
    /** Prepares a query that gives text. What is no UTF-8 is `StoreDamaged`. */
    texts,
    /** Reads JSON that was stored here; other bytes are `StoreDamaged`. */
    json: <T>(text: string): T => {
      try {
        return JSON.parse(text) as T;
      } catch {
        throw guard.damaged('it holds JSON that can’t be read');
      }
    },
    /** The error for damage that was found elsewhere: from now on nothing is written here. */
    damaged: guard.damaged,
    /** Throws damage that was found before. */
    refuseDamaged: (): void => guard.write(() => undefined),
    /** Runs `body` between BEGIN IMMEDIATE and COMMIT; rolls it back when it or the commit throws. */
    transaction: <T>(body: () => T): T => {
      begin();
      try {
        const result = body();
        exec('COMMIT');
        return result;
      } catch (error) {
        within('ROLLBACK');
        throw error;
      }
    },
    /** The same in two calls; `commit` rolls back when it throws. */
    begin,
    commit,
    isInTransaction: (): boolean => connection.inTransaction,
    /** Runs `body` as a part of the transaction: what it wrote is undone alone when it throws. */
    part: <T>(body: () => T): T => {
      exec('SAVEPOINT part');
      try {
        return body();
      } catch (error) {
        within('ROLLBACK TO part');
        throw error;
      } finally {
        within('RELEASE part');
      }
    },
    /** Checks the whole file, a large one in a child process. Throws `StoreDamaged`. */
    inspect: async (signal: AbortSignal): Promise<void> => {
      const isSmall = statSync(path).size <= SMALL_BYTES;
      const found = isSmall ? texts<[string]>(QUICK_CHECK)()[0]?.[0] : await inspectBeside(path, signal);
      if (found !== 'ok' && found !== null) throw guard.damaged(found ?? 'it can’t be read');
    },
    close: (): void => {
      guard.close();
      connection.close();
    },
  };
};

const preparing =
  (connection: Libsql.Database, guard: Guard) =>
  <R extends readonly unknown[]>(sql: string): Statement<R> => {
    const statement = guard.call(() => connection.prepare(sql));
    if (statement.reader) statement.raw(true);
    // Always one array: libsql takes a single null or buffer for a set of named values, and aborts.
    return {
      run: (...values) => guard.write(() => statement.run(values)),
      get: (...values) => guard.call(() => statement.get(values) as R | undefined),
      all: (...values) => guard.call(() => statement.all(values) as R[]),
    };
  };

const reading =
  (connection: Libsql.Database, guard: Guard) =>
  <R extends readonly string[]>(sql: string): Texts<R> => {
    const columns = guard.call(() => connection.prepare(sql)).columns().length;
    const statement = preparing(connection, guard)<[Uint8Array | null]>(asOneText(sql, columns));
    return (...values) => {
      const rows = rowsOf(statement.get(...values)?.[0] ?? null, columns);
      if (rows === null) throw guard.damaged('it holds text that is no UTF-8');
      return rows as readonly (readonly string[])[] as readonly R[];
    };
  };

// ASCII's unit separator: JSON escapes it, and no name holds it.
const SEPARATOR = '\x1f';

/**
 * SQL that gives all that `query` finds, in its order, as one blob that `rowsOf` takes apart. Beside being
 * safe from what libsql does with text that is no UTF-8, one blob costs less than a string for each value.
 */
const asOneText = (query: string, columns: number): string => {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`).join(', ');
  const format = `%s${SEPARATOR}`.repeat(columns);
  return `WITH found (${names}) AS (${query})
    SELECT CAST(group_concat(format('${format}', ${names}), '') AS BLOB) FROM found`;
};

/** The rows in such a blob (null: there are none), or null for another content. */
const rowsOf = (blob: Uint8Array | null, columns: number): readonly (readonly string[])[] | null => {
  if (blob === null) return [];
  if (!isUtf8(blob)) return null;
  const values = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength).toString().split(SEPARATOR);
  const count = (values.length - 1) / columns;
  if (!Number.isInteger(count)) return null;
  return Array.from({ length: count }, (_, row) => values.slice(row * columns, (row + 1) * columns));
};

const OPENING_MS = 5_000;

const connect = (path: string, options: DatabaseOptions): Libsql.Database => {
  const { synchronous, busyMs = 1_000, schema = '' } = options;
  makeFile(path);
  const connection = new Libsql(path, { timeout: OPENING_MS });
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; ${schema}`);
  connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
  return connection;
};

/**
 * What it holds is private: SQLite itself would let everybody read it, and gives the files beside it the same
 * rights. A file that is there is never opened here: to close it again would drop the locks of all
 * connections that this process has to it (so POSIX has it), and the next other process to close its own
 * would take itself for the last one and remove the log of what is not in the file yet.
 */
const makeFile = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    accessSync(path, constants.W_OK);
  }
};
