import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import type { Client, Reply } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('failed submissions');
let service: TestService;
const SLUG = 'second-chances';
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: Awaited<ReturnType<TestService['company']>>;
test.before(async () => {
  service = await sharedService();
  people = await peopleOf(service);
  const { processing } = receiptDefinition;
  company = await service.company({
    ...receiptDefinition,
    slug: SLUG,
    processing: { ...processing, requireComplete: true },
  });
});
test.after(() => people.close());

const failed = async (input: object = {}): Promise<string> => {
  const job = await company.api.process([{ content: '{', mimeType: 'application/json' }], input, SLUG);
  assert.is(job.submissionStatus, 'failed');
  return job.submissionId;
};
const decide = (
  id: string,
  what: string,
  body?: object,
  headers = {},
  api: Client = company.api,
): Promise<Reply> => api.post(`/api/v1/submissions/${id}/${what}`, body, { headers });
const detail = async (id: string) => (await company.api.get(`/api/v1/submissions/${id}`)).body;
const typesTo = (path: string): readonly string[] =>
  service.receiver.requests
    .filter((request) => request.path === path)
    .map(({ body }) => JSON.parse(body.toString()).eventType);

test('a key has a failed one processed again: a new round, its webhook, and who and why [lifecycle-21, review-19]', async () => {
  const id = await failed({ webhookUrl: `${service.receiver.url}/again` });
  const { status, body } = await decide(id, 'reprocess', { reason: 'mended', actor: 'ann' });
  assert.equal([status, body.submissionStatus, body.missing], [200, 'processing', []]);
  await eventually('the webhook of the second round', () => typesTo('/again').length === 2);
  assert.equal(typesTo('/again'), ['session.failed', 'session.failed']);
  const requested = (await detail(id)).events.find(
    ({ type }: { type: string }) => type === 'submission.reprocessing_requested',
  );
  assert.equal(requested.details, { round: 2, reason: 'mended', actor: 'ann' });
});

test('a reviewer types the values of a failed one: it waits with empty fields, and needs them all [lifecycle-23, webhooks-8]', async () => {
  const batchRef = 'entered';
  const id = await failed({ webhookUrl: `${service.receiver.url}/entered`, batchRef });
  const { userId, api } = await people.user(company.id, 'reviewer');
  const { status, body } = await decide(id, 'enter', { reason: 'torn' }, {}, api);
  assert.equal([status, body.submissionStatus], [200, 'review']);
  const read = await detail(id);
  assert.equal(read.extractedData, { company: null, date: null, total: null });
  assert.equal(
    read.reviewReasons,
    ['company', 'date', 'total'].map((field) => ({ code: 'missing_required', field })),
  );
  assert.equal([read.failedReason, read.fraudStatus, read.confidence], [null, null, 0]);
  const { data, counts } = (await api.get('/api/v1/review-queue?reason=missing_required')).body;
  const row = data.find((one: { id: string }) => one.id === id);
  assert.equal([row.fraudStatus, row.confidence, row.waitingSince], [null, 0, read.updatedAt]);
  assert.ok(counts.waiting >= 1);
  assert.is((await company.api.get(`/api/v1/batches/${batchRef}`)).body.counts.review, 1);
  const events = (await company.api.get(`/api/v1/submissions/${id}/events?limit=100`)).body.data;
  const { type, actor, details } = events.at(-1);
  assert.equal([type, actor], ['submission.opened_for_entry', { kind: 'user', id: userId }]);
  assert.equal(details, { round: 2, reason: 'torn', actor: null });
  await eventually('the second webhook', () => typesTo('/entered').length === 2);
  assert.equal(typesTo('/entered'), ['session.failed', 'session.review_required']);
  const some = await decide(id, 'approve', { corrections: { company: 'ACME', total: 5 } }, {}, api);
  assert.equal([some.status, some.body.errors[0].pointer], [422, '/corrections/date']);
  const corrections = { company: 'ACME', total: 5, date: '2026-11-20' };
  assert.is((await decide(id, 'approve', { corrections }, {}, api)).status, 200);
  const { extractedData, submissionStatus } = await detail(id);
  assert.equal([submissionStatus, extractedData], ['approved', corrections]);
});

for (const [what, code] of [
  ['reprocess', 'submission-not-reprocessable'],
  ['enter', 'submission-not-enterable'],
] as const)
  test(`${what} heeds If-Match and Idempotency-Key, and is a 409 afterwards [review-19, conditions-2]`, async () => {
    const id = await failed();
    const reason = { reason: 'torn' };
    const stale = await decide(id, what, reason, { 'if-match': '"1"' });
    assert.equal([stale.status, stale.body.code], [412, 'precondition-failed']);
    const { headers } = await company.api.get(`/api/v1/submissions/${id}`);
    const conditions = { 'if-match': headers.get('etag') ?? '', 'idempotency-key': `once-${what}` };
    const first = await decide(id, what, reason, conditions);
    assert.is(first.status, 200, first.text);
    const replayed = await decide(id, what, reason, conditions);
    assert.equal([replayed.body, replayed.headers.get('idempotency-replayed')], [first.body, 'true']);
    if (what === 'reprocess') return;
    const again = await decide(id, what, reason);
    assert.equal([again.status, again.body.code, again.body.currentStatus], [409, code, 'review']);
    assert.equal(again.body.allowedFrom, ['failed', 'capture_quality_blocked']);
    const processed = await decide(id, 'reprocess');
    assert.equal([processed.status, processed.body.code], [409, 'submission-not-reprocessable']);
  });

test('values are typed for a reason, by who may decide, and a person is the actor [review-19, people-1]', async () => {
  const id = await failed();
  for (const body of [{}, { reason: null }, { reason: '' }, { reason: ' ' }, { reason: 'x'.repeat(1001) }])
    assert.is((await decide(id, 'enter', body)).status, 422, JSON.stringify(body));
  const [auditor, reviewer] = await Promise.all(
    (['auditor', 'reviewer'] as const).map((role) => people.user(company.id, role)),
  );
  for (const what of ['reprocess', 'enter']) {
    const refused = await decide(id, what, { reason: 'torn' }, {}, auditor?.api);
    assert.equal([refused.status, refused.body.code], [403, 'role-required']);
    const named = await decide(id, what, { reason: 'torn', actor: 'ann' }, {}, reviewer?.api);
    assert.equal([named.status, named.body.errors[0].pointer], [422, '/actor']);
  }
  assert.is((await detail(id)).submissionStatus, 'failed');
});
