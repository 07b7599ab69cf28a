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
  assert.is((await fetch(`${url}/health/ready`)).status, 200);
});

test('a command beside it is seen by it at once', async () => {
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

test('a second server on the folder is refused by name, and harms nothing', async () => {
  const refusal = refusalOf(await place.intake('serve', '--json'));
  assert.is(refusal.code, 'data-dir-in-use');
  assert.is(refusal.exitCode, 1);
  assert.ok(
    refusal.detail.includes(place.settings.DATA_DIR) && refusal.detail.includes(String(server.ready.pid)),
  );
  assert.is(readFileSync(`${place.settings.DATA_DIR}/serve.pid`, 'utf8'), String(server.ready.pid));
});

test('a port that is taken is named', async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
  });
  try {
    const settings = { ...place.settings, DATA_DIR: `${place.folder}/elsewhere`, PORT: String(port) };
    const refusal = refusalOf(await start(settings, 'serve', '--json').ended);
    assert.is(refusal.code, 'address-in-use');
    assert.is(refusal.exitCode, 1);
    assert.match(refusal.detail, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 `));
  } finally {
    taken.close();
  }
});

test(
  'SIGTERM and SIGINT end it in order, and its folder is free again',
  async () => {
    server.child.kill('SIGTERM');
    assert.is((await server.ended).code, 0);
    server = await place.serve('--roles', 'api,projections');
    server.child.kill('SIGINT');
    const { code, stdout } = await server.ended;
    assert.is(code, 0);
    assert.is(stdout.trim().split('\n').length, 1, 'one JSON line');
    assert.equal(JSON.parse(stdout).roles, ['api', 'projections']);
  },
  { timeoutMs: 30_000 },
);

test(
  'people read where it is and how to stop it',
  async () => {
    const running = start(place.settings, 'serve', '--roles', 'projections');
    try {
      await eventually('its greeting', () => running.stdout().includes('Stop it with'), 10_000);
      assert.match(running.stdout(), /API +not served/);
      assert.ok(running.stdout().includes(`data     ${place.settings.DATA_DIR}`));
      running.child.kill('SIGTERM');
      assert.is((await running.ended).code, 0);
    } finally {
      running.child.kill('SIGKILL');
    }
  },
  { timeoutMs: 20_000 },
);
