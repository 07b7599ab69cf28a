import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { maxPauseMs, patience } from './patience.ts';

/** A process that a test file has started; `file` is null where its environment does not say which. */
type Left = Readonly<{ pid: number; file: string | null; command: string }>;

/** What has its parent's end to end by is given so long. */
const ENDING_MS = 1_000 * patience;

/**
 * Ends the processes that have `TEST_MARK` with this value in their environment, and gives those that had not
 * ended by themselves within a second. Only Linux tells the environments; elsewhere there are none.
 */
export const endLeft = async (mark: string): Promise<readonly Left[]> => {
  const until = performance.now() + ENDING_MS;
  while (leftOf(mark).length > 0 && performance.now() < until) await sleep(maxPauseMs);
  return killLeft(mark);
};

/** The same at once. */
export const killLeft = (mark: string): readonly Left[] => {
  const left = leftOf(mark);
  for (const { pid } of left) unlessGone(() => process.kill(pid, 'SIGKILL'), undefined);
  return left;
};

const leftOf = (mark: string): readonly Left[] =>
  unlessGone(() => readdirSync('/proc'), [])
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const environment = listOf(`/proc/${pid}/environ`);
      if (!environment.includes(`TEST_MARK=${mark}`)) return [];
      const file = environment.find((entry) => entry.startsWith(FILE))?.slice(FILE.length) ?? null;
      return [{ pid: Number(pid), file, command: listOf(`/proc/${pid}/cmdline`).join(' ') }];
    });

const FILE = 'TEST_FILE=';

const listOf = (path: string): readonly string[] =>
  unlessGone(() => readFileSync(path, 'utf8'), '')
    .split('\0')
    .filter(Boolean);

/** A process may have ended, or be another user's. */
const unlessGone = <T>(look: () => T, otherwise: T): T => {
  try {
    return look();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return otherwise;
    throw error;
  }
};
