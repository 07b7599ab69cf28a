import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../harness.ts';

const test = suite('eventstoredb: a connection that breaks leaves the process alive');

const run = async (script: string, ...args: readonly string[]) => {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  // One that spins takes more memory with each second.
  const limit = setTimeout(() => child.kill('SIGKILL'), 15_000);
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  clearTimeout(limit);
  return { output, errors, exitCode };
};

test('over many appends', async () => {
  assert.equal(await run('client.process.js', 'driver'), { output: '100 ended\n', errors: '', exitCode: 0 });
});

// Decision 22 rests on it. Once this fails, the client has been mended, and can take the place of our own
// connections.
test('over many appends by the client object: no, it ends', async () => {
  const { output, errors, exitCode } = await run('client.process.js', 'client');
  assert.is(output, '');
  assert.match(errors, /batchAppend/);
  assert.is.not(exitCode, 0);
});

test('in the turn in which an append was queued on it, beside a subscription', async () => {
  assert.equal(await run('reset.process.js'), { output: 'alive\n', errors: '', exitCode: 0 });
});
