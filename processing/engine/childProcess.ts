import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { TransientFailure } from '../errors.ts';
import {
  type ChildLimits,
  type Ended,
  type Job,
  MEMORY_SIGNAL,
  type Report,
  TIME_SIGNAL,
} from './messages.ts';
import { createStopwatch, type Spent } from './stopwatch.ts';

export type Limits = ChildLimits &
  Readonly<{
    /** How long a child may report nothing before it is given up, in ms: a passing failure. */
    silenceMs: number;
  }>;

/** A child process that does one job at a time. */
export type Child = Readonly<{
  pid: number | undefined;
  /** Does a job; throws TransientFailure, or the signal's reason. Whatever ends badly ends the process too. */
  run(job: Job, signal: AbortSignal): Promise<Ended>;
  /** True until the process has ended or been told to. */
  alive(): boolean;
  /** True when it was ended for the time that a job took. */
  tookTooLong(): boolean;
  stop(): Promise<void>;
}>;

const HEAP_MB = 256;
const CRASHES: readonly (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'];

/** Hears what went into each step of a reading, however it ended. */
export type OnSpent = (spent: Spent) => void;

/** Starts a child with an empty environment: it has none of the service's secrets. */
export const startChild = (limits: Limits, onSpent: OnSpent = () => undefined): Child => {
  const child = fork(new URL('./child.js', import.meta.url), [JSON.stringify(limits)], {
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.on('error', () => resolve());
  });
  const noise = lastWords(child);
  const alive = (): boolean =>
    child.exitCode === null && child.signalCode === null && !child.killed && child.connected;
  return {
    pid: child.pid,
    alive,
    tookTooLong: () => child.signalCode === TIME_SIGNAL,
    run: (job, signal) => runJob(child, job, limits, signal, { noise, onSpent }),
    stop: async () => {
      if (child.pid === undefined) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
};

const runJob = async (
  child: ChildProcess,
  job: Job,
  limits: Limits,
  signal: AbortSignal,
  { noise, onSpent }: Readonly<{ noise: () => string; onSpent: OnSpent }>,
): Promise<Ended> => {
  const over = new AbortController();
  const state = { label: null as string | null };
  const stopwatch = createStopwatch();
  const silence = setTimeout(() => child.kill('SIGKILL'), limits.silenceMs);
  const hear = (report: Told): void => {
    silence.refresh();
    if (report.kind === 'begun') state.label = report.label;
    stopwatch.enter(report.kind === 'doing' ? report.step : report.label === null ? 'understand' : 'open');
  };
  const exit = exited(child, over.signal).then(({ code, by }): Ended => {
    const reason = blame(job, state.label, by);
    if (reason) return { kind: 'failed', reason };
    throw new TransientFailure(`the process that read the files ended (${by ?? code}): ${noise()}`);
  });
  try {
    return await Promise.race([answer(child, job, over.signal, hear), exit, aborted(signal, over.signal)]);
  } catch (error) {
    child.kill('SIGKILL');
    if (signal.aborted || error instanceof TransientFailure) throw error;
    throw new TransientFailure(`no process to read the files: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(silence);
    over.abort();
    if (job.task === 'read') onSpent(stopwatch.spent());
  }
};

/** What is told while a job goes on. */
type Told = Extract<Report, { kind: 'begun' | 'doing' }>;

/** Sends a job and hears reports until one ends it. */
const answer = async (
  child: ChildProcess,
  job: Job,
  signal: AbortSignal,
  hear: (report: Told) => void,
): Promise<Ended> => {
  const reports: AsyncIterable<readonly Report[]> = on(child, 'message', { signal });
  child.send(job);
  for await (const [report] of reports) {
    if (report?.kind === 'outcome') return report.outcome;
    if (report?.kind === 'passing') throw new TransientFailure(report.message);
    if (report) hear(report);
  }
  throw new TransientFailure('the process that reads the files fell silent');
};

const exited = async (
  child: ChildProcess,
  signal: AbortSignal,
): Promise<Readonly<{ code: number | null; by: NodeJS.Signals | null }>> => {
  // The exit may overtake what the child told last: that has come when the channel is closed.
  const closed = child.connected ? once(child, 'disconnect', { signal }) : null;
  const [[code, by]] = await Promise.all([once(child, 'exit', { signal }), closed]);
  return { code, by };
};

const aborted = (signal: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over });
  });

/** Why a process ended, when that was the files' doing; null when it was somebody else's. */
const blame = (job: Job, label: string | null, by: NodeJS.Signals | null): string | null => {
  if (job.task === 'judge')
    return by === TIME_SIGNAL || by === MEMORY_SIGNAL || by === 'SIGABRT'
      ? 'The extractor’s answer took more time or memory to read than an answer may.'
      : null;
  const what = label === null ? 'The search for the fields' : `"${label}"`;
  if (by === TIME_SIGNAL) return `${what} took too long: upload a simpler or clearer document.`;
  // SIGABRT is how Node.js ends when its heap is full.
  if (by === MEMORY_SIGNAL || by === 'SIGABRT')
    return `${what} took more memory than a document may: upload a smaller or simpler one.`;
  return CRASHES.includes(by) ? `${what} can't be read, it is damaged: export, scan or take it again.` : null;
};

const LAST_WORDS = 2_000;

const lastWords = (child: ChildProcess): (() => string) => {
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS);
  });
  return () => words.trim();
};
