import * as assert from 'uvu/assert';
import { companyStream } from '../../../domain/company.ts';
import { userStream } from '../../../domain/user.ts';
import type { Event, Recorded } from '../../../kernel/event.ts';
import { logInsOf } from '../../controls/logIns.ts';
import { eventually, suite } from '../../harness.ts';
import { oidcLogIns } from '../../support/oidcLogIn.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openIdProvider.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('who is admitted by an identity provider');
let provider: OpenIdProvider;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let oidc: ReturnType<typeof oidcLogIns>;
let made = 0;
test.before(async () => {
  provider = await startOpenIdProvider();
  service = await startService(provider.settings);
  people = await peopleOf(service);
  oidc = oidcLogIns(service.url, provider);
});
test.after(async () => {
  await people.close();
  await service.close();
  await provider.close();
});

/** An account at the provider. */
const account = (claims: object = {}) => {
  const subject = `subject-${++made}`;
  const email = people.newEmail();
  provider.people.set(subject, { email, email_verified: true, ...claims });
  return { subject, email };
};
const newCompany = async () => (await service.company()).id;
const refused = async (subject: string): Promise<string> => {
  const { status, body, headers } = await oidc.logIn(subject);
  assert.equal([status, body.code], [403, 'login-refused'], subject);
  assert.is(headers.get('set-cookie'), null);
  return body.detail;
};
const meOf = async (subject: string) => {
  const reply = await oidc.logIn(subject);
  assert.is(reply.status, 201, reply.text);
  return (await oidc.pageOf(reply).get('/api/auth/me')).body;
};
type AnyEvent = Recorded<Event<string, Readonly<Record<string, unknown>>>>;
const eventsIn = async (stream: string): Promise<readonly AnyEvent[]> =>
  (await people.log.load(stream)).events as readonly AnyEvent[];
/** The reasons of the refused log-ins of a user. */
const reasonsOf = (userId: string, count: number) =>
  eventually('the refused log-ins are recorded', async () => {
    const found = (await logInsOf(people.log, userId)).filter(({ type }) => type === 'UserLogInFailed');
    return found.length === count ? found.map(({ data }) => ('reason' in data ? data.reason : null)) : null;
  });
const UNVERIFIED = 'The identity provider does not say that your e-mail address is verified.';
const UNINVITED = 'Nobody has invited your e-mail address, or the invitation has expired.';
const SEVERAL =
  'Several companies have invited your e-mail address: open the link of the invitation that you accept.';
const NOT_FOR_YOU =
  'You can’t accept this invitation with your account at the identity provider: it is for another e-mail address, or no longer open, or the account has a user here already.';
const OTHER_ACCOUNT = 'The user of your e-mail address belongs to another account at the identity provider.';
const NO_ROLE = 'The identity provider names no group of yours that has a role here.';

test('who has no verified e-mail is refused, a user or invited or neither [logins-11]', async () => {
  const { email, userId } = await people.user();
  const companyId = await newCompany();
  for (const verified of [false, 'true', 'false', 1, null, undefined]) {
    const stranger = account({ email, email_verified: verified });
    assert.is(await refused(stranger.subject), UNVERIFIED, String(verified));
    const invited = account({ email_verified: verified });
    await people.invite(invited.email, companyId, 'reviewer');
    assert.is(await refused(invited.subject), UNVERIFIED, String(verified));
  }
  for (const odd of [undefined, null, 7, ['a@example.com']])
    assert.is(await refused(account({ email: odd }).subject), UNVERIFIED);
  const events = await eventsIn(userStream(userId));
  assert.equal(
    events.map(({ type }) => type),
    ['UserCreated'],
  );
});

test('an e-mail that only looks like that of a user, or of an invitation, is nobody’s [logins-11]', async () => {
  const { email } = await people.user();
  const invited = people.newEmail();
  await people.invite(invited, await newCompany(), 'reviewer');
  for (const known of [email, invited])
    for (const alike of [
      known.replace('o', '\u043e'),
      known.replace('@', '\uff20'),
      known.replace('.com', '.com\u0000'),
      `${known},${known}`,
      `<${known}>`,
      known.replace('@', '+x@'),
    ])
      assert.is(await refused(account({ email: alike }).subject), UNINVITED, alike);
  const kelvin = 'kelvin@example.com';
  await people.invite(kelvin, await newCompany(), 'reviewer');
  assert.is(await refused(account({ email: kelvin.replace('k', '\u212a') }).subject), UNINVITED);
  assert.is((await meOf(account({ email: kelvin.toUpperCase() }).subject)).email, kelvin);
});

test('who was not invited, or whose invitation was revoked, is refused, and becomes no user [logins-11]', async () => {
  assert.is(await refused(account().subject), UNINVITED);
  const { subject, email } = account();
  const { id } = await people.invite(email, await newCompany(), 'reviewer');
  await people.revoke(id);
  assert.is(await refused(subject), UNINVITED);
  const late = account();
  await people.ago(73).invite(late.email);
  assert.is(await refused(late.subject), UNINVITED);
});

test('where several companies invite a person, none gets the person who has not opened its link [logins-11]', async () => {
  const { subject, email } = account();
  const [first, second] = [await newCompany(), await newCompany()];
  const wanted = await people.invite(email, first, 'reviewer');
  const other = await people.invite(email, second, 'org_admin');
  assert.is(await refused(subject), SEVERAL);
  for (const { token } of [wanted, other]) assert.is((await people.validate(token)).body.valid, true);
  const reply = await oidc.logIn(subject, wanted.token);
  assert.is(reply.status, 201, reply.text);
  const me = (await oidc.pageOf(reply).get('/api/auth/me')).body;
  assert.equal([me.email, me.role, me.company.id], [email, 'reviewer', first]);
  assert.is((await people.validate(other.token)).body.reason, 'consumed');
  const platform = account();
  await people.invite(platform.email, first, 'reviewer');
  await people.invite(platform.email);
  assert.is(await refused(platform.subject), SEVERAL);
});

test('the invitation whose link was opened is accepted, also where it is not the newest of its company [logins-11]', async () => {
  const { subject, email } = account();
  const companyId = await newCompany();
  const { token } = await people.invite(email, companyId, 'auditor');
  await people.invite(email, companyId, 'org_admin');
  const reply = await oidc.logIn(subject, token);
  assert.is((await oidc.pageOf(reply).get('/api/auth/me')).body.role, 'auditor');
  assert.is((await people.complete(token)).body.code, 'invitation-consumed');
});

test('an invitation of another e-mail, or for another user, is refused and stays open [logins-11]', async () => {
  const companyId = await newCompany();
  const theirs = people.newEmail();
  const { token } = await people.invite(theirs, companyId, 'org_admin');
  const refusedWith = async (subject: string) => {
    const { status, body } = await oidc.logIn(subject, token);
    assert.equal([status, body.code, body.detail], [403, 'login-refused', NOT_FOR_YOU]);
  };
  const uninvited = account();
  await refusedWith(uninvited.subject);
  const invited = account();
  const own = await people.invite(invited.email, companyId, 'reviewer');
  await refusedWith(invited.subject);
  assert.is((await people.validate(own.token)).body.valid, true);
  const bound = account();
  await people.invite(bound.email, companyId, 'reviewer');
  await meOf(bound.subject);
  provider.people.set(bound.subject, { email: theirs, email_verified: true });
  await refusedWith(bound.subject);
  const unverified = account({ email: theirs, email_verified: false });
  assert.is((await oidc.logIn(unverified.subject, token)).body.detail, UNVERIFIED);
  assert.is((await people.validate(token)).body.valid, true);
  assert.is((await meOf(invited.subject)).role, 'reviewer');
});

test('a link that can’t be used begins no log-in; one that was revoked meanwhile completes none [logins-11]', async () => {
  const { subject, email } = account();
  const { token, id } = await people.invite(email, await newCompany(), 'reviewer');
  const begun = await oidc.begin(undefined, token);
  await people.revoke(id);
  const { status, body } = await oidc.complete(begun.cookie, await provider.logIn(begun.location, subject));
  assert.equal([status, body.detail], [403, NOT_FOR_YOU]);
  const late = await people.ago(73).invite(people.newEmail());
  const used = await people.invite(people.newEmail());
  await people.complete(used.token);
  for (const [wrong, code] of [
    [token, 'invitation-invalid'],
    ['made-up', 'invitation-invalid'],
    [used.token, 'invitation-consumed'],
    [late.token, 'invitation-expired'],
  ]) {
    const answer = await people.anybody.post('/api/auth/oidc', { invitation: wrong });
    assert.equal([answer.body.code, answer.headers.get('set-cookie')], [code, null], wrong);
  }
});

test('the link of a reset leads to the log-in of its user [logins-11]', async () => {
  const { email, userId } = await people.user();
  const { token } = await people.reset(userId);
  const { subject } = account({ email });
  const reply = await oidc.logIn(subject, token);
  assert.is((await oidc.pageOf(reply).get('/api/auth/me')).body.userId, userId);
});

test('once bound, another e-mail changes nothing, not even one of another user [logins-12]', async () => {
  const { subject, email } = account();
  await people.invite(email, await newCompany(), 'reviewer');
  const { userId } = await meOf(subject);
  const other = await people.user();
  for (const claims of [
    { email: 'new@example.com', email_verified: false },
    { email: other.email, email_verified: true },
    {},
  ]) {
    provider.people.set(subject, claims);
    const me = await meOf(subject);
    assert.equal([me.userId, me.email], [userId, email]);
  }
});

test('another account with the same e-mail is refused, until a reset [logins-12]', async () => {
  const first = account();
  await people.invite(first.email, await newCompany(), 'reviewer');
  const { userId } = await meOf(first.subject);
  const second = account({ email: first.email });
  assert.is(await refused(second.subject), OTHER_ACCOUNT);
  assert.equal(await reasonsOf(userId, 1), ['subject']);
  assert.is((await meOf(first.subject)).userId, userId);
  await people.reset(userId);
  assert.is((await meOf(second.subject)).userId, userId);
  assert.is(await refused(first.subject), OTHER_ACCOUNT);
});

test('the binding has the issuer and an HMAC of the subject, which is in no event and no row [logins-12]', async () => {
  const { subject, email } = account();
  await people.invite(email, await newCompany(), 'reviewer');
  const { userId } = await meOf(subject);
  const events = await eventsIn(userStream(userId));
  const { type, data } = events.at(-1) ?? {};
  assert.is(type, 'UserIdentityBound');
  assert.is(data?.issuer, provider.issuer);
  assert.match(String(data?.subjectId), /^[0-9a-f]{64}$/);
  assert.not.ok(JSON.stringify(events).includes(subject));
});

test('a disabled user is refused, before the first log-in by the provider and after it [logins-13]', async () => {
  const { email, userId } = await people.user();
  const { subject } = account({ email });
  await people.disable(userId);
  assert.is(await refused(subject), 'Your user is disabled.');
  const bound = account();
  await people.invite(bound.email, await newCompany(), 'auditor');
  const me = await meOf(bound.subject);
  await people.disable(me.userId);
  assert.is(await refused(bound.subject), 'Your user is disabled.');
  assert.equal([await reasonsOf(userId, 1), await reasonsOf(me.userId, 1)], [['disabled'], ['disabled']]);
});

const mapped = { claim: 'groups', roles: { watchers: 'auditor', deciders: 'reviewer', chiefs: 'org_admin' } };
/** A company whose people have the roles of their groups. */
const mappedCompany = async () => {
  const companyId = await newCompany();
  const { api } = await people.user();
  const { status, text } = await api.call('PUT', `/api/v1/companies/${companyId}/log-in`, { body: mapped });
  assert.is(status, 200, text);
  return companyId;
};

test('the groups of the provider say the role, at each log-in; a change is an event and ends the other sessions [logins-14]', async () => {
  const { subject, email } = account({ groups: ['watchers', 'others', 'deciders'] });
  await people.invite(email, await mappedCompany(), 'org_admin');
  const reply = await oidc.logIn(subject);
  const before = oidc.pageOf(reply);
  const { userId, role } = (await before.get('/api/auth/me')).body;
  assert.is(role, 'reviewer');
  provider.people.set(subject, { groups: 'watchers' });
  const again = oidc.pageOf(await oidc.logIn(subject));
  assert.is((await again.get('/api/auth/me')).body.role, 'auditor');
  assert.is((await before.get('/api/auth/me')).status, 401);
  const same = await oidc.logIn(subject);
  assert.is(same.status, 201);
  assert.is((await again.get('/api/auth/me')).status, 200);
  const events = await eventsIn(userStream(userId));
  const changes = events.filter(({ type }) => type === 'UserRoleChanged');
  assert.equal(
    changes.map(({ data, metadata }) => [data.role, data.by, metadata.actor]),
    [
      ['reviewer', 'mapping', { kind: 'system', id: 'identity-provider' }],
      ['auditor', 'mapping', { kind: 'system', id: 'identity-provider' }],
    ],
  );
});

test('who has no group that has a role is refused; an invitation stays open for when there is one [logins-14]', async () => {
  const companyId = await mappedCompany();
  const { subject, email } = account({ groups: ['others', 'super_admin', 'constructor'] });
  await people.invite(email, companyId, 'org_admin');
  assert.is(await refused(subject), NO_ROLE);
  provider.people.set(subject, { email, email_verified: true, groups: ['chiefs'] });
  const { userId, role } = await meOf(subject);
  assert.is(role, 'org_admin');
  for (const groups of [undefined, null, [], 'chief', ['Chiefs'], { chiefs: 'org_admin' }]) {
    provider.people.set(subject, { groups });
    assert.is(await refused(subject), NO_ROLE, JSON.stringify(groups));
  }
  assert.equal(new Set(await reasonsOf(userId, 6)), new Set(['role']));
});

test('a super_admin keeps the role whatever the groups, and a company without a map leaves roles alone [logins-14]', async () => {
  const chief = account({ groups: ['watchers'] });
  await people.invite(chief.email);
  assert.is((await meOf(chief.subject)).role, 'super_admin');
  const { subject, email } = account({ groups: ['watchers'] });
  await people.invite(email, await newCompany(), 'reviewer');
  assert.is((await meOf(subject)).role, 'reviewer');
});

const pathOf = (companyId: string): string => `/api/v1/companies/${companyId}/log-in`;

test('the log-in of a company is shown and changed, which is an event, once [logins-15]', async () => {
  const companyId = await newCompany();
  const { api, userId } = await people.user(companyId, 'org_admin');
  const path = pathOf(companyId);
  assert.equal((await api.get(path)).body, { claim: null, roles: {} });
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await api.call('PUT', path, { body: mapped });
    assert.equal([status, body], [200, mapped]);
  }
  assert.equal((await api.get(path)).body, mapped);
  assert.equal((await api.call('PUT', path, { body: { claim: null, roles: {} } })).body, {
    claim: null,
    roles: {},
  });
  const events = await eventsIn(companyStream(companyId));
  assert.equal(
    events.slice(1).map(({ type, data, metadata }) => [type, data.roleMap, metadata.actor]),
    [
      ['CompanyLogInChanged', mapped, { kind: 'user', id: userId }],
      ['CompanyLogInChanged', null, { kind: 'user', id: userId }],
    ],
  );
});

test('a change of it heeds If-Match, if it has one: of two pages the later one is told [logins-15, conditions-2]', async () => {
  const companyId = await newCompany();
  const { api } = await people.user(companyId, 'org_admin');
  const path = pathOf(companyId);
  const put = (roles: object, ifMatch: string) =>
    api.call('PUT', path, { body: { claim: 'groups', roles }, headers: { 'if-match': ifMatch } });
  const tag = (await api.get(path)).headers.get('etag') ?? '';
  const first = await put({ chiefs: 'org_admin' }, tag);
  assert.equal([first.status, first.headers.get('etag')], [200, (await api.get(path)).headers.get('etag')]);
  const second = await put({ chiefs: 'auditor' }, tag);
  assert.equal([second.status, second.body.code], [412, 'precondition-failed']);
  assert.equal((await api.get(path)).body.roles, { chiefs: 'org_admin' });
  assert.is((await put({ chiefs: 'auditor' }, first.headers.get('etag') ?? '')).status, 200);
  assert.is((await put({ chiefs: 'reviewer' }, '*')).status, 200);
});

test('a claim or a value by whatever name is that name, and no property of something else [logins-14]', async () => {
  const odd = [
    'constructor',
    'toString',
    'hasOwnProperty',
    '$where',
    'a.b',
    '~1/0',
    ' ',
    'é\u212a',
    'length',
    '0',
  ];
  const companyId = await newCompany();
  const { api } = await people.user(companyId, 'org_admin');
  for (const [index, name] of odd.entries()) {
    const other = odd[(index + 1) % odd.length] ?? '';
    const map = { claim: name, roles: { [other]: 'auditor' } };
    const { status, body, text } = await api.call('PUT', pathOf(companyId), { body: map });
    assert.equal([status, body], [200, map], text);
    assert.equal((await api.get(pathOf(companyId))).body, map);
    const { subject, email } = account();
    await people.invite(email, companyId, 'reviewer');
    assert.is(await refused(subject), NO_ROLE, name);
  }
  assert.is((await api.call('PUT', pathOf(companyId), { body: { claim: null, roles: {} } })).status, 200);
  for (const raw of [
    '{"claim":"groups","roles":{"__proto__":"auditor"}}',
    '{"claim":"groups","roles":{"a\\u0000b":"auditor"}}',
    '{"claim":"groups","roles":{"a":"auditor","a":"reviewer"}}',
    '{"claim":"\\ud800","roles":{"a":"auditor"}}',
    '{"__proto__":{"claim":"groups"},"roles":{"a":"auditor"}}',
    '[]',
    'null',
    '"groups"',
    '{',
  ]) {
    const { status, text } = await api.call('PUT', pathOf(companyId), { raw });
    assert.ok(status === 400 || status === 422, `${raw}: ${status} ${text}`);
  }
  assert.equal((await api.get(pathOf(companyId))).body, { claim: null, roles: {} });
});

test('an org_admin has no access to the log-in of another company, a super_admin to all, or to the one that is named [logins-15, people-13]', async () => {
  const [own, other] = [await newCompany(), await newCompany()];
  const { api } = await people.user(own, 'org_admin');
  const unknown = 'cmp_00000000000000000000000000';
  for (const path of [pathOf(other), pathOf(unknown), pathOf('1')]) {
    assert.is((await api.get(path)).status, 404);
    assert.is((await api.call('PUT', path, { body: mapped })).status, 404);
  }
  const chief = (await people.user()).api;
  assert.is((await chief.get(pathOf(other))).status, 200);
  const naming = (companyId: string) => ({ headers: { 'intake-company': companyId } });
  assert.is((await chief.get(pathOf(other), naming(other))).status, 200);
  assert.is((await chief.get(pathOf(other), naming(own))).status, 404);
  assert.is((await chief.call('PUT', pathOf(other), { body: mapped, ...naming(own) })).status, 404);
  assert.is((await chief.get(pathOf(unknown))).status, 404);
  for (const role of ['reviewer', 'auditor'] as const) {
    const { api: lesser } = await people.user(own, role);
    assert.is((await lesser.get(pathOf(own))).status, role === 'auditor' ? 200 : 403);
    assert.is((await lesser.call('PUT', pathOf(own), { body: mapped })).status, 403);
  }
});

test('a map that can’t be one is a 422 that names the member; nobody is made super_admin [logins-14]', async () => {
  const companyId = await newCompany();
  const { api } = await people.user(companyId, 'org_admin');
  const long = 'x'.repeat(257);
  const wrong: readonly (readonly [object, string])[] = [
    [{ claim: 'groups', roles: { chiefs: 'super_admin' } }, '/roles/chiefs'],
    [{ claim: 'groups', roles: { chiefs: 'chief' } }, '/roles/chiefs'],
    [{ claim: 'groups', roles: { chiefs: null } }, '/roles/chiefs'],
    [{ claim: 'groups', roles: { [long]: 'auditor' } }, '/roles'],
    [{ claim: 'groups', roles: { '': 'auditor' } }, '/roles'],
    [{ claim: 'groups', roles: ['auditor'] }, '/roles'],
    [{ claim: 'groups', roles: {} }, '/roles'],
    [{ claim: 'groups' }, '/roles'],
    [{ roles: { a: 'auditor' } }, '/claim'],
    [{ claim: 7, roles: { a: 'auditor' } }, '/claim'],
    [{ claim: 'x'.repeat(129), roles: { a: 'auditor' } }, '/claim'],
    [{ ...mapped, more: 1 }, '/more'],
    [
      { claim: 'groups', roles: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n, 'auditor'])) },
      '/roles',
    ],
  ];
  for (const [body, pointer] of wrong) {
    const reply = await api.call('PUT', pathOf(companyId), { body });
    assert.is(reply.status, 422, JSON.stringify(body).slice(0, 100));
    assert.ok(
      reply.body.errors.some((fault: { pointer: string }) => fault.pointer.startsWith(pointer)),
      reply.text,
    );
  }
  assert.equal((await api.get(pathOf(companyId))).body, { claim: null, roles: {} });
});
