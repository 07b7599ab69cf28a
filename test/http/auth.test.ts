import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { client, receiptText } from '../support/client.ts';
import { sharedService, type TestService } from '../support/service.ts';

type Audited = Readonly<{
  events: readonly Readonly<Record<'id' | 'type' | 'requestId' | 'correlation' | 'causation', string>>[];
}>;

const test = suite('authentication');
let service: TestService;
let company: Awaited<ReturnType<TestService['company']>>;

test.before(async () => {
  service = await sharedService();
  company = await service.company();
});

test('a revoked key is refused at once [keys-3, keys-8]', async () => {
  const { id, api } = await service.key(company.id);
  assert.is((await api.get('/api/v1/workflows')).status, 200);
  await service.intake('key', 'revoke', id);
  assert.is((await api.get('/api/v1/workflows')).status, 403);
});

test('GET /companies gives the own company, or none [companies-1]', async () => {
  await service.company();
  const own = await company.api.get('/api/v1/companies');
  const pagination = { hasMore: false, nextCursor: null };
  assert.equal(own.body, { data: [{ id: company.id, name: 'ACME' }], pagination });
  assert.equal((await company.api.get('/api/v1/companies?limit=5')).body, own.body);
  assert.is((await company.api.get('/api/v1/companies?limit=x')).body.errors[0].pointer, '/query/limit');
  const { api } = await service.key(null);
  assert.equal((await api.get('/api/v1/companies')).body, { data: [], pagination });
});

test('lastUsedAt is written before the answer, at most once a minute [keys-5]', async () => {
  const { id, api } = await service.key(company.id);
  const lastUsedAt = async () => {
    const { data } = await service.intake<{ data: { id: string; lastUsedAt: string | null }[] }>(
      'key',
      'list',
    );
    return data.find((key) => key.id === id)?.lastUsedAt;
  };
  assert.is(await lastUsedAt(), null);
  await api.get('/api/v1/companies');
  const first = await lastUsedAt();
  assert.ok(first);
  await api.get('/api/v1/companies');
  assert.is(await lastUsedAt(), first);
});

test('what exists beside the API needs no key', async () => {
  const anonymous = client(service.url, null);
  assert.is((await anonymous.get('/health/live')).status, 200);
  const ready = await anonymous.get('/health/ready');
  assert.equal([ready.status, ready.body.status], [200, 'ready']);
  assert.is((await anonymous.get('/nothing')).status, 404);
});

test('the order of refusal: 404, 405, 401, 403, 400, 413, 415, 404, 422, 409', async () => {
  const anonymous = client(service.url, null);
  const { api: unscoped } = await service.key(null);
  const sessions = '/api/v1/workflows/receipt/sessions';
  const unknown = '/api/v1/workflows/unknown/sessions';
  const typed = { 'content-type': 'text/plain' };
  const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
  assert.is(await statusOf(anonymous.post('/api/v1/none', undefined, { raw: '{' })), 404);
  const wrong = await anonymous.call('DELETE', sessions);
  assert.equal([wrong.status, wrong.headers.get('allow')], [405, 'POST']);
  assert.is(await statusOf(anonymous.post(sessions, undefined, { raw: '{' })), 401);
  assert.is(await statusOf(unscoped.post(sessions, undefined, { raw: '{' })), 403);
  assert.is(await statusOf(company.api.post(unknown, undefined, { raw: '{' })), 400);
  assert.is(await statusOf(company.api.post(unknown, { a: 'x'.repeat(300_000) })), 413);
  assert.is(await statusOf(company.api.post(unknown, undefined, { raw: 'x', headers: typed })), 415);
  assert.is(await statusOf(company.api.post(unknown, { unknown: 1 })), 404);
  assert.is(await statusOf(company.api.post(sessions, { unknown: 1 })), 422);
  const { submissionId } = await company.api.open([]);
  const approve = `/api/v1/submissions/${submissionId}/approve`;
  assert.is(await statusOf(company.api.post(approve, { unknown: 1 })), 422);
  assert.is(await statusOf(company.api.post(approve)), 409);
});

test('X-Request-Id is echoed, made when absent, refused when too long, and stands in every event [requests-6]', async () => {
  const { api } = company;
  const sent = await api.get('/api/v1/companies', { headers: { 'x-request-id': 'trace-1' } });
  assert.is(sent.headers.get('x-request-id'), 'trace-1');
  assert.ok((await api.get('/api/v1/companies')).headers.get('x-request-id'));
  const long = await api.get('/api/v1/companies', { headers: { 'x-request-id': 'x'.repeat(129) } });
  assert.equal([long.status, long.body.code], [400, 'malformed-request']);
  const { body } = await api.post(
    '/api/v1/workflows/receipt/sessions',
    {},
    { headers: { 'x-request-id': 'trace-2' } },
  );
  const { events } = await service.intake<Audited>('audit', body.sessionId);
  assert.equal(
    events.map(({ requestId }) => requestId),
    ['trace-2'],
  );
});

test('the events of the work that a request asked for bear its X-Request-Id too, each with what caused it [requests-6]', async () => {
  const { api } = company;
  const session = await api.open([receiptText()], { webhookUrl: `${service.receiver.url}/traced` });
  const submit = `/api/v1/workflows/receipt/sessions/${session.sessionId}/submit`;
  assert.is((await api.post(submit, undefined, { headers: { 'x-request-id': 'trace-3' } })).status, 202);
  await api.ended(session);
  const { events } = await service.intake<Audited>('audit', session.sessionId);
  const [, submitted, ...work] = events;
  assert.equal(
    work.map(({ type }) => type),
    ['submission.processing_started', 'submission.processed'],
  );
  for (const event of work) {
    assert.is(event.requestId, 'trace-3');
    assert.is(event.correlation, submitted?.correlation);
    assert.is(event.causation, submitted?.id);
  }
});
