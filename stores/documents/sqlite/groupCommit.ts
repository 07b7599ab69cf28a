import type { Database } from '../../sqlite/database.ts';

type Waiting = Readonly<{ run(): () => void; fail(error: unknown): void }>;

/**
 * Commits the changes of all callers of one turn of the event loop together: making a commit durable costs the same for
 * one change as for a hundred. Each resolves with what it returned, once that is durable, or fails with the commit.
 * A change must not throw because of what its own caller gave: the others' would be undone with it.
 */
export const groupCommit = (database: Database) => {
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    try {
      for (const settle of database.transaction(() => group.map(({ run }) => run()))) settle();
    } catch (error) {
      for (const { fail } of group) fail(error);
    }
  };
  return <T>(change: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = (): (() => void) => {
        const result = change();
        return () => resolve(result);
      };
      if (waiting.push({ run, fail: reject }) === 1) setImmediate(flush);
    });
};
