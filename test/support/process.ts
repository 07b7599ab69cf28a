import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The compiled command line. */
export const intake = fileURLToPath(new URL('../../cli/intake.js', import.meta.url));

/** A server as its own process. `kill` is SIGKILL: nothing of it can run any more. */
export type ServerProcess = Readonly<{
  /** The API's address; empty where it is none of its roles. */
  url: string;
  healthUrl: string;
  child: ChildProcess;
  /** The lines of its log so far. */
  log(): readonly LogLine[];
  /** The end of all that it wrote to standard error. */
  said(): string;
  /** All that it wrote so far, to standard output and standard error. */
  written(): string;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}>;

/** A line of the log, as far as tests look at it. */
export type LogLine = Readonly<{
  level: number;
  msg: string;
  part?: string;
  err?: { message: string };
  traceId?: string;
  spanId?: string;
}>;

/** Starts `intake serve` and resolves once it answers. Throws when it ends instead, with what it said. */
export const startServerProcess = async (
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ServerProcess> => {
  const child = spawn(process.execPath, [...process.execArgv, intake, 'serve', '--json', ...args], {
    // No other settings: engines that the tests' environment names are not this server's.
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const said: string[] = [];
  const printed: string[] = [];
  createInterface(child.stderr).on('line', (line) => void said.push(line));
  const ending = (): string => said.slice(-40).join('\n');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) {
    await ended;
    throw new Error(`the server ended at its start:\n${ending()}`);
  }
  child.stdout.on('data', (chunk) => void printed.push(`${chunk}`)).resume();
  const { url, healthUrl } = JSON.parse(first.value) as { url: string | null; healthUrl: string };
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return {
    url: url ?? '',
    healthUrl,
    child,
    log: () => said.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine),
    said: ending,
    written: () => [...printed, ...said].join('\n'),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
};

/** Whether a process of this machine is there. */
export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
};
