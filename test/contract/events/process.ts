import { sqliteEventStore } from '../../../stores/events/sqlite.ts';
import { numbered, storedEvent } from './controls.ts';

/**
 * A child process of the tests, which opens the log at once and works when told. `race` tries every revision
 * of one stream once, `mark` appends the time of each append, `fill` goes on appending 100 KB, also after a
 * failure, until its disk is given back.
 */
export type Task = Readonly<{ kind: 'race' | 'mark' | 'fill'; stream: string; count: number }>;

/**
 * What the child reports: how many appends were stored, refused by revision, and failed as StoreUnavailable.
 */
export type Score = Readonly<{ stored: number; refused: number; unavailable: number }>;

const store = sqliteEventStore({ path: process.argv[2] ?? '' });

const work = async ({ kind, stream, count }: Task): Promise<Score> => {
  const score = { stored: 0, refused: 0, unavailable: 0 };
  for (let n = 0; score.stored < count && (kind !== 'race' || n < count); n += 1) {
    const next = kind === 'race' ? n : score.stored;
    const events = kind === 'race' ? numbered(2, n) : [eventOf(kind)];
    const last = kind === 'race' ? 2 * next - 1 : next - 1;
    const error = await store.append(stream, next === 0 ? 'none' : last, events).then(
      () => null,
      (reason: Error) => reason,
    );
    if (error === null) score.stored += 1;
    else if (error.name === 'WrongExpectedRevision') score.refused += 1;
    else if (error.name === 'StoreUnavailable') score.unavailable += 1;
    else throw error;
    if (kind !== 'race') process.send?.({ ...score });
    if (kind !== 'race') await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return score;
};

const eventOf = (kind: Task['kind']) =>
  kind === 'mark' ? storedEvent({ at: Date.now() }) : storedEvent({ filling: 'x'.repeat(100_000) });

// A listener makes a write beyond the limit an error (EFBIG) rather than the end of the process.
process.on('SIGXFSZ', () => undefined);
process.on('message', async (task: Task) => {
  process.send?.({ done: await work(task) });
  await store.close();
  process.disconnect();
});
process.send?.('ready');
