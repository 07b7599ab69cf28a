import { accessSync, closeSync, constants, openSync } from 'node:fs';
import Libsql from 'libsql';
import { StoreDamaged, StoreUnavailable } from '../errors.ts';

/** What a column can hold. No booleans: libsql aborts the whole process on one. Text ends at a NUL when read back. */
export type Value = string | number | bigint | Uint8Array | null;

/** A prepared statement. Rows are tuples in the order of the columns (libsql adds a `_metadata` member to row objects). */
export type Statement<R extends readonly unknown[]> = Readonly<{
  run(...values: readonly Value[]): Readonly<{ changes: number; lastInsertRowid: number | bigint }>;
  get(...values: readonly Value[]): R | undefined;
  all(...values: readonly Value[]): readonly R[];
}>;

/** One connection. Everything on it is synchronous and throws `StoreUnavailable` when the file can't be used now, `StoreDamaged` when it never can. */
export type Database = Readonly<{
  exec(sql: string): void;
  /** `R` is the tuple that the statement's columns make: the one place where stored rows get their type. */
  prepare<R extends readonly unknown[]>(sql: string): Statement<R>;
  /** Runs `body` between BEGIN IMMEDIATE and COMMIT; rolls back what it did when it or the commit throws. */
  transaction<T>(body: () => T): T;
  close(): void;
}>;

/**
 * `synchronous`: FULL makes every commit durable, NORMAL only each checkpoint. `busyMs`: how long a call blocks for another
 * writer's lock (1,000 unless told). `schema` is run on opening, which itself waits for 5 s. `remedy`: what to do about a damaged
 * file (to restore it from a backup, unless told).
 */
export type DatabaseOptions = Readonly<{
  synchronous: 'FULL' | 'NORMAL';
  busyMs?: number;
  schema?: string;
  remedy?: string;
}>;

/**
 * Opens (or makes, for its owner alone) the SQLite file at `path` in WAL mode. Throws `StoreUnavailable` when it can't be opened
 * for writing, `StoreDamaged` when it is no whole database.
 */
export const openDatabase = (path: string, options: DatabaseOptions): Database => {
  const { remedy = 'stop the service and restore the file from a backup' } = options;
  const guarded = <T>(body: () => T): T => {
    try {
      return body();
    } catch (error) {
      throw translated(error, path, remedy);
    }
  };
  const connection = guarded(() => connect(path, options));
  let open = true;
  const call = <T>(body: () => T): T => {
    // libsql's statements outlive the connection that made them, and would go on reading and writing
    if (!open) throw new StoreUnavailable(`${path} has been closed`);
    return guarded(body);
  };
  const exec = (sql: string): void => call(() => void connection.exec(sql));
  return {
    exec,
    prepare: <R extends readonly unknown[]>(sql: string): Statement<R> => {
      const statement = call(() => connection.prepare(sql));
      if (statement.reader) statement.raw(true);
      // Always one array: libsql takes a single null or buffer for a set of named values, and aborts.
      return {
        run: (...values) => call(() => statement.run(values)),
        get: (...values) => call(() => statement.get(values) as R | undefined),
        all: (...values) => call(() => statement.all(values) as R[]),
      };
    },
    transaction: (body) => {
      exec('BEGIN IMMEDIATE');
      try {
        const result = body();
        exec('COMMIT');
        return result;
      } catch (error) {
        if (connection.inTransaction) exec('ROLLBACK'); // a full disk has already rolled it back
        throw error;
      }
    },
    close: () => {
      open = false;
      connection.close();
    },
  };
};

/** Whether a failure only says that another connection holds the write lock: nothing was written, try again soon. */
export const isBusy = (error: unknown): boolean =>
  error instanceof StoreUnavailable && primaryCode(error.cause) === BUSY;

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
 * What it holds is private: SQLite itself would let everybody read it, and gives the files beside it the same rights. A file that is there
 * is never opened here: to close it again would drop the locks of all connections that this process has to it (so POSIX has it), and the
 * next other process to close its own would take itself for the last one and remove the log of what is not in the file yet.
 */
const makeFile = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    accessSync(path, constants.W_OK);
  }
};

const translated = (error: unknown, path: string, remedy: string): unknown => {
  const code = primaryCode(error);
  if (DAMAGED.has(code)) {
    const message = `${path} is damaged (${text(error)}): ${remedy}`;
    return new StoreDamaged(message, { cause: error });
  }
  const passing = PASSING.has(code) || isOfSystem(error) || text(error).includes('Unable to open connection');
  return passing ? new StoreUnavailable(`${path}: ${text(error)}`, { cause: error }) : error;
};

// Of SQLite's primary result codes: READONLY, IOERR, FULL and CANTOPEN, beside BUSY; then CORRUPT and NOTADB.
const BUSY = 5;
const PASSING = new Set([BUSY, 8, 10, 13, 14]);
const DAMAGED = new Set([11, 26]);

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

const primaryCode = (error: unknown): number =>
  error instanceof Libsql.SqliteError ? (error.rawCode ?? 0) & 0xff : 0;

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));
