import * as assert from 'uvu/assert';
import { systemClock } from '../../kernel/clock.ts';
import type { DocumentStore, Tables } from '../../stores/documents/port.ts';
import { sqliteDocumentStore } from '../../stores/documents/sqlite.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, type Reply, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { fraudCompany, newReceipt, sent } from '../support/fraud.ts';
import { sendFile } from '../support/sendFile.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('a crash between an append and its record');
let service: TestService;
let company: Awaited<ReturnType<TestService['company']>>;
let api: Client;
let documents: DocumentStore;
let tables: Tables;
test.before(async () => {
  service = await startService();
  company = await service.company();
  api = company.api;
  documents = sqliteDocumentStore({ folder: service.dataDir, clock: systemClock });
  tables = documents.tables;
});
test.after(async () => {
  await documents.close();
  await service.close();
});

let named = 0;
type Post = (headers?: Readonly<Record<string, string>>) => Promise<Reply>;
/** A POST that is sent under one key however often it is called. */
const posting = (path: string, body: object = {}): Post => {
  named += 1;
  const key = `order-${named}`;
  return (headers = {}) => api.post(path, body, { headers: { 'idempotency-key': key, ...headers } });
};

/** Leaves the records as a crash after the append leaves them, 15 seconds ago: begun, with nothing kept. */
const crash = async (): Promise<void> => {
  const runningSince = new Date(Date.now() - 15_000).toISOString();
  for (const { key, row, version } of await tables.list<object>('idempotency'))
    await tables.replace('idempotency', key, version, { ...row, runningSince, outcome: null });
};
const told = ({ status, body, headers }: Reply) => ({ status, body, etag: headers.get('etag') });
const isFirst = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === null;
const eventsOf = async (submissionId: string): Promise<readonly string[]> =>
  (await api.get(`/api/v1/submissions/${submissionId}`)).body.events.map(
    ({ type }: { type: string }) => type,
  );
const inReview = async (): Promise<string> =>
  (await api.process([receiptText({ company: undefined })])).submissionId;

test('opens no second session, and answers as the first would have, with addresses that take files [idempotency-10]', async () => {
  const input = { clientSubmissionId: 'crashed', metadata: { a: 1 }, batchRef: 'b' };
  const post = posting('/api/v1/workflows/receipt/sessions', input);
  const first = await post();
  await crash();
  const again = await post();
  assert.equal([again.status, isFirst(again)], [201, true]);
  const slots = ({ uploads, ...rest }: Reply['body']) => ({
    ...rest,
    uploads: uploads.map(({ url: _, ...slot }: Reply['body']) => slot),
  });
  assert.equal(slots(again.body), slots(first.body));
  assert.is(again.headers.get('location'), first.headers.get('location'));
  const { content, mimeType } = receiptText();
  const put = await sendFile(again.body.uploads[0], content, mimeType);
  assert.is(put.status, 200);
  assert.is((await api.get('/api/v1/submissions?clientSubmissionId=crashed')).body.data.length, 1);
  assert.is((await post()).headers.get('idempotency-replayed'), 'true');
});

test(
  'answers for a session whose workflow has been taken from the company since',
  async () => {
    const other = await service.company({ ...receiptDefinition, slug: 'lost' });
    const path = '/api/v1/workflows/lost/sessions';
    const post = () => other.api.post(path, {}, { headers: { 'idempotency-key': 'lost' } });
    const first = await post();
    await crash();
    await service.intake('workflow', 'unassign', 'lost', '--company', other.id);
    assert.is((await other.api.post(path, {})).status, 404);
    assert.is((await post()).body.sessionId, first.body.sessionId);
  },
  { timeoutMs: 60_000 },
);

test('submits once, though the session was cancelled meanwhile', async () => {
  const { sessionId, submissionId } = await api.open([receiptText({ company: undefined })]);
  const post = posting(`/api/v1/workflows/receipt/sessions/${sessionId}/submit`);
  assert.is((await post()).status, 202);
  await api.ended({ sessionId });
  await api.post(`/api/v1/submissions/${submissionId}/cancel`);
  await crash();
  const again = await post();
  assert.equal([again.status, isFirst(again), again.body.sessionId], [202, true, sessionId]);
  assert.is((await eventsOf(submissionId)).filter((type) => type === 'session.submitted').length, 1);
});

for (const what of ['approve', 'reject', 'cancel']) {
  test(`${what}s once, and answers with the revision of then, though If-Match names the one before [idempotency-11]`, async () => {
    const id = await inReview();
    const etag = (await api.get(`/api/v1/submissions/${id}`)).headers.get('etag') ?? '';
    const post = posting(`/api/v1/submissions/${id}/${what}`);
    const first = await post({ 'if-match': etag });
    assert.is(first.status, 200);
    const before = await eventsOf(id);
    await crash();
    const again = await post({ 'if-match': etag });
    assert.ok(isFirst(again));
    assert.equal(told(again), told(first));
    assert.equal(await eventsOf(id), before);
    assert.is(
      (await api.post(`/api/v1/submissions/${id}/${what}`)).status,
      409,
      'without the key it is a repetition',
    );
  });
}

test('resolves a fraud match once, and answers as it was resolved then', async () => {
  const fraud = await fraudCompany(service, ['file']);
  const { copy } = newReceipt();
  await sent(fraud.api, 'file', [copy()]);
  const { id, fraudMatches } = await sent(fraud.api, 'file', [copy()]);
  const path = `/api/v1/submissions/${id}`;
  const ifMatch = (await fraud.api.get(path)).headers.get('etag') ?? '';
  const post = () =>
    fraud.api.post(
      `${path}/fraud-matches/${fraudMatches[0].id}/resolve`,
      { resolution: 'dismissed', resolvedBy: 'ann' },
      { headers: { 'idempotency-key': 'resolve', 'if-match': ifMatch } },
    );
  const first = await post();
  assert.is(first.status, 200, first.text);
  await fraud.api.post(`${path}/approve`);
  await crash();
  assert.equal(told(await post()), told(first));
  const { events } = (await fraud.api.get(path)).body;
  const resolved = events.filter(({ type }: { type: string }) => type === 'submission.fraud_match_resolved');
  assert.is(resolved.length, 1);
});

test('sends a delivery again once', async () => {
  const webhookUrl = `${service.receiver.url}/again`;
  const job = await api.process([receiptText()], { webhookUrl });
  const delivered = () =>
    eventually('its delivery', async () => (await api.job(job)).body.webhookDeliveryStatus === 'delivered');
  await delivered();
  const { data } = (await api.get(`/api/v1/webhook-deliveries?sessionId=${job.sessionId}`)).body;
  const post = posting(`/api/v1/webhook-deliveries/${data[0].eventId}/redeliver`);
  const first = await post();
  await eventually('it comes again', () => received('/again') === 2);
  await delivered();
  await crash();
  assert.equal([told(await post()), first.body.count], [told(first), 1]);
  const { attempts } = (await api.get(`/api/v1/webhook-deliveries/${data[0].eventId}`)).body;
  assert.equal([attempts.length, received('/again')], [2, 2]);
});

const received = (path: string): number =>
  service.receiver.requests.filter((request) => request.path === path).length;

test('a decision that was never made is refused when another one was', async () => {
  const id = await inReview();
  const path = `/api/v1/submissions/${id}/approve`;
  const post = posting(path, { corrections: { nothing: 1 } });
  assert.is((await post()).status, 422);
  await crash();
  await api.post(`/api/v1/submissions/${id}/reject`);
  assert.is((await post()).status, 422);
  const late = posting(path);
  assert.is((await late()).status, 409);
  await crash();
  assert.equal((await late()).body.currentStatus, 'rejected');
});
