import * as assert from 'uvu/assert';
import { fraudStatuses } from '../../domain/submission/fraud.ts';
import { type Status, statuses } from '../../domain/submission/transitions.ts';
import { webhookEventTypes } from '../../domain/webhookEvents.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';

/** What the contract promises an integrator who tries every branch. */
const QUICK_MS = 5_000;

const test = suite('test mode');
let service: TestService;
let api: Client;
let companyId: string;

const definition = {
  ...receiptDefinition,
  processing: { ...receiptDefinition.processing, fraud: { checks: ['duplicate_file'] } },
};

test.before(async () => {
  service = await startService({ BATCH_GRACE: '1s', SWEEP: '1s' });
  const company = await service.company(definition, 'test');
  api = company.api;
  companyId = company.id;
});
test.after(() => service.close());

let count = 0;
/** Submits a receipt whose metadata force this; its webhooks go to a path of its own. */
const forcing = async (metadata: object, more: object = {}, by = api) => {
  count += 1;
  const path = `/forced-${count}`;
  const webhookUrl = `${service.receiver.url}${path}`;
  const session = await by.open([receiptText()], { metadata, webhookUrl, ...more });
  assert.is((await by.submit(session)).status, 202);
  return { ...session, path };
};
type Session = Awaited<ReturnType<typeof forcing>>;

/** The webhooks that a path is to get, in order, and no other. */
const expected = new Map<string, readonly string[]>();

const reaches = (session: Session, status: string, by = api) =>
  eventually(
    `${session.sessionId} in ${status}`,
    async () => {
      const { body } = await by.job(session);
      return body.submissionStatus === status && body;
    },
    QUICK_MS,
  );
const detailOf = async (session: Session, by = api) =>
  (await by.get(`/api/v1/submissions/${session.submissionId}`)).body;
const toldAt = (path: string): readonly string[] =>
  service.receiver.requests
    .filter((request) => request.path === path)
    .map(({ body }) => JSON.parse(body.toString()).eventType);
const heard = (path: string, type: string) =>
  eventually(
    `${type} at ${path}`,
    async () => {
      const told = service.receiver.requests
        .filter((request) => request.path === path)
        .map(({ body }) => JSON.parse(body.toString()));
      return told.find(({ eventType }) => eventType === type);
    },
    QUICK_MS,
  );

/** The job's state and the webhooks, in order, of each forced status. */
const ends: Readonly<Record<Status, readonly [state: string, ...webhooks: readonly string[]]>> = {
  created: ['queued'],
  processing: ['processing'],
  capture_quality_blocked: ['failed', 'session.failed'],
  failed: ['failed', 'session.failed'],
  review: ['completed', 'session.review_required'],
  approved: ['completed', 'session.completed'],
  synced: ['completed', 'session.completed'],
  rejected: ['completed', 'session.review_required', 'submission.rejected'],
  cancelled: ['cancelled', 'submission.cancelled'],
};

for (const status of statuses) {
  const [state, ...webhooks] = ends[status];
  test(`intake:outcome ${status}: state ${state}, ${webhooks.join(' and ') || 'no webhook'} [test-mode-2]`, async () => {
    const session = await forcing({ 'intake:outcome': status, own: 1 });
    const job = await reaches(session, status);
    assert.is(job.state, state);
    assert.equal(job.metadata, { 'intake:outcome': status, own: 1 });
    for (const type of webhooks) await heard(session.path, type);
    expected.set(session.path, webhooks);
  });
}

for (const fraud of fraudStatuses)
  test(`intake:fraud ${fraud} alone: the files are read, and the checks come to that [test-mode-3]`, async () => {
    const session = await forcing({ 'intake:fraud': fraud });
    await reaches(session, fraud === 'clean' ? 'approved' : 'review');
    const detail = await detailOf(session);
    assert.equal([detail.fraudStatus, detail.extractedData.total], [fraud, 80.9]);
  });

test('a forced match is open, told of, and can be resolved; then it is approved by hand [test-mode-3]', async () => {
  const session = await forcing({ 'intake:outcome': 'review', 'intake:fraud': 'blocked' });
  await reaches(session, 'review');
  const at = `/api/v1/submissions/${session.submissionId}`;
  const matches = (await api.get(`${at}/fraud-matches`)).body.data;
  assert.equal(
    matches.map(({ status, score, details }: Record<string, unknown>) => [status, score, details]),
    [['open', 1, { forced: true }]],
  );
  assert.is((await api.post(`${at}/approve`, {})).body.code, 'fraud-unresolved');
  const resolved = await api.post(`${at}/fraud-matches/${matches[0].id}/resolve`, {
    resolution: 'dismissed',
  });
  assert.is(resolved.status, 200, resolved.text);
  await heard(session.path, 'submission.fraud_match_resolved');
  assert.is((await api.post(`${at}/approve`, {})).status, 200);
  await heard(session.path, 'submission.approved');
});

test('approved although flagged: through a review that test mode ends', async () => {
  const session = await forcing({ 'intake:outcome': 'approved', 'intake:fraud': 'flagged' });
  await reaches(session, 'approved');
  await heard(session.path, 'session.review_required');
  await heard(session.path, 'submission.approved');
});

test('a redaction is told of in test mode too', async () => {
  const session = await forcing({ 'intake:outcome': 'failed' });
  await heard(session.path, 'session.failed');
  const request = { reason: 'article 17', legalBasis: 'erasure_request' };
  assert.is((await api.post(`/api/v1/submissions/${session.submissionId}/redact`, request)).status, 202);
  await heard(session.path, 'submission.redacted');
});

test('batch.completed comes, and with it every webhook type has been heard', async () => {
  const batchRef = 'forced';
  const session = await forcing({ 'intake:outcome': 'failed' }, { batchRef });
  await heard(session.path, 'batch.completed');
  const types = new Set(
    service.receiver.requests.map(({ body }) => JSON.parse(body.toString()).eventType as string),
  );
  assert.equal([...types].sort(), [...webhookEventTypes].sort());
  // Attempts race: no order of arrival is promised.
  for (const [path, webhooks] of expected) assert.equal([...toldAt(path)].sort(), [...webhooks].sort(), path);
});

test('extractedData are made up in the types of the version’s fields', async () => {
  const session = await forcing({ 'intake:outcome': 'approved' });
  await reaches(session, 'approved');
  const { extractedData, confidence } = await detailOf(session);
  assert.equal(extractedData, { company: 'Sample company', date: '2026-01-31', total: 12.34 });
  assert.is(confidence, 0.99);
});

test('the same file twice is no fraud when the first was forced: forced ones are matched with nothing', async () => {
  const file = receiptText({ company: 'Only here' });
  const first = await api.process([file], { metadata: { 'intake:outcome': 'approved' } });
  const second = await api.process([file]);
  assert.equal([first.submissionStatus, second.submissionStatus], ['approved', 'approved']);
});

test('what can’t be forced is refused by name, and opens nothing [test-mode-4]', async () => {
  const refused = async (metadata: object): Promise<readonly string[]> => {
    const { status, body } = await api.post('/api/v1/workflows/receipt/sessions', { metadata });
    assert.equal([status, body.code], [422, 'validation-failed']);
    return body.errors.map(({ pointer }: { pointer: string }) => pointer);
  };
  assert.equal(await refused({ 'intake:outcome': 'expired' }), ['/metadata/intake:outcome']);
  assert.equal(await refused({ 'intake:fraud': true }), ['/metadata/intake:fraud']);
  assert.equal(await refused({ 'intake:outcome': 'failed', 'intake:fraud': 'clean' }), [
    '/metadata/intake:fraud',
  ]);
});

test('a live key’s metadata force nothing, and neither mode sees the other [test-mode-1]', async () => {
  const live = (await service.key(companyId)).api;
  const session = await forcing({ 'intake:outcome': 'failed' }, {}, live);
  await reaches(session, 'approved', live);
  const forced = await forcing({ 'intake:outcome': 'approved' });
  await reaches(forced, 'approved');
  assert.is((await live.get(`/api/v1/submissions/${forced.submissionId}`)).status, 404);
  assert.is((await api.get(`/api/v1/submissions/${session.submissionId}`)).status, 404);
});
