import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreDamaged, StoreUnavailable } from '../../kernel/errors.ts';

export type Guard = ReturnType<typeof createGuard>;

/**
 * Wraps every call to a connection to the file at `path`, and remembers the first damage that any of them
 * found; `remedy` is part of the error of its damage.
 */
export const createGuard = (path: string, remedy: string) => {
  let damage: StoreDamaged | null = null;
  let isOpen = true;
  /**
   * Runs what only reads, or ends a transaction. Throws `StoreUnavailable` once the connection is closed, and
   * what `translated` makes of a failure.
   */
  const call = <T>(body: () => T): T => {
    if (!isOpen) throw new StoreUnavailable(`${path} has been closed`);
    try {
      return body();
    } catch (thrown) {
      const error = translated(thrown, path, remedy);
      if (error instanceof StoreDamaged) damage ??= error;
      throw error;
    }
  };
  return {
    call,
    /** Likewise for what writes. Throws damage that was found before: a damaged file is not written to. */
    write: <T>(body: () => T): T => {
      if (damage) throw damage;
      return call(body);
    },
    /** The error for damage that libsql does not detect; from now on nothing is written. */
    damaged: (reason: string): StoreDamaged => {
      damage ??= new StoreDamaged(path, reason, remedy);
      return damage;
    },
    /** Refuses every further call: libsql's statements outlive their connection. */
    close: (): void => {
      isOpen = false;
    },
  };
};

/** Whether another connection holds the write lock: nothing was written, a retry may succeed. */
export const isBusy = (error: unknown): boolean =>
  error instanceof StoreUnavailable && primaryCode(error.cause) === BUSY;

/**
 * The error that callers get for what libsql or the system threw about the file at `path`: `StoreDamaged`
 * with the `remedy`, `StoreUnavailable` for what may pass, else the error itself.
 */
const translated = (error: unknown, path: string, remedy: string): unknown => {
  if (error instanceof StoreUnavailable) return error;
  const code = primaryCode(error);
  if (DAMAGED.has(code)) return new StoreDamaged(path, text(error), remedy, { cause: error });
  const passing = PASSING.has(code) || isOfSystem(error) || text(error).includes('Unable to open connection');
  if (!passing) return error;
  return new StoreUnavailable(`${path}: ${text(error)}${code === BUSY ? '' : hint(error, path)}`, {
    cause: error,
  });
};

// Of SQLite's primary result codes: READONLY, IOERR, FULL and CANTOPEN, beside BUSY; then CORRUPT and NOTADB.
const BUSY = 5;
const PASSING = new Set([BUSY, 8, 10, 13, 14]);
const DAMAGED = new Set([11, 26]);

const hint = (error: unknown, path: string): string => {
  if (error instanceof Error && 'code' in error && error.code === 'EACCES')
    return ` (this runs as the user with the id ${process.getuid?.()}: give that user the file)`;
  // SQLite reports "disk I/O error" for a full disk where it can't extend the file that its processes share.
  return isFull(dirname(path)) ? `: the disk that holds ${dirname(path)} is full, free space on it` : '';
};

/** Less than this does not suffice for a page and its log. */
const MIN_FREE_BYTES = 65_536;

const isFull = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < MIN_FREE_BYTES;
  } catch {
    return false; // the failure itself is reported all the same
  }
};

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** libsql's errors bear SQLite's extended code, whose lowest byte is the primary one. */
export const primaryCode = (error: unknown): number =>
  error instanceof Error && 'rawCode' in error && typeof error.rawCode === 'number'
    ? error.rawCode & 0xff
    : 0;

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));
