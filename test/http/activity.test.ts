import * as assert from 'uvu/assert';
import type { Activity } from '../../schemas/activity.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { PASSWORD, peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('activity over HTTP');
const ACTIVITY = '/api/v1/activity';
const REVIEWED = { ...receiptDefinition, processing: { review: 'always' } };
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: Awaited<ReturnType<TestService['company']>>;
let lead: Awaited<ReturnType<typeof people.user>>;
let auditor: Client;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  company = await service.company(REVIEWED);
  lead = await people.user(company.id);
  auditor = (await people.user(company.id, 'auditor')).api;
});
test.after(async () => {
  await people.close();
  await service.close();
});

const read = async (query = '', api = auditor, headers = {}): Promise<readonly Activity[]> => {
  const { status, body, text } = await api.get(`${ACTIVITY}?limit=100${query}`, { headers });
  assert.is(status, 200, text);
  return body.data;
};
/** The types of what was done about something, oldest first, once they are that many. */
const about = async (id: string, count: number) => {
  let rows: readonly Activity[] = [];
  await eventually(`${count} rows about ${id}`, async () => {
    rows = await read(`&subject=${id}`);
    return rows.length >= count;
  });
  return rows.toReversed().map(({ type, actor }) => `${type} ${actor.kind}:${actor.id}`);
};
const post = async (path: string, body: object = {}, api = lead.api) => {
  const answer = await api.post(path, body);
  assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  return answer.body;
};
const inReview = async (): Promise<string> => (await company.api.process([receiptText()])).submissionId;

test('what is done to people, log-ins and refused ones included, says who did it [activity-1, activity-2]', async () => {
  const { userId, email } = await people.user(company.id, 'reviewer');
  const by = `user:${lead.userId}`;
  const person = `/api/v1/people/${userId}`;
  await post(`${person}/role`, { role: 'auditor' });
  await people.logIn(email, 'a wrong password');
  const { token } = (await people.logIn(email)).body;
  const own = client(service.url, token);
  const change = { current: PASSWORD, password: 'another fine password' };
  assert.is((await own.post('/api/auth/password', change)).status, 204);
  await post(`${person}/disable`);
  await post(`${person}/enable`);
  const reset = await post(`${person}/reset`);
  assert.is((await people.complete(reset.token)).status, 201);
  // A refusal is recorded when it has been answered.
  const all = await about(userId, 10);
  const refused = 'user.log_in_failed system:log-in';
  assert.ok(all.includes(refused), String(all));
  const types = all.filter((one) => one !== refused);
  assert.match(String(types[0]), /^user\.created /);
  assert.equal(types.slice(1, -1), [
    `user.logged_in user:${userId}`,
    `user.role_changed ${by}`,
    `user.logged_in user:${userId}`,
    `user.password_changed user:${userId}`,
    `user.disabled ${by}`,
    `user.enabled ${by}`,
    `user.password_reset ${by}`,
  ]);
  assert.match(String(types.at(-1)), /^user\.password_chosen /);
  assert.equal(await about(reset.invitationId, 1), [`user.invited ${by}`]);
});

test('so does what is done to invitations, keys, endpoints and workflows [activity-1, activity-2]', async () => {
  const by = `user:${lead.userId}`;
  const email = people.newEmail();
  const invited = await post('/api/v1/invitations', { email, role: 'reviewer', companyId: company.id });
  await post(`/api/v1/invitations/${invited.id}/revoke`);
  assert.equal(await about(invited.id, 2), [`user.invited ${by}`, `invitation.revoked ${by}`]);
  const key = await post('/api/v1/keys', { companyId: company.id });
  await post(`/api/v1/keys/${key.id}/rotate`, { overlapSeconds: 60 });
  await post(`/api/v1/keys/${key.id}/revoke`);
  assert.equal(await about(key.id, 3), [`key.created ${by}`, `key.rotated ${by}`, `key.revoked ${by}`]);
  const endpoint = await post(
    '/api/v1/webhook-endpoints',
    { url: `${service.receiver.url}/activity` },
    company.api,
  );
  const path = `/api/v1/webhook-endpoints/${endpoint.id}`;
  for (const verb of ['rotate-secret', 'disable', 'enable']) await post(`${path}/${verb}`, {}, company.api);
  assert.is((await company.api.call('DELETE', path)).status, 204);
  const made = ['created', 'secret_rotated', 'disabled', 'enabled', 'deleted'];
  assert.equal(
    await about(endpoint.id, 5),
    made.map((what) => `endpoint.${what} key:${company.keyId}`),
  );
  await service.publish(REVIEWED);
  const [assigned, ...published] = await about(REVIEWED.slug, 2);
  assert.match(String(assigned), /^workflow\.assigned operator:/);
  assert.match(String(published), /^workflow\.published operator:/);
  assert.match(String(await about(company.id, 1)), /^company\.created operator:/);
});

test('so do decisions, redactions and exports, of which nothing private is told [activity-2, activity-3]', async () => {
  const submissionId = await inReview();
  const path = `/api/v1/submissions/${submissionId}`;
  await post(`${path}/legal-hold`, { reason: 'Mustermann' });
  assert.ok((await lead.api.call('DELETE', `${path}/legal-hold`)).status < 300);
  await post(`${path}/reject`, { reason: 'Mustermann' }, company.api);
  assert.is((await lead.api.get(`${path}/evidence`)).status, 200);
  const before = await read(`&subject=${submissionId}`);
  await post(`${path}/redact`, { reason: 'erasure', legalBasis: 'erasure_request' });
  const by = `user:${lead.userId}`;
  assert.equal(await about(submissionId, 5), [
    `submission.legal_hold_placed ${by}`,
    `submission.legal_hold_lifted ${by}`,
    `submission.rejected key:${company.keyId}`,
    `evidence.exported ${by}`,
    `submission.redaction_requested ${by}`,
  ]);
  await eventually('the redaction', async () => (await lead.api.get(path)).body.redaction === 'done');
  const after = await read(`&subject=${submissionId}`);
  assert.equal(after.slice(1), before);
  for (const row of await read()) {
    assert.equal(Object.keys(row).sort(), ['actor', 'at', 'id', 'subject', 'type']);
    assert.not.match(JSON.stringify(row), /Mustermann|erasure|@|127\.0\.0\.1/);
  }
});

test('filters are combined, and pages are newest first [activity-1, activity-4]', async () => {
  const [one, other] = [await inReview(), await inReview()];
  await post(`/api/v1/submissions/${one}/approve`);
  await post(`/api/v1/submissions/${other}/approve`, {}, company.api);
  const approved = '&type=submission.approved';
  await eventually('both', async () => (await read(approved)).length >= 2);
  const subjects = async (query: string) => (await read(query)).map(({ subject }) => subject.id);
  assert.equal(await subjects(`${approved}&actor=${lead.userId}`), [one]);
  assert.equal(await subjects(`${approved}&actor=${company.keyId}`), [other]);
  assert.equal(await subjects(`${approved}&subject=${one}`), [one]);
  assert.equal(await subjects(`${approved}&subject=${one}&actor=${company.keyId}`), []);
  const rows = await read();
  const times = rows.map(({ at }) => at);
  assert.equal(times, times.toSorted().toReversed());
  const since = rows.find(({ subject }) => subject.id === other)?.at ?? '';
  assert.equal(await subjects(`${approved}&createdAfter=${since}`), [other]);
  assert.equal(await subjects(`${approved}&createdBefore=${since}`), [one]);
  const first = (await auditor.get(`${ACTIVITY}?limit=1`)).body;
  const second = (await auditor.get(`${ACTIVITY}?limit=1&cursor=${first.pagination.nextCursor}`)).body;
  assert.equal([...first.data, ...second.data], rows.slice(0, 2));
  assert.is((await auditor.get(`${ACTIVITY}?type=submission.created`)).status, 400);
});

test('it is of one company, for those who oversee it [activity-1]', async () => {
  const foreign = await service.company(REVIEWED);
  const stranger = await people.user(foreign.id, 'auditor');
  const all = JSON.stringify(await read('', stranger.api));
  assert.ok(all.includes(stranger.userId));
  for (const id of [company.id, company.keyId, lead.userId]) assert.not.ok(all.includes(id), id);
  assert.equal(await read(`&actor=${lead.userId}`, stranger.api), []);
  assert.equal(await read(`&subject=${company.keyId}`, stranger.api), []);
  const { api } = await people.user();
  const named = await read(`&subject=${company.keyId}`, api, { 'intake-company': company.id });
  assert.is(named.length, 1);
  assert.is((await api.get(ACTIVITY)).body.code, 'company-required');
  const reviewer = await people.user(company.id, 'reviewer');
  assert.is((await reviewer.api.get(ACTIVITY)).status, 403);
  assert.is((await company.api.get(ACTIVITY)).status, 401);
});

test('test mode has its own keys and decisions, and the same people [activity-5]', async () => {
  const key = await post('/api/v1/keys', { companyId: company.id, mode: 'test' });
  const inTest = { 'intake-mode': 'test' };
  const subject = (id: string, headers = {}) => read(`&subject=${id}`, auditor, headers);
  assert.is((await subject(key.id, inTest)).length, 1);
  assert.equal(await subject(key.id), []);
  assert.equal(await subject(company.keyId, inTest), []);
  const live = await subject(lead.userId);
  assert.ok(live.length > 0);
  assert.equal(await subject(lead.userId, inTest), live);
});
