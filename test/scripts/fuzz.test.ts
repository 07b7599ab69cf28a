import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { long, suite } from '../harness.ts';

const test = suite('scripts/fuzz-api');
const script = fileURLToPath(new URL('../../scripts/fuzz.js', import.meta.url));

const run = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  return { code, said };
};

test('says why it does nothing where there is no Python', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'intake-fuzz-'));
  const { code, said } = await run(['10'], { PATH: '', XDG_CACHE_HOME: cache });
  rmSync(cache, { recursive: true });
  assert.equal([code, said], [0, 'skipped: no Python 3.10 or newer is here\n']);
});

test('refuses what is no number', async () => assert.is((await run(['many'], {})).code, 2));

const title = 'requests made from the document meet no 5xx, and no answer that it does not describe';
if (long)
  test(
    title,
    async () => {
      const { code, said } = await run(['2000'], process.env);
      const [, reason] = /^skipped: (.*)$/m.exec(said) ?? [];
      if (reason) test.skip(title, reason);
      assert.is(code, 0, said.slice(-20_000));
    },
    { timeoutMs: 900_000 },
  );
else test.skip(title, 'it takes minutes: npm run test:long does it, scripts/fuzz-api more of it');
