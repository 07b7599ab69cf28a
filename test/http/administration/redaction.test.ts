import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { invitationStream } from '../../../domain/invitation.ts';
import { userStream } from '../../../domain/user.ts';
import { REDACTED } from '../../../kernel/event.ts';
import { logInsOf } from '../../controls/logIns.ts';
import { eventually, suite } from '../../harness.ts';
import { type Client, type Reply, receiptText } from '../../support/client.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('redaction of people and invitations');
const BASIS = { reason: 'left for good', legalBasis: 'erasure_request', requestedBy: 'ticket 4711' };
type User = Awaited<ReturnType<typeof people.user>>;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: Awaited<ReturnType<TestService['company']>>;
let administrator: User;
let superAdmin: User;
let stranger: User;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  company = await service.company();
  administrator = await people.user(company.id);
  superAdmin = await people.user();
  stranger = await people.user((await service.company()).id);
});
test.after(async () => {
  await people.close();
  await service.close();
});

const act = (userId: string, what: string, body: object = {}, api = administrator.api) =>
  api.post(`/api/v1/people/${userId}/${what}`, body);
const redact = (userId: string, api?: Client) => act(userId, 'redact', BASIS, api);
const redactInvitation = (id: string, api = administrator.api) =>
  api.post(`/api/v1/invitations/${id}/redact`, BASIS);
const codeOf = ({ status, body }: Reply) => [status, body?.code];
const listed = async (what: 'people' | 'invitations', id: string) => {
  const { body } = await superAdmin.api.get(`/api/v1/${what}?limit=100`);
  return body.data.find((row: Reply['body']) => row.id === id);
};
/** What the log says of a person, with what still opens. */
const loggedOf = async ({ userId }: User): Promise<string> =>
  JSON.stringify([await people.log.load(userStream(userId)), await logInsOf(people.log, userId)]);

test('a disabled person loses name and e-mail in every answer and in the log; the rest stays [person-redaction-1]', async () => {
  const user = await people.user(company.id, 'reviewer', 'Zebulon Quittermore');
  await act(user.userId, 'disable');
  const before = await listed('people', user.userId);
  assert.is(before.name, 'Zebulon Quittermore');
  const { status, body } = await redact(user.userId);
  assert.equal([status, body], [200, { id: user.userId, redacted: true }]);
  assert.equal(await listed('people', user.userId), { ...before, name: REDACTED, email: REDACTED });
  const names = await administrator.api.get(`/api/v1/people/names?ids=${user.userId}`);
  assert.equal(names.body.data, [{ id: user.userId, name: REDACTED }]);
  const { events } = await people.log.load(userStream(user.userId));
  const { data, metadata } = events.at(-1) ?? {};
  const { emailId, invitationIds, ...stated } = data as Record<string, unknown>;
  assert.equal(stated, { userId: user.userId, companyId: company.id, ...BASIS });
  assert.equal(metadata?.actor, { kind: 'user', id: administrator.userId });
  const logged = await loggedOf(user);
  for (const planted of ['Quittermore', user.email, '127.0.0.1']) assert.not.ok(logged.includes(planted));
  assert.ok((await logInsOf(people.log, user.userId)).every(({ data }) => !('address' in data)));
});

test('only who is disabled is redacted, and stays out: nothing changes such a person any more [person-redaction-2]', async () => {
  const user = await people.user(company.id, 'reviewer');
  assert.equal(codeOf(await redact(user.userId)), [409, 'person-not-disabled']);
  assert.equal(codeOf(await redact(administrator.userId)), [409, 'person-not-disabled'], 'nobody themselves');
  assert.is((await listed('people', user.userId)).email, user.email);
  await act(user.userId, 'disable');
  assert.is((await redact(user.userId)).status, 200);
  for (const [what, body] of [
    ['enable', {}],
    ['reset', {}],
    ['role', { role: 'auditor' }],
  ] as const)
    assert.equal(codeOf(await act(user.userId, what, body)), [409, 'person-redacted'], what);
  assert.is((await act(user.userId, 'disable')).status, 200);
  const { length } = (await people.log.load(userStream(user.userId))).events;
  assert.equal((await redact(user.userId)).body, { id: user.userId, redacted: true });
  assert.is((await people.log.load(userStream(user.userId))).events.length, length, 'again is no event');
});

test('who may not disable the person does not redact it either [person-redaction-3]', async () => {
  const user = await people.user(company.id, 'reviewer');
  await act(user.userId, 'disable');
  const reviewer = await people.user(company.id, 'reviewer');
  assert.equal(codeOf(await redact(user.userId, stranger.api)), [404, 'not-found']);
  assert.equal(codeOf(await redact(user.userId, reviewer.api)), [403, 'role-required']);
  assert.equal(codeOf(await redact(user.userId, company.api)), [401, 'unauthorized']);
  assert.equal(codeOf(await redact(superAdmin.userId)), [404, 'not-found'], 'of no company');
  assert.is((await listed('people', user.userId)).email, user.email);
  assert.is((await redact(user.userId, superAdmin.api)).status, 200);
});

test('sessions and the password are gone, and the e-mail may be invited anew, as another person [person-redaction-4]', async () => {
  const user = await people.user(company.id, 'reviewer');
  const invite = () =>
    administrator.api.post('/api/v1/invitations', { email: user.email.toUpperCase(), role: 'auditor' });
  await act(user.userId, 'disable');
  assert.equal(codeOf(await invite()), [409, 'email-taken']);
  await redact(user.userId);
  assert.is((await user.api.get('/api/auth/me')).status, 401);
  assert.is((await people.logIn(user.email)).status, 401);
  const invited = await invite();
  assert.is(invited.status, 201, invited.text);
  const { body } = await people.complete(invited.body.token, 'another good password');
  assert.is.not(body.userId, user.userId);
  assert.is((await people.logIn(user.email, 'another good password')).status, 201);
  await redact(user.userId);
  assert.is(
    (await listed('people', body.userId)).email,
    user.email.toUpperCase(),
    'again: not of the next one',
  );
  assert.is((await listed('invitations', invited.body.id)).email, user.email.toUpperCase());
  assert.is((await people.logIn(user.email, 'another good password')).status, 201);
});

test('every invitation of the e-mail goes with the person, and none of them works [person-redaction-5]', async () => {
  const email = people.newEmail();
  const other = (await service.company()).id;
  const [used, left] = [
    await people.invite(email, company.id, 'reviewer'),
    await people.invite(email.toUpperCase(), other, 'auditor'),
  ];
  const { userId } = (await people.complete(used.token)).body;
  const reset = (await act(userId, 'reset')).body;
  await act(userId, 'disable');
  await redact(userId);
  for (const id of [used.id, left.id, reset.invitationId])
    assert.is((await listed('invitations', id)).email, REDACTED);
  assert.is((await listed('invitations', left.id)).state, 'revoked');
  for (const token of [used.token, left.token, reset.token])
    assert.equal((await people.validate(token)).body, { valid: false, reason: 'invalid' });
  for (const id of [used.id, left.id, reset.invitationId])
    assert.not.ok(
      JSON.stringify(await people.log.load(invitationStream(id)))
        .toLowerCase()
        .includes(email),
    );
});

test('an invitation that can be used no more loses its e-mail; one that can is refused [person-redaction-6]', async () => {
  const email = people.newEmail();
  const open = await people.invite(email, company.id, 'reviewer');
  assert.equal(codeOf(await redactInvitation(open.id)), [409, 'invitation-open']);
  assert.is((await people.validate(open.token)).body.valid, true);
  assert.equal(codeOf(await redactInvitation(open.id, stranger.api)), [404, 'not-found']);
  await people.revoke(open.id);
  const old = await people.ago(80).invite(people.newEmail());
  const user = await people.user(company.id, 'reviewer');
  const { data } = (await superAdmin.api.get('/api/v1/invitations?limit=100')).body;
  const accepted = data.find((row: Reply['body']) => row.userId === user.userId);
  for (const [id, api] of [
    [open.id, administrator.api],
    [old.id, superAdmin.api],
    [accepted.id, administrator.api],
  ] as const) {
    const { email: _, state, revokedAt, ...before } = await listed('invitations', id);
    for (let again = 0; again < 2; again += 1)
      assert.equal((await redactInvitation(id, api)).body, { id, redacted: true });
    const { state: _s, revokedAt: _r, ...after } = await listed('invitations', id);
    assert.equal(after, { ...before, email: REDACTED });
    const { events } = await people.log.load(invitationStream(id));
    const companyId = id === old.id ? null : company.id;
    assert.equal(events.at(-1)?.data, { invitationId: id, companyId, ...BASIS });
  }
  assert.is((await listed('people', user.userId)).email, user.email, 'its user stays');
  assert.is((await people.logIn(user.email)).status, 201);
});

test('another company whose invitation goes too learns neither who asked for it nor why [activity-1]', async () => {
  const elsewhere = await service.company();
  const auditor = await people.user(elsewhere.id, 'auditor');
  const email = people.newEmail();
  const { id } = await people.invite(email, elsewhere.id, 'reviewer');
  const { token } = await people.invite(email, company.id, 'reviewer');
  const { userId } = (await people.complete(token)).body;
  await act(userId, 'disable');
  assert.is((await redact(userId)).status, 200);
  const { body, text } = await auditor.api.get(`/api/v1/activity?subject=${id}`);
  const told = body.data.map(({ type, actor }: Reply['body']) => `${type} ${actor.kind}:${actor.id}`);
  assert.ok(told.includes('invitation.redacted system:redaction'), String(told));
  assert.not.ok(text.includes(administrator.userId));
  const { events } = await people.log.load(invitationStream(id));
  assert.not.ok(JSON.stringify(events.slice(-2)).includes(BASIS.requestedBy));
});
test('histories go on with the identifier [person-redaction-1]', async () => {
  const user = await people.user(company.id, 'reviewer', 'Ada Lovelock');
  const { submissionId } = await company.api.process([receiptText()]);
  const note = { text: 'the second page is missing' };
  assert.is((await user.api.post(`/api/v1/submissions/${submissionId}/notes`, note)).status, 201);
  await act(user.userId, 'disable');
  const history = () => administrator.api.get(`/api/v1/submissions/${submissionId}/events`);
  const before = await history();
  assert.ok(before.text.includes(user.userId));
  await redact(user.userId);
  assert.equal((await history()).body, before.body);
});

test('nothing of the person is left in the files of the service [person-redaction-1]', async () => {
  const { email, userId } = await people.user(company.id, 'reviewer', 'Crispin Umbermoor');
  await act(userId, 'disable');
  assert.is((await redact(userId)).status, 200);
  const { dataDir } = service.config;
  const planted = async (): Promise<readonly string[]> =>
    readdirSync(dataDir).filter((name) => {
      if (!/^(models|tables|log)\.db/.test(name)) return false;
      const bytes = readFileSync(join(dataDir, name), 'latin1');
      return bytes.includes('Umbermoor') || bytes.includes(email);
    });
  await eventually('the bytes to be gone', async () => (await planted()).length === 0);
});
