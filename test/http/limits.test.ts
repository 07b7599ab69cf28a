import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, client, type Reply, receiptText } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('limits as they are set');
let service: TestService;
let api: Client;
test.before(async () => {
  // Without workers: what is submitted stays queued.
  const settings = { RATE_LIMIT: '20', AUTH_FAILURES: '3', TRUST_PROXY: '1' };
  service = await startService(settings, {}, ['api', 'projections']);
  api = (await service.company()).api;
});
test.after(() => service.close());

const guess = (from: string): Promise<Reply> =>
  client(service.url, `aok_${'0'.repeat(64)}`).get('/api/v1/companies', {
    headers: { 'x-forwarded-for': from },
  });

test('RATE_LIMIT is told with every answer and held [limits-1, problems-6]', async () => {
  const answers = await eventually('a refusal', async () => {
    const burst = await Promise.all(Array.from({ length: 30 }, () => api.get('/api/v1/companies')));
    return burst.some(({ status }) => status === 429) ? burst : null;
  });
  for (const { status, headers, body } of answers) {
    assert.is(headers.get('ratelimit-policy'), '"default";q=20;w=1');
    assert.match(headers.get('ratelimit') ?? '', /^"default";r=\d+;t=1$/);
    if (status === 200) continue;
    assert.equal([status, body.code, body.retryable], [429, 'rate-limited', true]);
    assert.is(headers.get('retry-after'), '1');
  }
});

test('AUTH_FAILURES are counted by the address that the trusted proxy names [limits-5]', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await guess('192.0.2.7')).status);
  assert.equal(statuses, [401, 401, 401, 429]);
  assert.is((await guess('192.0.2.7, 192.0.2.8')).status, 401, 'what is left of the entry is hearsay');
  const neighbour = await eventually('a key that may send', async () => {
    const answer = await api.get('/api/v1/companies', { headers: { 'x-forwarded-for': '192.0.2.7' } });
    return answer.status === 429 ? null : answer;
  });
  assert.is(neighbour.status, 200, 'a valid key behind the same address goes on');
});

test('a 202 and an unfinished job say when to ask again [jobs-2]', async () => {
  await eventually('a key that may send', async () => (await api.get('/api/v1/companies')).status === 200);
  const session = await api.open([receiptText()]);
  const pending = await api.job(session);
  const submitted = await api.submit(session);
  const queued = await api.job(session);
  assert.equal(
    [pending, submitted, queued].map(({ status, body, headers }) => [
      status,
      body.state,
      headers.get('retry-after'),
    ]),
    [
      [200, 'pending', '1'],
      [202, 'queued', '1'],
      [200, 'queued', '1'],
    ],
  );
  const { submissionId } = session;
  assert.is((await api.post(`/api/v1/submissions/${submissionId}/cancel`)).status, 200);
  const ended = await api.job(session);
  assert.equal([ended.body.state, ended.headers.get('retry-after')], ['cancelled', null]);
});
