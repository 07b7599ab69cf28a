import { notNow } from './failures.ts';

/** Places to take and to give back. `take` waits its turn, `patienceMs` at most; then it throws `StoreUnavailable`. */
export type Slots = Readonly<{ take(patienceMs: number): Promise<void>; give(): void }>;

/** Places of which `count` can be taken at once. */
export const createSlots = (count: number): Slots => {
  const waiting = new Set<() => void>();
  let free = count;
  return {
    take: (patienceMs) => {
      if (free > 0) {
        free -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const turn = (): void => {
          clearTimeout(late);
          resolve();
        };
        const late = setTimeout(() => {
          waiting.delete(turn);
          reject(notNow('too many appends wait for an answer'));
        }, patienceMs);
        waiting.add(turn);
      });
    },
    give: () => {
      const [next] = waiting;
      if (!next) free += 1;
      else {
        waiting.delete(next);
        next();
      }
    },
  };
};
