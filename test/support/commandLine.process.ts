import { runCommandLine } from '../../cli/program.ts';
import { runtime } from '../../runtime/intake.ts';
import type { Order } from './commandLine.ts';

// Runs command lines one after the other, each with the settings that come with it.
const captured = async ({ id, settings, words }: Order) => {
  const said = { stdout: '', stderr: '' };
  const { env } = process;
  const [out, error] = [process.stdout.write, process.stderr.write];
  const into = (stream: keyof typeof said) =>
    ((text: string) => {
      said[stream] += text;
      return true;
    }) as typeof out;
  process.stdout.write = into('stdout');
  process.stderr.write = into('stderr');
  process.env = { ...settings };
  try {
    return { id, code: await runCommandLine(runtime, words), ...said };
  } finally {
    process.stdout.write = out;
    process.stderr.write = error;
    process.env = env;
  }
};

let last: Promise<unknown> = Promise.resolve();
process.on('message', (order: Order) => {
  last = last.then(async () => process.send?.(await captured(order)));
});
