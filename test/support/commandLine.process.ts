import { runCommandLine } from '../../cli/program.ts';
import type { Core, Runtime } from '../../cli/runtime.ts';
import { runtime } from '../../runtime/intake.ts';
import type { Order } from './commandLine.ts';

// Runs command lines one after the other, each with the settings that come with it.
const kept = new Map<string, Core>();

const keyOf = (settings: Order['settings']): string => JSON.stringify(settings);

/** The service, whose stores stay open behind the command. */
const keeping = (key: string): Runtime => ({
  ...runtime,
  openCore: async (options) => {
    const core = kept.get(key) ?? (await runtime.openCore(options));
    kept.set(key, core);
    return { ...core, close: async () => undefined };
  },
});

const close = async (key: string): Promise<void> => {
  const core = kept.get(key);
  kept.delete(key);
  await core?.close();
};

const captured = async ({ id, settings, words, stores }: Order) => {
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
  const key = keyOf(settings);
  try {
    const code = await runCommandLine(stores === 'kept' ? keeping(key) : runtime, words);
    // A store that failed is taken for unavailable, and nothing here probes it.
    if (code !== 0) await close(key);
    return { id, code, ...said };
  } finally {
    process.stdout.write = out;
    process.stderr.write = error;
    process.env = env;
  }
};

const carriedOut = async (order: Order) => {
  if (order.stores !== 'closed') return captured(order);
  await close(keyOf(order.settings));
  return { id: order.id, code: 0, stdout: '', stderr: '' };
};

let last: Promise<unknown> = Promise.resolve();
process.on('message', (order: Order) => {
  last = last.then(async () => process.send?.(await carriedOut(order)));
});
