import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ended } from '../cli/run.ts';

/**
 * A command line to run: the words behind `intake`. Its stores are opened for it alone, or kept; or they are
 * to be closed, without a command.
 */
export type Order = Readonly<{
  id: number;
  settings: Settings;
  words: readonly string[];
  stores: 'own' | 'kept' | 'closed';
}>;
type Settings = Readonly<Record<string, string>>;

const PROCESS = fileURLToPath(new URL('./commandLine.process.js', import.meta.url));
const waiting = new Map<number, (ended: Ended) => void>();
let child: ChildProcess | null = null;
let orders = 0;

const send = (order: Omit<Order, 'id'>): Promise<Ended> =>
  new Promise((resolve) => {
    orders += 1;
    waiting.set(orders, resolve);
    child ??= operator();
    child.send({ id: orders, ...order } satisfies Order);
  });

/**
 * Runs `intake WORDS` with these settings as an operator would, in a process that is none of the service's.
 * That process is kept, since to start Node takes ten times as long as most commands.
 */
export const runIntake = (settings: Settings, ...words: readonly string[]): Promise<Ended> =>
  send({ settings, words, stores: 'own' });

/**
 * Many commands beside one service, on stores that stay open until `close`: to open them takes longer than
 * most commands.
 */
export const keptIntake = (settings: Settings) => {
  let isUsed = false;
  return {
    run: (...words: readonly string[]): Promise<Ended> => {
      isUsed = true;
      return send({ settings, words, stores: 'kept' });
    },
    close: async (): Promise<void> => {
      if (isUsed && child) await send({ settings, words: [], stores: 'closed' });
    },
  };
};

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
