import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { refusalOf, start, workplace } from './run.ts';

const test = suite('the command line: serve, and commands beside it');
const place = workplace();
let server: Awaited<ReturnType<typeof place.serve>>;
test.before(async () => {
  server = await place.serve();
});
test.after(() => {
  server.child.kill('SIGKILL');
  place.remove();
});

test('says where it answers when it answers', async () => {
  const { url, pid } = server.ready;
  assert.is(pid, server.child.pid);
  await eventually('readiness', async () => (await fetch(`${url}/health/ready`)).status === 200);
});

test('a command beside it is seen by it at once [cli-9]', async () => {
  const { id } = await place.json<{ id: string }>('company', 'create', '--name', 'Beside');
  const [{ data }, { key }] = await Promise.all([
    place.json<{ data: { id: string }[] }>('company', 'list'),
    place.json<{ key: string }>('key', 'create', '--company', id),
  ]);
  assert.equal(
    data.map((company) => company.id),
    [id],
  );
  const answer = await fetch(`${server.ready.url}/api/v1/companies`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.is(answer.status, 200);
  assert.ok((await answer.text()).includes(id));
  const keys = await place.json<{ data: { lastUsedAt: string | null }[] }>('key', 'list');
  assert.ok(keys.data[0]?.lastUsedAt, 'the key was used');
});

test('a second server on the folder is refused by name, and harms nothing [operations-10]', async () => {
  const refusal = refusalOf(await place.intake('serve', '--json'));
  assert.is(refusal.code, 'data-dir-in-use');
  assert.is(refusal.exitCode, 1);
  assert.ok(
    refusal.detail.includes(place.settings.DATA_DIR) && refusal.detail.includes(String(server.ready.pid)),
  );
  assert.is(readFileSync(`${place.settings.DATA_DIR}/serve.pid`, 'utf8'), String(server.ready.pid));
});

test(
  'a port that is taken is named, and an address that is not here',
  async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
    });
    try {
      const settings = { ...place.settings, DATA_DIR: `${place.folder}/elsewhere`, PORT: String(port) };
      const elsewhere = { ...place.settings, DATA_DIR: `${place.folder}/other`, HOST: '192.0.2.1' };
      const [refusal, { code, hint }] = await Promise.all([
        start(settings, 'serve', '--json').ended.then(refusalOf),
        start(elsewhere, 'serve', '--json').ended.then(refusalOf),
      ]);
      assert.is(refusal.code, 'address-in-use');
      assert.is(refusal.exitCode, 1);
      assert.match(refusal.detail, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 `));
      assert.equal([code, hint], ['no-such-address', 'Set HOST to one it has.']);
    } finally {
      taken.close();
    }
  },
  { timeoutMs: 60_000 },
);

test(
  'an error that nobody handled ends it, and is told without what hangs on it',
  async () => {
    const fault = `const timer = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return;
    clearInterval(timer);
    throw Object.assign(new Error('unforeseen'), { headers: { authorization: 'Bearer s3' + 'cr3t' } });
  }, 20);`;
    const settings = {
      ...place.settings,
      DATA_DIR: `${place.folder}/unforeseen`,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
    };
    const { code, stderr } = await start(settings, 'serve', '--json').ended;
    assert.is(code, 1);
    const line = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
    assert.equal([line.level, line.err.message], [60, 'unforeseen']);
    assert.not.ok(stderr.includes('s3cr3t'), stderr);
  },
  { timeoutMs: 60_000 },
);

test(
  'SIGTERM and SIGINT end it in order, its folder is free again, and people read how to stop it',
  async () => {
    server.child.kill('SIGTERM');
    const { code, stdout } = await server.ended;
    assert.is(code, 0);
    assert.is(stdout.trim().split('\n').length, 1, 'one JSON line');
    const next = start(place.settings, 'serve', '--roles', 'projections');
    try {
      await eventually('its greeting', () => next.stdout().includes('Stop it with'), 15_000);
      assert.match(next.stdout(), /API +not served/);
      assert.match(next.stdout(), /roles +projections\n/);
      assert.ok(next.stdout().includes(`data     ${place.settings.DATA_DIR}`));
      next.child.kill('SIGINT');
      assert.is((await next.ended).code, 0);
    } finally {
      next.child.kill('SIGKILL');
    }
  },
  { timeoutMs: 60_000 },
);
