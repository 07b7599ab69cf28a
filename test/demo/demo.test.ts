import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { long, suite } from '../harness.ts';
import { engines, isEmbedded, ownEngines } from '../support/ownEngines.ts';

const test = suite('npm run demo');
const script = fileURLToPath(new URL('../../scripts/demo.js', import.meta.url));
const run = promisify(execFile);

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
