import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, type Reply, receiptText } from '../support/client.ts';
import { peopleOf } from '../support/people.ts';
import { sendFile } from '../support/sendFile.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('Idempotency-Key over HTTP');
let service: TestService;
let api: Client;
test.before(async () => {
  service = await sharedService();
  api = (await service.company()).api;
});

const SESSIONS = '/api/v1/workflows/receipt/sessions';
const post = (path: string, key: string, body: object = {}): Promise<Reply> =>
  api.post(path, body, { headers: { 'idempotency-key': key } });
const isReplayed = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === 'true';
const withoutUrls = ({ uploads, ...rest }: Reply['body']) => ({
  ...rest,
  uploads: uploads.map(({ url: _url, fields: _fields, ...slot }: Reply['body']) => slot),
});
/** What is signed: the address of a PUT, the fields of a form. */
const signedIn = ({ uploads: [{ url, fields }] }: Reply['body']): string => JSON.stringify([url, fields]);

test('a session is opened once; a replay signs its upload addresses anew [idempotency-12]', async () => {
  const input = { clientSubmissionId: 'once', metadata: { secret: 'word' } };
  const first = await post(SESSIONS, 'open', input);
  // Addresses are signed by the second.
  const again = await eventually('another second', async () => {
    const replay = await post(SESSIONS, 'open', input);
    return signedIn(replay.body) === signedIn(first.body) ? null : replay;
  });
  assert.equal([first.status, isReplayed(first), again.status, isReplayed(again)], [201, false, 201, true]);
  assert.equal(withoutUrls(again.body), withoutUrls(first.body));
  assert.is(again.headers.get('location'), first.headers.get('location'));
  const { content, mimeType } = receiptText();
  assert.is((await sendFile(again.body.uploads[0], content, mimeType)).status, 200);
  assert.is((await api.get('/api/v1/submissions?clientSubmissionId=once')).body.data.length, 1);
});

test('a submit is answered as it was answered first, whatever has become of the job', async () => {
  const session = await api.open([receiptText()], { metadata: { a: 1 } });
  const path = `${SESSIONS}/${session.sessionId}/submit`;
  const first = await post(path, 'submit');
  await api.ended(session);
  const again = await post(path, 'submit');
  assert.equal([again.status, isReplayed(again), again.text], [202, true, first.text]);
  assert.is(again.headers.get('retry-after'), first.headers.get('retry-after'));
});

test('fresh upload addresses are given again after the session was submitted', async () => {
  const session = await api.open([receiptText()]);
  const path = `${SESSIONS}/${session.sessionId}/uploads`;
  const first = await post(path, 'uploads');
  await api.submit(session);
  assert.is((await post(path, 'others')).status, 409);
  const again = await post(path, 'uploads');
  assert.equal([again.status, isReplayed(again)], [200, true]);
  assert.equal(withoutUrls(again.body), withoutUrls(first.body));
});

test('a decision is made once, and its ETag is that of then', async () => {
  const { submissionId } = await api.process([receiptText({ company: undefined })]);
  const path = `/api/v1/submissions/${submissionId}/approve`;
  const first = await post(path, 'approve', { comment: 'fine' });
  const again = await post(path, 'approve', { comment: 'fine' });
  assert.equal([again.status, isReplayed(again), again.text], [200, true, first.text]);
  assert.is(again.headers.get('etag'), first.headers.get('etag'));
  const other = await post(path, 'approve', { comment: 'not fine' });
  assert.equal([other.status, other.body.code], [422, 'idempotency-key-reused']);
  const late = await post(path, 'late');
  const replayed = await post(path, 'late');
  assert.equal([late.status, replayed.status, isReplayed(replayed)], [409, 409, true]);
  assert.equal([replayed.body.currentStatus, replayed.body.allowedFrom], ['approved', ['review']]);
});

test('a webhook is tested once', async () => {
  const webhookUrl = `${service.receiver.url}/tested`;
  const first = await post('/api/v1/webhooks/test', 'test', { webhookUrl });
  const again = await post('/api/v1/webhooks/test', 'test', { webhookUrl });
  assert.equal([first.status, isReplayed(again), again.text], [200, true, first.text]);
  assert.is(service.receiver.requests.filter(({ path }) => path === '/tested').length, 1);
});

test('another key of the company, and a revoked one, get nothing of it', async () => {
  const { id } = await service.company();
  const [one, other] = [await service.key(id), await service.key(id)];
  const send = (by: Client) => by.post(SESSIONS, {}, { headers: { 'idempotency-key': 'shared' } });
  const first = await send(one.api);
  const second = await send(other.api);
  assert.equal([first.status, second.status, isReplayed(second)], [201, 201, false]);
  assert.is.not(first.body.sessionId, second.body.sessionId);
  await service.intake('key', 'revoke', one.id);
  assert.is((await send(one.api)).status, 403);
});

test('every POST under /api/v1 heeds it, and no other one says that it does', async () => {
  const { paths } = (await api.get('/openapi.json')).body;
  const parameter = '#/components/parameters/Idempotency-Key';
  const posts = Object.keys(paths).filter((path) => paths[path].post);
  assert.ok(posts.length > 8);
  const people = await peopleOf(service);
  const { id: companyId } = await service.company();
  const { api: person } = await people.user();
  await people.close();
  for (const path of posts) {
    const heeds = path.startsWith('/api/v1/');
    const named = paths[path].post.parameters.some(({ $ref }: { $ref?: string }) => $ref === parameter);
    assert.is(named, heeds, path);
    if (!heeds) continue;
    const nowhere = path.replaceAll(/\{\w+\}/g, 'nowhere');
    const isForKeys = paths[path].post.security.some((scheme: object) => 'apiKey' in scheme);
    const headers = { 'idempotency-key': 'anywhere', ...(isForKeys ? {} : { 'intake-company': companyId }) };
    const send = () => (isForKeys ? api : person).post(nowhere, {}, { headers });
    const [first, again] = [await send(), await send()];
    assert.equal([isReplayed(first), isReplayed(again)], [false, true], `${path} ${again.text}`);
    assert.is(again.status, first.status, path);
  }
});
