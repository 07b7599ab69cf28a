import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../harness.ts';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));

/**
 * Of a process of seconds a sixth is spent on optimising what then hardly runs, and on collecting garbage
 * early.
 */
export const SHORT_LIVED = [
  '--interrupt-budget=1000000',
  '--max-semi-space-size=64',
  '--min-semi-space-size=32',
];

/**
 * What a file's run has come to; `outcome` is undefined where the process ended or was silent until its
 * limit.
 */
export type Ended = Readonly<{
  outcome: Outcome | undefined;
  seconds: number;
  processorSeconds: number;
  output: string;
  /** How the process ended, where it did. */
  exit: string | null;
}>;

/** A process that runs test files, one at a time. */
export type TestProcess = Readonly<{
  env: NodeJS.ProcessEnv;
  isThere(): boolean;
  run(file: string, limitMs: number): Promise<Ended>;
  /** Ends it, and gives what failed in what its files had left to the end. */
  end(limitMs: number): Promise<Ended>;
}>;

type Report = Outcome & Readonly<{ processorSeconds: number }>;

const there = new Set<ChildProcess>();
/** A test that fails may leave processes behind; they are of its process's group. */
const endGroup = (child: ChildProcess): void => {
  there.delete(child);
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};
process.on('exit', () => there.forEach(endGroup));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

/** What a process has written reaches this one a little later than its report. */
const OUTPUT_MS = 100;

/** Starts a process with this environment and these flags of Node. */
export const startTestProcess = (env: NodeJS.ProcessEnv, flags: readonly string[]): TestProcess => {
  const child = spawn(process.execPath, [...flags, WORKER], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env,
    detached: true,
  });
  there.add(child);
  let output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(chunk));
  let exit: string | null = null;
  let answer: (report: Report | undefined) => void = () => undefined;
  child.on('message', (message) => answer(message as Report));
  child.on('exit', (code, signal) => {
    exit = String(code ?? signal);
    endGroup(child);
    // Its last report may still be on its way.
    if (child.connected) child.once('disconnect', () => answer(undefined));
    else answer(undefined);
  });
  const tell = async (file: string | null, limitMs: number): Promise<Ended> => {
    output = [];
    const started = performance.now();
    const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
    const report = await new Promise<Report | undefined>((resolve) => {
      answer = resolve;
      if (exit !== null) return resolve(undefined);
      child.send({ file }, (error) => error && resolve(undefined));
    });
    clearTimeout(limit);
    const seconds = (performance.now() - started) / 1_000;
    if (!report || report.failed > 0) await sleep(OUTPUT_MS);
    const { processorSeconds = 0, ...outcome } = report ?? {};
    return {
      outcome: report && (outcome as Outcome),
      seconds,
      processorSeconds,
      output: String(Buffer.concat(output)),
      exit,
    };
  };
  return {
    env,
    isThere: () => exit === null,
    run: tell,
    end: async (limitMs) => {
      const ended = await tell(null, limitMs);
      if (exit === null) await new Promise((resolve) => child.once('exit', resolve));
      return ended;
    },
  };
};
