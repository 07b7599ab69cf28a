import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { failureOf, hanging, json, problem, scripted } from './fakes.ts';

const test = suite('client: requests');

const approve = '/api/v1/submissions/{submissionId}/approve';
const path = { submissionId: 'sub_1' };
const refused = () =>
  new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:3000') });

test('a request has the address, the key, the query and the body; its answer is the body', async () => {
  const { intake, sent } = scripted([json(200, { data: [] }), json(200, { submissionStatus: 'approved' })]);
  assert.equal(await intake.get('/api/v1/submissions', { query: { status: 'review', limit: 5 } }), {
    data: [],
  });
  await intake.post(approve, {
    path,
    body: { comment: 'ok' },
    ifMatch: '"7"',
    headers: { 'X-Request-Id': 'r' },
  });
  assert.is(sent[0]?.url, 'https://intake.example/api/v1/submissions?status=review&limit=5');
  assert.is(sent[0]?.headers.get('authorization'), 'Bearer aok_1');
  assert.is(sent[0]?.headers.get('idempotency-key'), null);
  assert.is(sent[1]?.url, 'https://intake.example/api/v1/submissions/sub_1/approve');
  assert.is(sent[1]?.headers.get('if-match'), '"7"');
  assert.is(sent[1]?.headers.get('x-request-id'), 'r');
  assert.is(sent[1]?.body, '{"comment":"ok"}');
});

test('values of the path are encoded, and a missing one is named', async () => {
  const { intake, sent } = scripted([json(200, {})]);
  await intake.get('/api/v1/jobs/{sessionId}', { path: { sessionId: 'a/../b?c' } });
  assert.is(sent[0]?.url, 'https://intake.example/api/v1/jobs/a%2F..%2Fb%3Fc');
  await rejects(() => intake.get('/api/v1/jobs/{sessionId}', { path: { sessionId: '' } }), /sessionId/);
});

const rejects = async (task: () => Promise<unknown>, what: RegExp): Promise<void> => {
  const error = await task().catch((thrown: unknown) => thrown);
  assert.match(String(error), what);
};

test('what may pass is sent again, with pauses that grow, under the same Idempotency-Key [client-2]', async () => {
  const { intake, sent, pauses } = scripted([
    refused(),
    problem(503, 'unavailable', true),
    problem(500, 'internal-error', true),
    new Response('<html>', { status: 502 }),
    json(200, { submissionStatus: 'approved' }),
  ]);
  assert.equal(await intake.post(approve, { path }), { submissionStatus: 'approved' });
  assert.equal(pauses, [125, 250, 500, 1000]);
  const keys = new Set(sent.map(({ headers }) => headers.get('idempotency-key')));
  assert.is(keys.size, 1);
  assert.match([...keys][0] ?? '', /^[0-9a-f-]{36}$/);
});

test('a pause is at most eight seconds, and never shorter than Retry-After asks, in seconds or as a date [client-2]', async () => {
  const date = new Date(Date.parse('2026-11-21T10:46:30Z')).toUTCString();
  const many = Array.from({ length: 8 }, refused);
  const { intake, pauses } = scripted([...many, json(200, {})]);
  await intake.get('/api/v1/companies');
  assert.equal(pauses, [125, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  const asked = scripted([
    problem(429, 'rate-limited', true, { 'retry-after': '7' }),
    problem(503, 'unavailable', true, { 'retry-after': date }),
    json(200, {}),
  ]);
  await asked.intake.get('/api/v1/companies');
  assert.equal(asked.pauses, [7125, 30_000 - 7125 + 250]);
});

test('by default half a minute without the service is ridden out [client-2]', async () => {
  const { intake, pauses } = scripted(Array.from({ length: 16 }, refused));
  const { code, retryable, status, message, problem } = await failureOf(intake.get('/api/v1/companies'));
  assert.equal(
    { code, retryable, status, problem },
    { code: 'unreachable', retryable: true, status: null, problem: null },
  );
  assert.match(message, /^GET https:\/\/intake\.example\/api\/v1\/companies: connect ECONNREFUSED/);
  assert.is(pauses.length, 15);
  assert.ok(pauses.reduce((sum, ms) => sum + ms, 0) > 30_000);
});

test('what will not pass fails at once, as a problem with its code', async () => {
  const { intake, pauses } = scripted([problem(412, 'precondition-failed', false)]);
  const error = await failureOf(intake.post(approve, { path, ifMatch: '"1"' }));
  assert.is(error.code, 'precondition-failed');
  assert.is(error.status, 412);
  assert.is(error.requestId, 'req-1');
  assert.is(error.problem?.detail, 'It was precondition-failed.');
  assert.equal(pauses, []);
});

test('maxRetries and timeoutMs hold for a client and for a call', async () => {
  const { intake, pauses } = scripted([refused(), refused(), refused()], { maxRetries: 1 });
  await failureOf(intake.get('/api/v1/companies'));
  await failureOf(intake.get('/api/v1/companies', { maxRetries: 0 }));
  assert.is(pauses.length, 1);
  const late = scripted([hanging, hanging], { timeoutMs: 5, maxRetries: 1 });
  const { code } = await failureOf(late.intake.get('/api/v1/companies'));
  assert.is(code, 'timed-out');
  assert.is(late.sent.length, 2);
});

test('an aborted signal ends a call with its reason, also in a pause', async () => {
  const reason = new Error('enough');
  const { intake, sent } = scripted([refused()]);
  await rejects(() => intake.get('/api/v1/companies', { signal: AbortSignal.abort(reason) }), /enough/);
  assert.is(sent.length, 0);
});

test('a POST without an Idempotency-Key of the service is not sent again when its answer is lost', async () => {
  const { intake, sent } = scripted([refused()]);
  const { retryable } = await failureOf(
    intake.post('/api/auth/sessions', { body: { email: 'a@b.example', password: 'x' } }),
  );
  assert.not.ok(retryable);
  assert.is(sent[0]?.headers.get('idempotency-key'), null);
  assert.is(sent.length, 1);
});

test('nor when a proxy answers in place of the service', async () => {
  const { intake, sent } = scripted([json(504, {})]);
  const { retryable } = await failureOf(
    intake.post('/api/auth/sessions', { body: { email: 'a@b.example', password: 'x' } }),
  );
  assert.not.ok(retryable);
  assert.is(sent.length, 1);
});

test('a value that would name another path is not sent', async () => {
  const { intake, sent } = scripted([]);
  const path = { submissionId: '..' };
  await rejects(() => intake.get('/api/v1/submissions/{submissionId}', { path }), /submissionId/);
  assert.is(sent.length, 0);
});

test('a service that asks for a very long pause is not waited for', async () => {
  const { intake, pauses } = scripted([problem(429, 'rate-limited', true, { 'retry-after': '600' })]);
  const { retryAfterMs } = await failureOf(intake.get('/api/v1/companies'));
  assert.is(retryAfterMs, 600_000);
  assert.equal(pauses, []);
});

test('maxPauseMs is the longest pause that is waited for', async () => {
  const asked = (seconds: string) => problem(429, 'rate-limited', true, { 'retry-after': seconds });
  const { intake, pauses } = scripted([asked('2'), asked('3')], { maxPauseMs: 2_000 });
  assert.is((await failureOf(intake.get('/api/v1/companies'))).retryAfterMs, 3_000);
  assert.equal(pauses, [2_125]);
});

test('with ifNoneMatch what has not changed has status 304 and no body', async () => {
  const tagged = json(200, { data: [] }, { etag: '"2"' });
  const { intake, sent } = scripted([new Response(null, { status: 304 }), tagged]);
  const path = '/api/v1/review-queue';
  const same = await intake.request('get', path, { ifNoneMatch: '"1"', query: { limit: 5 } });
  assert.equal([same.status, same.body], [304, undefined]);
  const other = await intake.request('get', path, { ifNoneMatch: null });
  assert.equal([other.etag, other.body?.data], ['"2"', []]);
  assert.equal(
    sent.map(({ headers }) => headers.get('if-none-match')),
    ['"1"', null],
  );
  assert.match(sent[0]?.url ?? '', /limit=5$/);
});

test('a page in the place of an answer is none', async () => {
  const page = new Response('<html>', { headers: { 'content-type': 'text/html' } });
  const { intake, sent } = scripted([page]);
  const { code, status, retryable } = await failureOf(intake.get('/api/v1/companies'));
  assert.equal([code, status, retryable], ['unexpected-answer', 200, false]);
  assert.is(sent.length, 1);
});
