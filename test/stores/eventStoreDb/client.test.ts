import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../harness.ts';

const test = suite('eventstoredb: a connection that breaks over many appends');

const run = async (appender: 'client' | 'driver') => {
  const script = fileURLToPath(new URL('client.process.js', import.meta.url));
  const child = spawn(process.execPath, [script, appender], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { output, errors, exitCode };
};

test('leaves the process alive', async () => {
  assert.equal(await run('driver'), { output: '100 ended\n', errors: '', exitCode: 0 });
});

// Decision 22 rests on it. Once this fails, the client has been mended, and can take the place of our own connections.
test('ends the process that appends by the client object', async () => {
  const { output, errors, exitCode } = await run('client');
  assert.is(output, '');
  assert.match(errors, /batchAppend/);
  assert.is.not(exitCode, 0);
});
