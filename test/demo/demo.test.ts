import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { long, suite } from '../harness.ts';
import { engines, isEmbedded, ownEngines } from '../support/ownEngines.ts';

const test = suite('npm run demo');
const script = fileURLToPath(new URL('../../scripts/demo.js', import.meta.url));
const run = promisify(execFile);

test('a port that is taken, or can’t be one, is named before anything is made', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const saidOf = async (value: string): Promise<string> => {
    const env = { PATH: process.env.PATH, PORT: value };
    const failed = await run(process.execPath, [script], { env }).then(
      () => assert.unreachable('the demo has started'),
      (error) => error,
    );
    assert.equal([failed.code, failed.stdout], [1, '']);
    return failed.stderr;
  };
  try {
    for (const [value, said] of [
      [String(port), `Port ${port} on 127.0.0.1 is in use. `],
      ['70000', 'PORT is 70000: it must be a number from 0 to 65535. '],
    ] as const) {
      const stderr = await saidOf(value);
      assert.ok(stderr.startsWith(said) && stderr.trim().split('\n').length === 1, stderr);
    }
  } finally {
    taken.close();
  }
});

const NAMES = { log: 'EventStoreDB at', documents: 'MongoDB at', files: 'the bucket' };

if (isEmbedded && !long) test.skip('on the embedded stores', 'npm run demo and npm run test:all do it');
else
  test(
    'does the main job on what the settings name, and says where its data is',
    async () => {
      const { settings, close } = await ownEngines();
      try {
        const env = { PATH: process.env.PATH, ...settings };
        const { stdout } = await run(process.execPath, [script], { env, maxBuffer: 10_000_000 });
        assert.match(stdout, /demo ok: 4 submissions, 8 webhooks verified/);
        const [, data = ''] = /its data is in (.*)/.exec(stdout) ?? [];
        for (const engine of engines) assert.ok(data.includes(NAMES[engine]), data);
        assert.is(data.includes('intake-demo-'), engines.length < 3);
      } finally {
        await close();
      }
    },
    { timeoutMs: 120_000 },
  );
