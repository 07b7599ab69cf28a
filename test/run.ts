import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Outcome } from './harness.ts';

// `node dist/test/run.js [--long] [part of a path …]`: each test file in a process of its own, several at once.
const { values, positionals } = parseArgs({ options: { long: { type: 'boolean' } }, allowPositionals: true });
const all: Outcome[] = [];

const runFile = (file: string): Promise<void> =>
  new Promise((resolve) => {
    const started = performance.now();
    const child = fork(file, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...(values.long ? { TEST_LONG: '1' } : {}) },
    });
    const output: Buffer[] = [];
    let outcome: Outcome | undefined;
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('message', (message) => {
      outcome = message as Outcome;
    });
    // A test that spins never lets its own time-out come.
    const limit = setTimeout(() => child.kill('SIGKILL'), values.long ? 1_800_000 : 180_000);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      const silent =
        outcome === undefined || (outcome.passed + outcome.failed === 0 && outcome.skipped.length === 0);
      const failed = (outcome?.failed ?? 0) || (silent || code !== 0 ? 1 : 0);
      all.push({
        passed: outcome?.passed ?? 0,
        failed,
        skipped: outcome?.skipped ?? [],
        names: outcome?.names ?? [],
      });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      print(
        `${failed ? 'FAIL' : 'ok  '} ${file.replace('dist/', '')} ${outcome?.passed ?? 0} passed ${seconds} s\n`,
      );
      if (failed)
        print(`${Buffer.concat(output)}\nexit ${code ?? signal}${silent ? ', no test reported' : ''}\n`);
      resolve();
    });
  });

const print = (text: string): void => {
  process.stdout.write(text);
};

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .map((file) => `dist/${file.replace(/\.ts$/, '.js')}`)
  .sort();
const alone = files.filter((file) => file.includes('.alone.test.'));
const queue = files.filter((file) => !alone.includes(file));
const worker = async (): Promise<void> => {
  for (let file = queue.shift(); file; file = queue.shift()) await runFile(file);
};
// One more than there are cores: many tests wait for most of their time.
await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
// Those that measure time have the machine for themselves.
for (const file of alone) await runFile(file);

const sum = (pick: (outcome: Outcome) => number): number =>
  all.reduce((total, outcome) => total + pick(outcome), 0);
for (const reason of all.flatMap((outcome) => outcome.skipped)) print(`skipped: ${reason}\n`);
const failed = sum((outcome) => outcome.failed) + (files.length === 0 ? 1 : 0);
const skipped = sum((outcome) => outcome.skipped.length);
print(
  `${sum((outcome) => outcome.passed)} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
);
process.exitCode = failed ? 1 : 0;
