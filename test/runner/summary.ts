import { execFileSync } from 'node:child_process';

/** What a file's run has cost. */
export type Cost = Readonly<{ file: string; seconds: number; processorSeconds: number }>;

/**
 * What is known of a run of tests when it has ended; written to `dist/test-run.json` where all tests of `npm
 * test` ran.
 */
export type Summary = Readonly<{
  /** The commit that was checked out; null without git. */
  commit: string | null;
  /** Whether nothing else than that commit was there. */
  clean: boolean | null;
  passed: number;
  failed: number;
  skipped: number;
  /** `FILE › TEST`: tests that failed, and passed when their file ran once more. */
  unsteady: readonly string[];
  seconds: number;
  processorSeconds: number;
  /** What took more processor time than it should. */
  overBudget: readonly string[];
  slowest: readonly Cost[];
}>;

/** In seconds of processor time: of a whole run of `npm test`, and of one file in it. */
const BUDGET = { all: 200, file: 10 };

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Of a run the files that took the longest, and what is over the budget. */
export const costsOf = (
  costs: readonly Cost[],
  seconds: number,
  processorSeconds: number,
): Pick<Summary, 'seconds' | 'processorSeconds' | 'overBudget' | 'slowest'> => ({
  seconds: rounded(seconds),
  processorSeconds: rounded(processorSeconds),
  overBudget: [
    ...(processorSeconds > BUDGET.all
      ? [`all tests: ${processorSeconds.toFixed(0)} s of ${BUDGET.all} s of processor time`]
      : []),
    ...costs
      .filter((cost) => cost.processorSeconds > BUDGET.file)
      .map(
        (cost) => `${cost.file}: ${cost.processorSeconds.toFixed(1)} s of ${BUDGET.file} s of processor time`,
      ),
  ],
  slowest: [...costs]
    .sort((a, b) => b.processorSeconds - a.processorSeconds)
    .slice(0, 10)
    .map((cost) => ({
      file: cost.file,
      seconds: rounded(cost.seconds),
      processorSeconds: rounded(cost.processorSeconds),
    })),
});

const git = (...args: readonly string[]): string | null => {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    // Without git, or outside of a clone, nothing is known of a commit.
    return null;
  }
};

/** What the tests have run on. */
export const checkedOut = (): Pick<Summary, 'commit' | 'clean'> => {
  const changes = git('status', '--porcelain');
  return { commit: git('rev-parse', 'HEAD'), clean: changes === null ? null : changes === '' };
};

/** Where the time went, in one line. */
export const timeLine = ({ seconds, processorSeconds, slowest }: Summary): string =>
  `${seconds.toFixed(0)} s, ${processorSeconds.toFixed(0)} s of processor time; most of it in ${slowest
    .slice(0, 5)
    .map((cost) => `${cost.file.replace('dist/test/', '')} ${cost.processorSeconds} s`)
    .join(', ')}`;
