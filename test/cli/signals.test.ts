import { spawn } from 'node:child_process';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';

const test = suite('the signals that stop a command');

const SCRIPT = `
const { whileStoppable } = await import(process.argv[1]);
whileStoppable((signal) => {
  signal.addEventListener('abort', () => console.log('stopping'));
  setInterval(() => undefined, 1_000);
  console.log('ready');
  return new Promise(() => undefined);
});
`;

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  test(`the first ${signal} aborts, the second ends the process at once`, async () => {
    const signals = new URL('../../cli/signals.js', import.meta.url).href;
    const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, signals]);
    let said = '';
    child.stdout.on('data', (text: Buffer) => {
      said += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    try {
      await eventually('the start', () => said.includes('ready'));
      child.kill(signal);
      await eventually('the first signal', () => said.includes('stopping'));
      assert.is(child.exitCode, null);
      child.kill(signal);
      assert.is(await ended, code);
    } finally {
      child.kill('SIGKILL');
    }
  });
}
