import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { checkNames, checks } from '../../scripts/checkClients/checks.ts';
import { runCheck } from '../../scripts/checkClients/row.ts';
import { heading, lineOf } from '../../scripts/checkClients/table.ts';
import { startWorld, type World } from '../../scripts/checkClients/world.ts';
import { long, note, suite } from '../harness.ts';

const test = suite('scripts/check-clients');
const script = fileURLToPath(new URL('../../scripts/checkClients.js', import.meta.url));
let world: World;
test.before(async () => {
  if (long) world = await startWorld();
});
test.after(() => (long ? world.close() : undefined));

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

for (const name of checkNames) {
  const title = `the document is digested: ${name} [document-1]`;
  if (long)
    test(
      title,
      async () => {
        const row = await runCheck(name, checks[name], world);
        if (name === checkNames[0]) note(heading);
        note(lineOf(row));
        if (row.skipped !== null) test.skip(title, row.skipped);
        assert.is(row.fault, null);
      },
      { timeoutMs: 900_000 },
    );
  else test.skip(title, 'it takes minutes: npm run test:long does it, and scripts/check-clients');
}
