import { setMaxListeners } from 'node:events';
import type { VisualFingerprint } from '../../domain/fraud/pages.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';
import { linkTo } from '../../kernel/signals.ts';
import { TransientFailure } from '../errors.ts';
import type { Checked, Compared, InputFile, Outcome, ProcessingVersion, Wanted } from '../types.ts';
import { type Child, type Limits, type OnSpent, startChild } from './childProcess.ts';
import type { Ended, Job } from './messages.ts';

/** What is wrong with files or an answer is an outcome. Each throws TransientFailure when it could not be done now (try again later), and the signal's reason when aborted. */
export type Processor = Readonly<{
  /** Reads a submission's files and extracts the version's fields. */
  process(version: ProcessingVersion, files: readonly InputFile[], signal: AbortSignal): Promise<Outcome>;
  /** Looks whether files are what they say and of an accepted format. */
  check(
    acceptedFormats: readonly string[],
    files: readonly InputFile[],
    signal: AbortSignal,
  ): Promise<Outcome | Checked>;
  /** Makes an outcome of what an extractor elsewhere answered. */
  judge(wanted: Wanted, answer: string, signal: AbortSignal): Promise<Outcome>;
  /**
   * Which pages of others, each a submission's, are alike to these, as far as that can be told at the cost that a check may have. No stranger's bytes are opened for
   * it, but the API is not to wait for it.
   */
  compare(
    prints: readonly VisualFingerprint[],
    others: readonly (readonly VisualFingerprint[])[],
    signal: AbortSignal,
  ): Promise<Omit<Compared, 'kind'>>;
  /** Ends every child process; what is under way throws TransientFailure. */
  close(): Promise<void>;
}>;

/** What a document may take unless told otherwise (docs/workflows.md). */
export const LIMITS: Limits = {
  stepCpuMs: 10_000,
  otherCpuMs: 12_000,
  silenceMs: 60_000,
  memoryBytes: 512 * 1_024 * 1_024,
};
const JOBS_A_CHILD = 200;

type Slot = { child: Child | null; jobs: number; busy: boolean };

/**
 * A processor whose child processes (`concurrency`, one unless told) are the only place where strangers'
 * bytes are opened; `onSpent` hears what went into each step of a reading. They start with the first job, and are replaced when killed and after 200 jobs.
 */
export const createProcessor = (
  options: Partial<Limits & { concurrency: number; onSpent: OnSpent }> = {},
  start: (limits: Limits, onSpent: OnSpent) => Child = startChild,
): Processor => {
  const { concurrency = 1, onSpent = () => undefined, ...limits } = options;
  const slots: Slot[] = Array.from({ length: concurrency }, () => ({ child: null, jobs: 0, busy: false }));
  const permits = createSemaphore(concurrency);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // each job that waits listens
  const open = (): Child => {
    closing.signal.throwIfAborted();
    return start({ ...LIMITS, ...limits }, onSpent);
  };
  const take = async (signal: AbortSignal): Promise<Slot> => {
    const either = linkTo(signal, closing.signal);
    await permits.acquire(either.signal).finally(either.unlink);
    const free = slots.find(({ busy, child }) => !busy && child) ?? slots.find(({ busy }) => !busy);
    if (!free) throw new Error('there are as many slots as permits');
    return Object.assign(free, { busy: true });
  };
  const give = async (slot: Slot): Promise<void> => {
    slot.jobs += 1;
    if (slot.jobs >= JOBS_A_CHILD || !slot.child?.alive()) await retire(slot);
    slot.busy = false;
    permits.release();
  };
  const perform = async (job: Job, signal: AbortSignal): Promise<Ended> => {
    const slot = await take(signal);
    try {
      signal.throwIfAborted();
      return await runIn(slot, job, signal, open);
    } finally {
      await give(slot);
    }
  };
  return {
    process: async (version, files, signal) =>
      outcomeOf(await perform({ task: 'read', version, files }, signal)),
    check: async (acceptedFormats, files, signal) => {
      const ended = await perform({ task: 'check', acceptedFormats, files }, signal);
      return ended.kind === 'checked' ? ended : outcomeOf(ended);
    },
    judge: async (wanted, answer, signal) =>
      outcomeOf(await perform({ task: 'judge', wanted, answer }, signal)),
    compare: async (prints, others, signal) => {
      const ended = await perform({ task: 'compare', prints, others }, signal);
      if (ended.kind === 'compared') return ended;
      // It reached a limit, which is no fault of the submission.
      return { similar: others.map(() => []), skipped: prints.length * others.flat().length };
    },
    close: async () => {
      closing.abort(new TransientFailure('processing is closing'));
      await Promise.all(slots.map(retire));
    },
  };
};

/** Runs a job in a slot's child. One that ends a used child is judged in a fresh one, since earlier jobs leave memory taken; but time is counted by the job. */
const runIn = async (slot: Slot, job: Job, signal: AbortSignal, start: () => Child): Promise<Ended> => {
  if (!slot.child?.alive()) await retire(slot);
  slot.child ??= start();
  const { child } = slot;
  const outcome = await child.run(job, signal);
  if (child.alive() || slot.jobs === 0 || child.tookTooLong()) return outcome;
  await retire(slot);
  return runIn(slot, job, signal, start);
};

const outcomeOf = (ended: Ended): Outcome => {
  if (ended.kind === 'checked' || ended.kind === 'compared')
    throw new Error('files were looked at that should have been read');
  return ended;
};

const retire = async (slot: Slot): Promise<void> => {
  const { child } = slot;
  slot.child = null;
  slot.jobs = 0;
  await child?.stop();
};
