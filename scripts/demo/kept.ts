import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../demo.js', import.meta.url));

/**
 * A demo that was left running: where its log-in page and its data are. `stop` ends it as Ctrl-C does and
 * gives its exit code.
 */
export type KeptDemo = Readonly<{ address: string; data: string; stop(): Promise<number | null> }>;

/** Runs `npm run demo -- --keep` until it waits. Throws when it ends before. */
export const startKeptDemo = async (): Promise<KeptDemo> => {
  const child = spawn(process.execPath, [script, '--keep'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const read = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`the demo ended before it said ${pattern}`);
      const found = pattern.exec(value)?.[1];
      if (found !== undefined) return found;
    }
  };
  const data = await read(/its data is in (.*)/);
  const address = await read(/^Open the console.*(http:\S+)$/);
  const stop = async () => {
    child.kill('SIGINT');
    return (await ended)[0] as number | null;
  };
  return { address, data, stop };
};
