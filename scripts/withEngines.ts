import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import { type Engines, startEngines } from './withEngines/start.ts';

// `scripts/engines [command…]`: the command's exit code is this one's.
const [command, ...args] = process.argv.slice(2);

const say = (text: string): void => void process.stderr.write(`engines: ${text}\n`);

// Ctrl-C reaches the command too; what it started here must not end before it.
const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve());
});

const main = async (): Promise<number> => {
  const engines = await startEngines(say);
  try {
    for (const reason of engines.skipped) say(`skipped: ${reason}`);
    // A service on engines needs keys that are given; they end with its data.
    const drawn = () => randomBytes(32).toString('base64');
    const settings = { MASTER_KEY: drawn(), EVIDENCE_KEY: drawn(), ...engines.settings };
    return command === undefined ? await standBy(engines, settings) : await run(command, args, settings);
  } finally {
    await engines.close();
  }
};

const run = async (
  name: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<number> => {
  const child = spawn(name, words, { stdio: 'inherit', env: { ...process.env, ...settings } });
  void stopped.then(() => child.kill('SIGTERM'));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
};

const standBy = async (
  { skipped, settings: named }: Engines,
  settings: Readonly<Record<string, string>>,
): Promise<number> => {
  if (Object.keys(named).length === 0) return skipped.length === 0 ? 0 : 1;
  for (const [name, value] of Object.entries(settings)) process.stdout.write(`export ${name}='${value}'\n`);
  say('the engines run until Ctrl-C');
  await stopped;
  return 0;
};

process.exitCode = await main();
