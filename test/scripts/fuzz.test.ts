import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';

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
