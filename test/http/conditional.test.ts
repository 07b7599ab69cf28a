import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('ETag and If-Match');
let service: TestService;
let api: Client;
test.before(async () => {
  service = await sharedService();
  api = (await service.company()).api;
});

const pathOf = (id: string) => `/api/v1/submissions/${id}`;
const inReview = async (): Promise<string> => {
  const { submissionId } = await api.process([receiptText({ company: undefined })]);
  return submissionId;
};
const tagOf = async (id: string): Promise<string> => (await api.get(pathOf(id))).headers.get('etag') ?? '';
const decide = (id: string, what: string, ifMatch: string, body?: object) =>
  api.post(`${pathOf(id)}/${what}`, body, { headers: { 'if-match': ifMatch } });

test('the ETag of a submission is its stream revision, and moves with each of its events [conditions-1]', async () => {
  const session = await api.open([receiptText()]);
  assert.is(await tagOf(session.submissionId), '"0"');
  await api.submit(session);
  await api.ended(session);
  const { body, headers } = await api.get(pathOf(session.submissionId));
  assert.is(headers.get('etag'), `"${body.events.length - 1}"`);
});

for (const what of ['approve', 'reject', 'cancel'] as const) {
  test(`${what} heeds If-Match and answers the new revision [conditions-2]`, async () => {
    const id = await inReview();
    const tag = await tagOf(id);
    const stale = await decide(id, what, '"1"');
    assert.equal([stale.status, stale.body.code], [412, 'precondition-failed']);
    assert.is(await tagOf(id), tag);
    const done = await decide(id, what, tag);
    assert.is(done.status, 200, done.text);
    assert.is(done.headers.get('etag'), await tagOf(id));
    assert.is.not(done.headers.get('etag'), tag);
  });
}

test('404 and 422 come before 412, 409 after it [problems-2]', async () => {
  const id = await inReview();
  assert.is((await decide(`sub_${'0'.repeat(26)}`, 'approve', '"1"')).status, 404);
  assert.is((await decide(id, 'approve', '"1"', { corrections: { nothing: 1 } })).status, 422);
  const tag = await tagOf(id);
  await decide(id, 'reject', tag);
  assert.is((await decide(id, 'approve', tag)).status, 412);
  assert.is((await decide(id, 'approve', await tagOf(id))).status, 409);
  assert.is((await decide(id, 'approve', 'nonsense')).status, 400);
});

test('of two reviewers who saw the same revision the later one is told 412', async () => {
  const id = await inReview();
  const tag = await tagOf(id);
  const answers = await Promise.all([decide(id, 'approve', tag), decide(id, 'reject', tag)]);
  assert.equal(answers.map(({ status }) => status).sort(), [200, 412]);
});

test('other endpoints ignore If-Match', async () => {
  const headers = { 'if-match': 'nonsense' };
  const session = await api.open([receiptText()]);
  const submit = `/api/v1/workflows/receipt/sessions/${session.sessionId}/submit`;
  assert.is((await api.post(submit, undefined, { headers })).status, 202);
  assert.is((await api.get(`/api/v1/jobs/${session.sessionId}`, { headers })).status, 200);
  await eventually('its end', () => api.ended(session));
});

test('a GET with If-None-Match is a 304 without a body while the submission is as it was [conditions-3]', async () => {
  const id = await inReview();
  const tag = await tagOf(id);
  const ask = (ifNoneMatch: string) => api.get(pathOf(id), { headers: { 'if-none-match': ifNoneMatch } });
  for (const known of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
    const { status, text, headers } = await ask(known);
    assert.equal([status, text, headers.get('etag')], [304, '', tag], known);
  }
  assert.equal([(await ask('"0"')).status, (await ask('nonsense')).status], [200, 200]);
  await decide(id, 'approve', tag);
  assert.is((await ask(tag)).status, 200);
});

test('a foreign submission is a 404 whatever If-None-Match says [conditions-3]', async () => {
  const id = await inReview();
  const { api: other } = await service.company();
  assert.is((await other.get(pathOf(id), { headers: { 'if-none-match': '*' } })).status, 404);
});

test('the ETag of a workflow and of its contract is the version, and If-None-Match works with it [conditions-4]', async () => {
  for (const path of ['/api/v1/workflows/receipt', '/api/v1/workflows/receipt/versions/1']) {
    const { headers, body } = await api.get(path);
    const tag = headers.get('etag') ?? '';
    assert.is(tag, `"${body.version}"`);
    assert.is((await api.get(path, { headers: { 'if-none-match': tag } })).status, 304);
    assert.is((await api.get(path, { headers: { 'if-none-match': '"0"' } })).status, 200);
  }
});
