import './uvu.ts';
import { exec, suite as uvuSuite } from 'uvu';
import { rulesProvedBy } from './runner/contractTable.ts';
import { maxPauseMs, minPauseMs, patience, TEST_MS, WAIT_MS } from './runner/patience.ts';
import { newQueue } from './uvu.ts';

type Body = () => void | Promise<void>;
type Options = Readonly<{ timeoutMs?: number }>;

/** Of a rule of docs/contract.md only the tests that prove it run; by default all. */
const onlyRule = process.env.TEST_RULE;

/** True in `npm run test:all`: run the full counts. */
export const long = process.env.TEST_LONG === '1';

/** `short` in `npm test`, `full` in `npm run test:all`. */
export const rounds = (short: number, full: number): number => (long ? full : short);

/** How the tests of a file have ended; `failures` are their names, `names` those of the tests that passed. */
export type Outcome = Readonly<{
  passed: number;
  failed: number;
  failures: readonly string[];
  skipped: readonly string[];
  notes: readonly string[];
  names: readonly string[];
}>;

const noCounts = () => ({
  passed: 0,
  failed: 0,
  failures: [] as string[],
  skipped: [] as string[],
  notes: [] as string[],
  names: [] as string[],
});
let counts = noCounts();

/** Something that the end of the run should tell though all passed, such as the seed of random cases. */
export const note = (text: string): void => void counts.notes.push(text);

/** A seed that is new in each run, unless SEED names it; the run's end tells it. */
export const drawSeed = (what: string): number => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  note(`${what}: SEED=${seed}`);
  return seed;
};

/**
 * Fails where something took longer than `boundMs`, which slower machines have more of (TEST_PATIENCE). For
 * rules that are such a bound: all else waits for a condition.
 */
export const tookAtMost = (boundMs: number, tookMs: number): void => {
  if (tookMs > boundMs * patience)
    throw new Error(`it took ${Math.round(tookMs)} ms, and at most ${boundMs * patience} ms are allowed`);
};
const runs: (() => void)[] = [];
const lastly: Body[] = [];
/** Failures beside the tests. */
const beside: Error[] = [];
let declared = 0;
let started = false;
let hasRunner = false;

/**
 * Counts a failure that no test would notice by itself: one that happens beside it, or that it may swallow.
 */
export const condemn = (error: Error): void => void beside.push(error);

/**
 * Runs when all suites of this process have ended: for what they share. One that throws is counted as a
 * failure.
 */
export const atEnd = (hook: Body): void => void lastly.push(hook);

/**
 * A uvu suite that runs by itself, limits each test's time (180 s, or `timeoutMs` where that is longer), and
 * counts a throwing `before` as a failure: plain uvu exits 0 there, and is silently green without `.run()`.
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
        await withTimeout(body, Math.max(TEST_MS, (options.timeoutMs ?? 0) * patience), title);
        counts.passed += 1;
        counts.names.push(`${name} › ${title}`);
      } catch (error) {
        counts.failures.push(`${name} › ${title}`);
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
          await withTimeout(hook, TEST_MS, `${name}: before`);
        } catch (error) {
          broken.push(error as Error);
        }
      });
    },
    after: (hook: Body): void => {
      inner.after(async () => {
        if (own === 0) return;
        try {
          await withTimeout(hook, TEST_MS, `${name}: after`);
        } catch (error) {
          // After a broken before there may be nothing to clean up, and its own error says more.
          if (broken.length === 0) beside.push(error as Error);
        }
      });
    },
    /** A test of much processor time, which proves no rule alone: of the long half. */
    long: (title: string, body: Body, options: Options = {}): void =>
      long
        ? test(title, body, options)
        : void counts.skipped.push(`${name} › ${title}: npm run test:all does it`),
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

/**
 * Called first by a process that runs one file after the other: it calls `runDeclared` and `runLastly`
 * itself.
 */
export const ledByRunner = (): void => {
  hasRunner = true;
};

/** Runs the suites that have been declared since the last call, and gives their outcome. */
export const runDeclared = async (): Promise<Outcome> => {
  started = true;
  for (const run of runs.splice(0)) run();
  await exec();
  newQueue();
  const outcome = outcomeOf(declared - counts.passed);
  declared = 0;
  counts = noCounts();
  started = false;
  return outcome;
};

/** Runs what was left to the end of the process, and gives what failed in it. */
export const runLastly = async (): Promise<Outcome> => {
  for (const hook of lastly.splice(0))
    await withTimeout(hook, TEST_MS, 'the end of all').catch((error) => beside.push(error));
  return outcomeOf(0);
};

const outcomeOf = (failedTests: number): Outcome => {
  const faults = beside.splice(0);
  for (const { stack } of faults) process.stderr.write(`${stack}\n`);
  const failures = [...counts.failures, ...faults.map(({ message }) => `beside the tests: ${message}`)];
  return { ...counts, failures, failed: failedTests + faults.length };
};

/** A test file that is started by itself, as the mutants do, has no runner. */
setImmediate(async () => {
  if (hasRunner) return;
  const outcome = await runDeclared();
  const end = await runLastly();
  const failed = outcome.failed + end.failed;
  const code = failed > 0 ? 1 : 0;
  if (!process.send) process.exit(code);
  process.send({ ...outcome, failed }, () => process.exit(code));
});

/**
 * Waits until `probe` gives something other than undefined, null or false; fails with `what` after 60 s, or
 * after `timeoutMs` where that is longer.
 */
export const eventually = async <T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMs = 0,
): Promise<NonNullable<T>> => {
  const limitMs = Math.max(WAIT_MS, timeoutMs * patience);
  const start = performance.now();
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > start + limitMs) throw new Error(`waited ${limitMs} ms in vain for: ${what}`);
    // Each probe, often a request, takes processor time from what is awaited: the longer it has taken, the
    // fewer.
    const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, (performance.now() - start) / 6));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};
