import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const executable = fileURLToPath(new URL('../../cli/intake.js', import.meta.url));
const run = promisify(execFile);

/** Settings as environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** What a command of the command line printed. Throws with what it said when it failed. */
export const intake = async (settings: Settings, ...args: readonly string[]): Promise<string> => {
  const env = { ...process.env, ...settings };
  return (await run(process.execPath, [executable, ...args], { env })).stdout;
};

/** A running `intake serve`; `stop` lets it end in order. */
export type Server = Readonly<{ url: string; stop(): Promise<void> }>;

/** Starts `intake serve` and resolves once it answers. Its log goes to this process's standard error. */
export const startServer = async (settings: Settings): Promise<Server> => {
  const child = spawn(process.execPath, [executable, 'serve', '--json'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const first = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  if (first.done) throw new Error('the service did not start: see above');
  const { url } = JSON.parse(first.value) as { url: string };
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { url, stop };
};
