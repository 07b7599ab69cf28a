import { StoreDamaged, StoreUnavailable } from '../../kernel/errors.ts';
import { translated } from './failures.ts';

/** Wraps every call to a connection, and remembers the first damage that any of them found. */
export type Guard = Readonly<{
  /**
   * Runs what only reads, or ends a transaction. Throws `StoreUnavailable` once the connection is closed, and
   * what `translated` makes of a failure.
   */
  call<T>(body: () => T): T;
  /** Likewise for what writes. Throws the damage that was found before: a damaged file is not written to. */
  write<T>(body: () => T): T;
  /** The error for damage that libsql does not detect; from now on nothing is written. */
  damaged(reason: string): StoreDamaged;
  /** Refuses every further call: libsql's statements outlive their connection. */
  close(): void;
}>;

/** A guard of the file at `path`; `remedy` is part of the error of its damage. */
export const createGuard = (path: string, remedy: string): Guard => {
  let damage: StoreDamaged | null = null;
  let open = true;
  const call = <T>(body: () => T): T => {
    if (!open) throw new StoreUnavailable(`${path} has been closed`);
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
    write: (body) => {
      if (damage) throw damage;
      return call(body);
    },
    damaged: (reason) => {
      damage ??= new StoreDamaged(path, reason, remedy);
      return damage;
    },
    close: () => {
      open = false;
    },
  };
};
