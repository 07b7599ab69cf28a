import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The compiled command line. */
export const intake = fileURLToPath(new URL('../../cli/intake.js', import.meta.url));

/** A server as its own process. `kill` is SIGKILL: nothing of it can run any more. */
export type ServerProcess = Readonly<{
  url: string;
  child: ChildProcess;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}>;

/** Starts `intake serve` and resolves once it answers. Throws when it ends instead, with what it said. */
export const startServerProcess = async (
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ServerProcess> => {
  const child = spawn(process.execPath, [intake, 'serve', '--json', ...args], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk).slice(-4_000);
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) {
    await ended;
    throw new Error(`the server ended at its start:\n${said}`);
  }
  child.stdout.resume();
  const { url } = JSON.parse(first.value) as { url: string };
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return { url, child, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') };
};
