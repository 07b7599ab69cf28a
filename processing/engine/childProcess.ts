import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { TransientFailure } from '../errors.ts';
import {
  type Job,
  type JobResult,
  type Limits,
  MEMORY_SIGNAL,
  type ProgressReport,
  type Report,
  TIME_SIGNAL,
} from './messages.ts';
import { createStopwatch, type StepTimes } from './stopwatch.ts';

/** A child process that does one job at a time. */
export type Child = Readonly<ReturnType<typeof startChild>>;

const HEAP_MB = 256;
const CRASHES: readonly (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'];

/** Called with the times of each reading, however it ended. */
export type OnRead = (times: StepTimes) => void;

/** Starts a child with an empty environment: it has none of the service's secrets. */
export const startChild = (limits: Limits, onRead: OnRead = () => undefined) => {
  const child = fork(new URL('./child.js', import.meta.url), [JSON.stringify(limits)], {
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced', // for bytes
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.on('error', () => resolve());
  });
  const stderr = stderrOf(child);
  return {
    pid: child.pid,
    /** True until the process has ended or was told to. */
    alive: (): boolean =>
      child.exitCode === null && child.signalCode === null && !child.killed && child.connected,
    /** Whether it was ended for the time that a job took. */
    tookTooLong: (): boolean => child.signalCode === TIME_SIGNAL,
    /** Does a job; throws TransientFailure, or the signal's reason. Any failure ends the process too. */
    run: (job: Job, signal: AbortSignal): Promise<JobResult> =>
      runJob(child, job, limits, signal, { stderr, onRead }),
    stop: async (): Promise<void> => {
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
  { stderr, onRead }: Readonly<{ stderr: () => string; onRead: OnRead }>,
): Promise<JobResult> => {
  const settled = new AbortController();
  const state = { label: null as string | null };
  const stopwatch = createStopwatch();
  const silence = setTimeout(() => child.kill('SIGKILL'), limits.silenceMs);
  const onProgress = (report: ProgressReport): void => {
    silence.refresh();
    if (report.kind === 'reading') state.label = report.label;
    stopwatch.enter(report.kind === 'step' ? report.step : report.label === null ? 'understand' : 'open');
  };
  const exit = exited(child, settled.signal).then(({ code, by }): JobResult => {
    const reason = failureReason(job, state.label, by);
    if (reason) return { kind: 'failed', reason };
    throw new TransientFailure(`the process that read the files ended (${by ?? code}): ${stderr()}`);
  });
  try {
    const result = resultOf(child, job, settled.signal, onProgress);
    return await Promise.race([result, exit, aborted(signal, settled.signal)]);
  } catch (error) {
    child.kill('SIGKILL');
    if (signal.aborted || error instanceof TransientFailure) throw error;
    throw new TransientFailure(`no process to read the files: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(silence);
    settled.abort();
    if (job.task === 'read') onRead(stopwatch.times());
  }
};

/** Sends a job and receives reports until one ends it. */
const resultOf = async (
  child: ChildProcess,
  job: Job,
  signal: AbortSignal,
  onProgress: (report: ProgressReport) => void,
): Promise<JobResult> => {
  const reports: AsyncIterable<readonly Report[]> = on(child, 'message', { signal });
  child.send(job);
  for await (const [report] of reports) {
    if (report?.kind === 'result') return report.result;
    if (report?.kind === 'failed') throw new TransientFailure(report.message);
    if (report) onProgress(report);
  }
  throw new TransientFailure('the process that reads the files sends no more reports');
};

const exited = async (
  child: ChildProcess,
  signal: AbortSignal,
): Promise<Readonly<{ code: number | null; by: NodeJS.Signals | null }>> => {
  // The exit may overtake the last report, which has arrived once the channel is closed.
  const closed = child.connected ? once(child, 'disconnect', { signal }) : null;
  const [[code, by]] = await Promise.all([once(child, 'exit', { signal }), closed]);
  return { code, by };
};

const aborted = (signal: AbortSignal, settled: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: settled });
  });

/** Why a process ended, for people, when the files caused it; null otherwise. */
const failureReason = (job: Job, label: string | null, by: NodeJS.Signals | null): string | null => {
  // SIGABRT is how Node.js ends when its heap is full.
  const isOverMemory = by === MEMORY_SIGNAL || by === 'SIGABRT';
  const isOver = isOverMemory || by === TIME_SIGNAL;
  const isDamaged = CRASHES.includes(by);
  if (job.task === 'judge')
    return isOver ? 'The extractor’s answer took more time or memory to read than an answer may.' : null;
  const what = label === null ? 'The search for the fields' : `"${label}"`;
  if (job.task === 'list' || job.task === 'draw')
    return isOver || isDamaged
      ? `${what} takes more time or memory to show than is given: download it.`
      : null;
  if (by === TIME_SIGNAL) return `${what} took too long: upload a simpler or clearer document.`;
  if (isOverMemory) return `${what} took more memory than a document may: upload a smaller or simpler one.`;
  return isDamaged ? `${what} can't be read, it is damaged: export, scan or take it again.` : null;
};

const MAX_STDERR = 2_000;

/** The end of what a child writes to stderr. */
const stderrOf = (child: ChildProcess): (() => string) => {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-MAX_STDERR);
  });
  return () => text.trim();
};
