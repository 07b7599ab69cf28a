import './uvu.ts';
import { exec, suite as uvuSuite } from 'uvu';
import { rulesProvedBy } from './contractTable.ts';

type Body = () => void | Promise<void>;
type Options = Readonly<{ timeoutMs?: number }>;

/** Of a rule of docs/contract.md only the tests that prove it run; by default all. */
const onlyRule = process.env.TEST_RULE;

/** True in `npm run test:long`: run the full counts. */
export const long = process.env.TEST_LONG === '1';

/** `short` in `npm test`, `full` in `npm run test:long`. */
export const rounds = (short: number, full: number): number => (long ? full : short);

/** How a test file's outcome reaches test/run.ts. */
export type Outcome = Readonly<{
  passed: number;
  failed: number;
  skipped: readonly string[];
  notes: readonly string[];
  names: readonly string[];
}>;

const counts = {
  passed: 0,
  failed: 0,
  skipped: [] as string[],
  notes: [] as string[],
  names: [] as string[],
};

/** Something that the end of the run should tell though all passed, such as the seed of random cases. */
export const note = (text: string): void => void counts.notes.push(text);

/** A seed that is new in each run, unless SEED names it; the run's end tells it. */
export const drawSeed = (what: string): number => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  note(`${what}: SEED=${seed}`);
  return seed;
};
const runs: (() => void)[] = [];
const brokenAfter: Error[] = [];
const lastly: Body[] = [];
const condemned: Error[] = [];
let declared = 0;
let started = false;

/** Counts a failure that no test would notice by itself: one that happens beside it, or that it may swallow. */
export const condemn = (error: Error): void => void condemned.push(error);

/** Runs when all suites of this process have ended: for what they share. One that throws is counted as a failure. */
export const atEnd = (hook: Body): void => void lastly.push(hook);

/** On engines that are processes of their own all takes longer, and each probe costs more. */
const [patience, minPauseMs, maxPauseMs] = process.env.INTAKE_TEST_ENGINES ? [3, 20, 200] : [1, 5, 150];
/** Far more than any test takes by itself: the machine may have much else to do. What hangs is found all the same. */
const TEST_MS = 60_000;

/**
 * A uvu suite that runs by itself, limits each test's time (60 s unless told), and counts a throwing `before` as a
 * failure: plain uvu exits 0 there, and is silently green without `.run()`.
 */
export const suite = (name: string) => {
  const inner = uvuSuite(name);
  const broken: Error[] = [];
  let own = 0;
  if (started)
    throw new Error(`suite "${name}" was declared after the run began: no top-level await in tests`);
  runs.push(() => inner.run());
  const test = (title: string, body: Body, options: Options = {}): void => {
    if (onlyRule && !rulesProvedBy(`${name} › ${title}`).includes(onlyRule)) return;
    declared += 1;
    own += 1;
    inner(title, async () => {
      try {
        if (broken[0]) throw broken[0];
        await withTimeout(body, (options.timeoutMs ?? TEST_MS) * patience, title);
        counts.passed += 1;
        counts.names.push(`${name} › ${title}`);
      } catch (error) {
        counts.failed += 1;
        throw error;
      }
    });
  };
  return Object.assign(test, {
    before: (hook: Body): void => {
      inner.before(async () => {
        // Of a suite whose tests are all left out nothing is to be prepared, and nothing cleaned up.
        if (own === 0) return;
        try {
          await withTimeout(hook, 60_000 * patience, `${name}: before`);
        } catch (error) {
          broken.push(error as Error);
        }
      });
    },
    after: (hook: Body): void => {
      inner.after(async () => {
        if (own === 0) return;
        try {
          await withTimeout(hook, 60_000 * patience, `${name}: after`);
        } catch (error) {
          // After a broken before there may be nothing to clean up, and its own error says more.
          if (broken.length === 0) brokenAfter.push(error as Error);
        }
      });
    },
    /** Leaves a test out and says why; the reason is printed at the end of the run. */
    skip: (title: string, reason: string): void => {
      counts.skipped.push(`${name} › ${title}: ${reason}`);
    },
  });
};

const withTimeout = async (body: Body, ms: number, title: string): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`"${title}" took longer than ${ms} ms`)), ms);
  });
  try {
    await Promise.race([Promise.resolve(body()), late]);
  } finally {
    clearTimeout(timer);
  }
};

const report = (outcome: Outcome): void => {
  const code = outcome.failed > 0 ? 1 : 0;
  if (!process.send) process.exit(code);
  process.send(outcome, () => process.exit(code));
};

setImmediate(async () => {
  started = true;
  for (const run of runs) run();
  await exec();
  for (const hook of lastly)
    await withTimeout(hook, 60_000 * patience, 'the end of all').catch((error) => brokenAfter.push(error));
  const beside = [...brokenAfter, ...condemned];
  for (const error of beside) process.stderr.write(`${error.stack}\n`);
  report({ ...counts, failed: declared - counts.passed + beside.length });
});

/** Waits until `probe` gives something other than undefined, null or false; fails after `timeoutMs` with `what`. */
export const eventually = async <T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<NonNullable<T>> => {
  const start = performance.now();
  const end = start + timeoutMs * patience;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs * patience} ms in vain for: ${what}`);
    // Each probe, often a request, takes processor time from what is awaited: the longer it has taken, the fewer.
    const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, (performance.now() - start) / 6));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};
