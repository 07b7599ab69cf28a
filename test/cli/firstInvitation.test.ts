import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { freePort } from '../support/freePort.ts';
import { start, startProgram, workplace } from './run.ts';

const test = suite('the command line: serve, and the first person');
const place = workplace();
test.after(() => place.remove());

test(
  'it says where the console is and, while there is no user, a command that invites the first one [logins-24]',
  async () => {
    const port = await freePort();
    const settings = {
      ...{ ...place.settings, DATA_DIR: `${place.folder}/of the first`, PORT: String(port) },
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const serving = async () => {
      const running = start(settings, 'serve');
      await eventually('its greeting', () => running.stdout().includes('Stop it with'), 15_000);
      return running;
    };
    const first = await serving();
    try {
      assert.ok(first.stdout().includes(`console  http://127.0.0.1:${port}/console\n`));
      const [line = ''] = /^.* invite --email .*$/m.exec(first.stdout()) ?? [];
      assert.not.ok(first.stdout().includes(settings.MASTER_KEY));
      assert.ok(first.stdout().includes('where MASTER_KEY, and what belongs to it, is set as here'));
      const { MASTER_KEY, LOG_LEVEL } = settings;
      const { code, stdout, stderr } = await startProgram({ MASTER_KEY, LOG_LEVEL }, 'sh', ['-c', line])
        .ended;
      assert.is(code, 0, stderr);
      const [, token = ''] = /^token +(.+)$/m.exec(stdout) ?? [];
      assert.ok(stdout.includes(`http://127.0.0.1:${port}/invite#token=${token}`));
      const answer = await fetch(`http://127.0.0.1:${port}/api/invitation/complete`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, password: 'correct horse battery staple' }),
      });
      assert.is(answer.status, 201);
    } finally {
      first.child.kill('SIGTERM');
      await first.ended;
    }
    const second = await serving();
    try {
      assert.not.match(second.stdout(), /invite/);
    } finally {
      second.child.kill('SIGTERM');
      await second.ended;
    }
  },
  { timeoutMs: 60_000 },
);
