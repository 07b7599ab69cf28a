import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type IntakeClient } from '../../client/index.ts';
import type { Settings } from '../demo/intake.ts';
import { print } from '../named.ts';
import { inReview, reviewed } from './inReview.ts';
import { admitted, folderOf, whileServed } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'a clock that is set while a service runs: what falls due afterwards, and how long nobody is answered';

const SLUG = 'clock-trial';
const TERMS = { SWEEP: '1s', SESSION_TTL: '2s', BATCH_GRACE: '1s' };
const STEPS = [
  ['not set', 0],
  ['back by an hour', -3_600_000],
  ['ahead by two days', 2 * 86_400_000],
] as const;
/** A session's two seconds, a sweep, and two for the machine. */
const DUE_GOAL_MS = 5_000;
const PAUSE_GOAL_MS = 1_000;
const PATIENCE_MS = 40_000;
/** Until a sweep must have been due after the step. */
const WATCHED_MS = 4_000;

/**
 * Sets the clock of a served process and opens a session and a batch right after: when does one expire, the
 * other complete? True when both come within a sweep of their time, and the longest wait for an answer stays
 * under a second.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const folder = folderOf(options);
  try {
    const { key } = await admitted(folder.settings, folder.path, reviewed(SLUG));
    print(`${'the clock is'.padEnd(24)}${['expires', 'completes', 'silence'].map(cell).join('')}`);
    let isReached = true;
    for (const [name, byMs] of STEPS) {
      const taken = await step(folder.settings, folder.path, key, byMs);
      print(`${name.padEnd(24)}${[taken.expired, taken.completed, taken.pause].map(cell).join('')}`);
      isReached &&=
        taken.expired <= DUE_GOAL_MS && taken.completed <= DUE_GOAL_MS && taken.pause < PAUSE_GOAL_MS;
    }
    print(
      `milliseconds; goals ${DUE_GOAL_MS}, ${DUE_GOAL_MS} and under ${PAUSE_GOAL_MS}: ${isReached ? 'reached' : 'MISSED'}`,
    );
    return isReached;
  } finally {
    folder.remove();
  }
};

/** Milliseconds; `Infinity` for what did not come in time. */
type Taken = Readonly<{ expired: number; completed: number; pause: number }>;

let steps = 0;

const step = async (settings: Settings, path: string, key: string, byMs: number): Promise<Taken> => {
  const clock = join(path, 'trial.clock');
  const hook = new URL('./setClock.js', import.meta.url).href;
  const own = { ...settings, ...TERMS, TRIAL_CLOCK: clock, NODE_OPTIONS: `--import=${hook}` };
  return whileServed(own, async ({ url }) => {
    await sleep(1_000);
    // Renamed into place: it is never read in part.
    writeFileSync(`${clock}.draft`, String(byMs));
    renameSync(`${clock}.draft`, clock);
    while (existsSync(clock)) await sleep(10);
    steps += 1;
    const over = AbortSignal.timeout(WATCHED_MS);
    const [taken, pause] = await Promise.all([
      due(createClient({ url, key }), `batch-${steps}`),
      silence(url, over),
    ]);
    return { ...taken, pause };
  });
};

/** The longest time that a request waited for its answer, until the signal is aborted. */
const silence = async (url: string, over: AbortSignal): Promise<number> => {
  let longest = 0;
  while (!over.aborted) {
    const started = performance.now();
    await (await fetch(`${url}/health/live`)).text();
    longest = Math.max(longest, performance.now() - started);
    await sleep(20);
  }
  return Math.round(longest);
};

const due = async (intake: IntakeClient, batchRef: string): Promise<Omit<Taken, 'pause'>> => {
  const { sessionId } = await intake.post('/api/v1/workflows/{slug}/sessions', { path: { slug: SLUG } });
  const expiring = until(async () => {
    const { state } = await intake.get('/api/v1/jobs/{sessionId}', { path: { sessionId } });
    return state === 'expired';
  });
  const completing = inReview(intake, SLUG, { batchRef }).then(() =>
    until(async () => {
      const { status } = await intake.get('/api/v1/batches/{batchRef}', { path: { batchRef } });
      return status === 'completed';
    }),
  );
  return { expired: await expiring, completed: await completing };
};

const until = async (isDone: () => Promise<boolean>): Promise<number> => {
  const started = performance.now();
  while (!(await isDone())) {
    if (performance.now() - started > PATIENCE_MS) return Number.POSITIVE_INFINITY;
    await sleep(50);
  }
  return Math.round(performance.now() - started);
};

const cell = (value: string | number): string =>
  (value === Number.POSITIVE_INFINITY ? 'never' : String(value)).padStart(12);
