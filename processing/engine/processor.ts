import { setMaxListeners } from 'node:events';
import type { VisualFingerprint } from '../../domain/fraud/pages.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';
import { linkTo } from '../../kernel/signals.ts';
import { TransientFailure } from '../errors.ts';
import type {
  Checked,
  Compared,
  Drawn,
  InputFile,
  NoPage,
  Outcome,
  Pages,
  ProcessingVersion,
  Timed,
  VersionFields,
} from '../types.ts';
import { type Child, type OnRead, startChild } from './childProcess.ts';
import { type Job, LIMITS, type Limits, type Results } from './messages.ts';

/**
 * Work on untrusted bytes: a fault of files or of an answer is an outcome. Each throws TransientFailure where
 * a later call may succeed, and the signal's reason.
 */
export type Processor = Readonly<ReturnType<typeof createProcessor>>;

const MAX_JOBS = 1_000;

type Files = readonly InputFile[];
type Prints = readonly VisualFingerprint[];
type Slot = { child: Child | null; jobs: number; idle: NodeJS.Timeout | null };

type Options = Partial<Limits & { concurrency: number; onRead: OnRead; idleMs: number }>;

/**
 * A processor with `concurrency` child processes (default 1), the only place where untrusted bytes are
 * opened. They start with the first job, are replaced when killed and after 1,000 jobs, and end after
 * `idleMs` without one (by default never).
 */
export const createProcessor = (
  options: Options = {},
  start: (limits: Limits, onRead: OnRead) => Child = startChild,
) => {
  const { concurrency = 1, onRead = () => undefined, idleMs, ...limits } = options;
  const slots = Array.from({ length: concurrency }, (): Slot => ({ child: null, jobs: 0, idle: null }));
  /** Used from the end, where those with a child are. */
  const free = [...slots];
  const permits = createSemaphore(concurrency);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one for each waiting job
  const open = (): Child => {
    closing.signal.throwIfAborted();
    return start({ ...LIMITS, ...limits }, onRead);
  };
  const acquire = async (signal: AbortSignal): Promise<Slot> => {
    const either = linkTo(signal, closing.signal);
    await permits.acquire(either.signal).finally(either.unlink);
    const slot = free.pop();
    if (!slot) throw new Error('no slot is free: there are as many as permits');
    if (slot.idle) clearTimeout(slot.idle);
    return slot;
  };
  const release = async (slot: Slot): Promise<void> => {
    slot.jobs += 1;
    if (slot.jobs >= MAX_JOBS || !slot.child?.alive()) await retire(slot);
    if (slot.child) free.push(slot);
    else free.unshift(slot);
    if (slot.child && idleMs !== undefined) slot.idle = setTimeout(() => void retire(slot), idleMs).unref();
    permits.release();
  };
  const perform = async <J extends Job>(job: J, signal: AbortSignal): Promise<Results[J['task']]> => {
    const slot = await acquire(signal);
    try {
      signal.throwIfAborted();
      return await runIn(slot, job, signal, open);
    } finally {
      await release(slot);
    }
  };
  return {
    /** Reads a submission's files and extracts the version's fields. */
    process: (version: ProcessingVersion, files: Files, signal: AbortSignal): Promise<Outcome> =>
      perform({ task: 'read', version, files }, signal),
    /** Checks that files are what they are declared to be, and of an accepted format. */
    check: (formats: readonly string[], files: Files, signal: AbortSignal): Promise<Outcome | Checked> =>
      perform({ task: 'check', acceptedFormats: formats, files }, signal),
    /** The outcome of an http extractor's answer. */
    judge: (wanted: VersionFields, answer: string, signal: AbortSignal): Promise<Outcome> =>
      perform({ task: 'judge', wanted, answer }, signal),
    /** Compares pages with those of other submissions: in a child process only to keep the API responsive. */
    compare: async (
      prints: Prints,
      others: readonly Prints[],
      signal: AbortSignal,
    ): Promise<Omit<Compared, 'kind'>> => {
      const result = await perform({ task: 'compare', prints, others }, signal);
      if (result.kind === 'compared') return result;
      // It reached a limit, which is no fault of the submission.
      return { similar: others.map(() => []), skipped: prints.length * others.flat().length };
    },
    /** The pages of a file, for people. */
    list: (file: InputFile, signal: AbortSignal): Promise<Outcome | Pages> =>
      perform({ task: 'list', file }, signal),
    /** A page (from 1) of a file, for people: a picture of at most `width` pixels across, or its text. */
    draw: (
      file: InputFile,
      page: number,
      width: number,
      signal: AbortSignal,
    ): Promise<Outcome | Drawn | NoPage> => perform({ task: 'draw', file, page, width }, signal),
    /** Reads the first page of a file with the models alone, and times it. */
    time: (file: InputFile, signal: AbortSignal): Promise<Outcome | Timed> =>
      perform({ task: 'time', file }, signal),
    /** Ends every child process; jobs in progress throw TransientFailure. */
    close: async (): Promise<void> => {
      closing.abort(new TransientFailure('processing is closing'));
      await Promise.all(slots.map(retire));
    },
  };
};

/**
 * Runs a job in a slot's child. One that ends a used child runs again in a fresh one, since earlier jobs
 * leave memory in use; time is counted by job.
 */
const runIn = async <J extends Job>(
  slot: Slot,
  job: J,
  signal: AbortSignal,
  start: () => Child,
): Promise<Results[J['task']]> => {
  if (!slot.child?.alive()) await retire(slot);
  slot.child ??= start();
  const { child } = slot;
  const result = await child.run(job, signal);
  if (child.alive() || slot.jobs === 0 || child.tookTooLong()) return result as Results[J['task']];
  await retire(slot);
  return runIn(slot, job, signal, start);
};

const retire = async (slot: Slot): Promise<void> => {
  const { child, idle } = slot;
  if (idle) clearTimeout(idle);
  slot.child = null;
  slot.jobs = 0;
  await child?.stop();
};
