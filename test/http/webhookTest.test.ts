import * as assert from 'uvu/assert';
import type { Answer } from '../../scripts/receiver.ts';
import { suite, tookAtMost } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('POST /webhooks/test');
const PATH = '/api/v1/webhooks/test';
const answers: Record<string, Answer> = {
  '/hang': 'hang',
  '/drip': 'drip',
  '/close': 'close',
  '/endless': 'endless',
  '/moved': { status: 302, headers: { location: '/elsewhere' } },
};
let service: TestService;
let api: Client;
test.before(async () => {
  service = await startService(
    {},
    { answer: ({ path }) => answers[path] ?? { status: Number(path.slice(1)) || 200 } },
  );
  // An unscoped key may test.
  ({ api } = await service.key(null));
});
test.after(() => service.close());

const isBetween = (first: number, one: number, last: number): boolean => first <= one && one <= last;

/** Each minute has its ten tests a key: whoever needs more takes another key. */
const tried = async (path: string, client = api) => {
  const asked = Date.now();
  const { status, body } = await client.post(PATH, { webhookUrl: `${service.receiver.url}${path}` });
  assert.is(status, 200, 'a failure is a result');
  assert.equal(Object.keys(body), ['success', 'statusCode', 'error', 'checkedAt']);
  assert.ok(isBetween(asked, Date.parse(body.checkedAt), Date.now()), body.checkedAt);
  return body;
};
const seen = (path: string) => service.receiver.requests.filter((request) => request.path === path);

test('the request is an unsigned POST with exactly the headers and the body of the contract [webhook-tests-1]', async () => {
  const asked = Date.now();
  const { success, statusCode, error } = await tried('/204');
  assert.equal([success, statusCode, error], [true, 204, null]);
  const [request] = seen('/204');
  assert.is(request?.method, 'POST');
  const { host: _h, connection: _c, 'content-length': _l, ...headers } = request?.headers ?? {};
  assert.equal(headers, { 'content-type': 'application/json', 'user-agent': 'service-webhook/1.0' });
  const body = JSON.parse(String(request?.body));
  assert.equal(Object.keys(body), ['type', 'timestamp']);
  assert.is(body.type, 'webhook.test');
  assert.is(new Date(body.timestamp).toISOString(), body.timestamp);
  assert.ok(isBetween(asked, Date.parse(body.timestamp), request?.at ?? 0), body.timestamp);
});

for (const status of [400, 500]) {
  test(`an answer ${status} is success false with its status [webhook-tests-3]`, async () => {
    const { success, statusCode, error } = await tried(`/${status}`);
    assert.equal([success, statusCode, error], [false, status, `answered ${status}`]);
  });
}

test('a redirect is not followed and no success', async () => {
  const { success, statusCode, error } = await tried('/moved');
  assert.equal([success, statusCode], [false, 302]);
  assert.match(error, /redirects are not followed/);
  assert.is(seen('/elsewhere').length, 0);
});

test('a connection that breaks is success false without a status [webhook-tests-3]', async () => {
  const { success, statusCode, error } = await tried('/close');
  assert.equal([success, statusCode], [false, null]);
  assert.match(error, /closed/);
});

test('of an endless answer 64 KiB are read', async () => {
  const { success, statusCode } = await tried('/endless');
  assert.equal([success, statusCode], [true, 200]);
});

test(
  'a target has 5 seconds for everything [webhook-tests-2]',
  async () => {
    const started = performance.now();
    const [silent, slow] = await Promise.all([tried('/hang'), tried('/drip')]);
    const took = performance.now() - started;
    assert.equal([silent.success, silent.statusCode], [false, null]);
    assert.equal([slow.success, slow.statusCode], [false, 200]);
    assert.match(`${silent.error} ${slow.error}`, /within 5 s.*within 5 s/);
    assert.ok(took >= 4_900, `${took}`);
    tookAtMost(9_000, took);
  },
  { timeoutMs: 60_000 },
);

test('an address that breaks the rules of webhook URLs is a 422, and so is a body without one [webhook-tests-4, webhooks-34]', async () => {
  const { api: other } = await service.key(null);
  for (const webhookUrl of [
    'http://example.com',
    'https://localhost/x',
    'https://10.1.2.3',
    'https://a.internal',
    'https://u:p@example.com',
    'nonsense',
  ]) {
    const { status, body } = await other.post(PATH, { webhookUrl });
    assert.equal([status, body.errors[0].pointer], [422, '/webhookUrl'], webhookUrl);
  }
  assert.is((await other.post(PATH, {})).status, 422);
  assert.is((await other.post(PATH, { webhookUrl: `${service.receiver.url}/200`, more: 1 })).status, 422);
});

test('a key has ten tests a minute, another key its own [webhook-tests-6]', async () => {
  const [{ api: eager }, { api: other }] = await Promise.all([service.key(null), service.key(null)]);
  for (let n = 0; n < 10; n += 1) await tried('/200', eager);
  const count = seen('/200').length;
  const { status, headers, body } = await eager.post(PATH, { webhookUrl: `${service.receiver.url}/200` });
  assert.equal([status, body.code, body.retryable], [429, 'rate-limited', true]);
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60);
  assert.is(seen('/200').length, count, 'nothing was sent');
  await tried('/200', other);
});

test('with the egress guard a name that leads inside is success false, and no address is told [webhook-tests-5]', async () => {
  const guarded = await startService({ WEBHOOK_EGRESS: 'public', RATE_LIMIT: '0' });
  try {
    const { api: inside } = await guarded.key(null);
    const all = Array.from({ length: 12 }, () =>
      inside.post(PATH, { webhookUrl: `${guarded.receiver.url}/in` }),
    );
    for (const { status, body } of await Promise.all(all)) {
      assert.equal([status, body.success, body.statusCode], [200, false, null], 'RATE_LIMIT 0: no limit');
      assert.is(body.error, 'the host has an address that is not public');
    }
    assert.is(guarded.receiver.connections(), 0);
  } finally {
    await guarded.close();
  }
});

test('a certificate that is not trusted is success false', async () => {
  const strange = await startService({ WEBHOOK_CA: '' });
  try {
    const { api: wary } = await strange.key(null);
    const { body } = await wary.post(PATH, { webhookUrl: `${strange.receiver.url}/tls` });
    assert.equal([body.success, body.statusCode], [false, null]);
    assert.match(body.error, /certificate is not trusted/);
  } finally {
    await strange.close();
  }
});
