import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { runCheck } from '../../scripts/checkClients/row.ts';
import { lineOf } from '../../scripts/checkClients/table.ts';
import type { World } from '../../scripts/checkClients/world.ts';
import { suite } from '../harness.ts';

const test = suite('scripts/check-clients');
const script = fileURLToPath(new URL('../../scripts/checkClients.js', import.meta.url));

test('names its checks where one is not known', async () => {
  const child = spawn(process.execPath, [script, 'fortran'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  assert.is(code, 2);
  assert.match(said, /there is no check fortran; there are: redocly, /);
});

test('where a command is not here the check is skipped, and a fault is told below its row', async () => {
  const facts = { version: '1', steps: ['generated'] as const };
  const nowhere = { ...facts, needs: [['no-such-command']], check: async () => undefined };
  const bare = { folder: fileURLToPath(new URL('.', import.meta.url)) } as World;
  const skipped = await runCheck('some', nowhere, bare);
  assert.match(lineOf(skipped), /^some +1 +skipped: no-such-command is not here$/);
  const failed = { ...skipped, skipped: null, fault: 'broken' };
  assert.match(lineOf(failed), /NO.*\nbroken\n$/s);
});
