import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ended } from '../cli/run.ts';

/** A command line to run: the words behind `intake`. */
export type Order = Readonly<{
  id: number;
  settings: Readonly<Record<string, string>>;
  words: readonly string[];
}>;

const PROCESS = fileURLToPath(new URL('./commandLine.process.js', import.meta.url));
const waiting = new Map<number, (ended: Ended) => void>();
let child: ChildProcess | null = null;
let orders = 0;

/**
 * Runs `intake WORDS` with these settings as an operator would, in a process that is none of the service's. That process is kept, since to
 * start Node takes ten times as long as most commands.
 */
export const runIntake = (
  settings: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ended> =>
  new Promise((resolve) => {
    orders += 1;
    waiting.set(orders, resolve);
    child ??= operator();
    child.send({ id: orders, settings, words } satisfies Order);
  });

const operator = (): ChildProcess => {
  const started = fork(PROCESS, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  started.on('message', ({ id, ...ended }: Ended & Readonly<{ id: number }>) => {
    waiting.get(id)?.(ended);
    waiting.delete(id);
  });
  started.on('exit', (code) => {
    child = null;
    for (const resolve of waiting.values())
      resolve({ code, stdout: '', stderr: 'the process of the command line ended' });
    waiting.clear();
  });
  // It ends with the tests: its channel breaks.
  started.unref();
  started.channel?.unref();
  return started;
};
