import * as assert from 'uvu/assert';
import { userStream } from '../../../domain/user.ts';
import type { Role } from '../../../kernel/scope.ts';
import { suite } from '../../harness.ts';
import { type Client, client, type Reply } from '../../support/client.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('people over HTTP');
const PEOPLE = '/api/v1/people';
const UNKNOWN = '01hv6x3m8q2r5t7w9y0a1b2c3d';
type User = Awaited<ReturnType<typeof people.user>>;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: string;
let other: string;
let administrator: User;
let stranger: User;
let superAdmin: User;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  [company, other] = [(await service.company()).id, (await service.company()).id];
  administrator = await people.user(company);
  stranger = await people.user(other);
  superAdmin = await people.user();
});
test.after(async () => {
  await people.close();
  await service.close();
});

const naming = (companyId: string) => ({ headers: { 'intake-company': companyId } });
const act = (user: User, what: string, body: object = {}, api = administrator.api, init = {}) =>
  api.post(`${PEOPLE}/${user.userId}/${what}`, body, init);
const toRole = (user: User, role: Role, api = administrator.api, companyId?: string) =>
  act(user, 'role', { role, ...(companyId === undefined ? {} : { companyId }) }, api);
const rowOf = async (user: User, api = administrator.api, headers = {}) => {
  const { body } = await api.get(`${PEOPLE}?limit=100`, { headers });
  return body.data.find((row: Reply['body']) => row.id === user.userId);
};
const codeOf = ({ status, body }: Reply) => [status, body?.code];
const faultsOf = ({ status, body }: Reply) => [
  status,
  ...new Set((body.errors ?? []).map((one: Reply['body']) => one.pointer)),
];
const eventsOf = async (user: User) => {
  const { events } = await people.log.load(userStream(user.userId));
  return events.map(({ type, data, metadata }) => ({ type, data, actor: metadata.actor }));
};

test('the list shows who is a user of the company, and no one else’s [people-13, people-14]', async () => {
  const user = await people.user(company, 'reviewer');
  const { createdAt, lastLogInAt, ...row } = await rowOf(user);
  assert.ok(Date.parse(createdAt) <= Date.parse(lastLogInAt));
  assert.equal(row, {
    ...{ id: user.userId, email: user.email, name: null, role: 'reviewer', companyId: company },
    ...{ disabledAt: null, resetAt: null, awaits: null, boundAt: null },
  });
  const seen = async (api: Client, headers = {}) =>
    Promise.all(
      [user, stranger, superAdmin].map(async (one) => (await rowOf(one, api, headers)) !== undefined),
    );
  assert.equal(await seen(administrator.api), [true, false, false]);
  assert.equal(await seen(superAdmin.api), [true, true, true]);
  assert.equal(await seen(superAdmin.api, { 'intake-company': other }), [false, true, false]);
});

test('a disabled person is out at once, and comes back with the same password [people-14, logins-4]', async () => {
  const user = await people.user(company, 'reviewer');
  const { status, body } = await act(user, 'disable');
  assert.equal([status, body.id], [200, user.userId]);
  assert.is((await user.api.get('/api/auth/me')).status, 401);
  assert.is((await people.logIn(user.email)).status, 401);
  assert.ok((await rowOf(user)).disabledAt);
  assert.equal((await act(user, 'disable')).body, body, 'disabling again keeps the time');
  assert.equal((await act(user, 'enable')).body, { id: user.userId, disabledAt: null });
  assert.is((await act(user, 'enable')).status, 200);
  assert.is((await people.logIn(user.email)).status, 201);
  assert.is((await user.api.get('/api/auth/me')).status, 401, 'sessions of before stay ended');
  assert.is((await rowOf(user)).disabledAt, null);
  const actor = { kind: 'user', id: administrator.userId };
  const { userId } = user;
  assert.equal((await eventsOf(user)).slice(1), [
    { type: 'UserDisabled', data: { userId, companyId: company }, actor },
    { type: 'UserEnabled', data: { userId, companyId: company }, actor },
  ]);
});

test('a reset ends all sessions, and its answer has the token of the new password once [people-14]', async () => {
  const user = await people.user(company, 'auditor');
  const { status, body } = await act(user, 'reset');
  assert.is(status, 201);
  const { invitationId, token, url, expiresAt, ...rest } = body;
  assert.equal(rest, { id: user.userId, mailed: false });
  assert.is(url, `${service.url}/invite#token=${token}`);
  assert.ok(Date.parse(expiresAt) > Date.now());
  assert.is((await user.api.get('/api/auth/me')).status, 401);
  assert.is((await people.logIn(user.email)).status, 401);
  assert.is((await rowOf(user)).awaits, invitationId);
  assert.is((await people.complete(token, 'another good password')).status, 201);
  assert.is((await people.logIn(user.email, 'another good password')).status, 201);
  await act(user, 'disable');
  assert.equal(codeOf(await act(user, 'reset')), [409, 'user-disabled']);
});

test('a changed role counts at the next request of open sessions, by token and by cookie [people-17]', async () => {
  const user = await people.user(company, 'org_admin');
  const page = await user.page();
  const may = async () => [
    (await user.api.get(PEOPLE)).status,
    (await page.api.get(PEOPLE)).status,
    (await page.api.get('/api/auth/me')).body.role,
  ];
  assert.equal(await may(), [200, 200, 'org_admin']);
  const { status, body } = await toRole(user, 'reviewer');
  assert.equal([status, body], [200, { id: user.userId, role: 'reviewer', companyId: company, keys: [] }]);
  assert.equal(await may(), [403, 403, 'reviewer']);
  assert.is((await rowOf(user)).role, 'reviewer');
  const [, changed] = await eventsOf(user);
  assert.equal(changed, {
    type: 'UserRoleChanged',
    data: {
      ...{ userId: user.userId, role: 'reviewer', companyId: company },
      ...{ from: { role: 'org_admin', companyId: company }, by: 'administrator' },
    },
    actor: { kind: 'user', id: administrator.userId },
  });
  assert.is((await toRole(user, 'reviewer')).status, 200);
  assert.is((await eventsOf(user)).length, 2, 'the same role again is no event');
});

test('who is disabled or lowered leaves live keys, which the answer lists [people-22]', async () => {
  const user = await people.user(company);
  const keyBy = async (api: Client, companyId: string | null, name: string): Promise<Reply['body']> => {
    const made = await api.post('/api/v1/keys', { companyId, name });
    assert.is(made.status, 201, made.text);
    return made.body;
  };
  const [revoked, rotated] = [
    await keyBy(user.api, company, 'revoked'),
    await keyBy(user.api, company, 'rotated'),
  ];
  const lives = await keyBy(user.api, company, 'lives');
  await administrator.api.post(`/api/v1/keys/${revoked.id}/revoke`, {});
  await administrator.api.post(`/api/v1/keys/${rotated.id}/rotate`, { overlapSeconds: 60 });
  await client(service.url, lives.key).get('/api/v1/keys/current');
  const { data } = (await administrator.api.get('/api/v1/keys')).body;
  const { lastUsedAt } = data.find(({ id }: { id: string }) => id === lives.id);
  assert.ok(lastUsedAt);
  const expected = [
    { id: lives.id, name: 'lives', companyId: company, mode: 'live', lastUsedAt },
    { id: rotated.id, name: 'rotated', companyId: company, mode: 'live', lastUsedAt: null },
  ];
  assert.equal((await toRole(user, 'reviewer')).body.keys, expected);
  assert.equal((await toRole(user, 'org_admin')).body.keys, [], 'an org_admin may make them');
  assert.equal((await act(user, 'disable')).body.keys, expected);
  await administrator.api.post(`/api/v1/keys/${lives.id}/revoke`, {});
  assert.equal((await act(user, 'disable')).body.keys, expected.slice(1));
});

test('an administrator of a company sees the keys of that company alone [people-22]', async () => {
  const user = await people.user();
  await people.user();
  const keyOf = async (companyId: string | null) =>
    (await user.api.post('/api/v1/keys', { companyId, name: null })).body.id;
  const [own, foreign, unscoped] = [await keyOf(company), await keyOf(other), await keyOf(null)];
  const idsOf = ({ body }: Reply) => body.keys.map(({ id }: { id: string }) => id);
  assert.equal(idsOf(await toRole(user, 'org_admin', superAdmin.api, company)), [unscoped, foreign]);
  assert.equal(idsOf(await act(user, 'disable')), [own]);
  assert.equal(idsOf(await act(user, 'disable', {}, superAdmin.api)), [unscoped, foreign, own]);
});

test('nobody changes their own role [people-17]', async () => {
  await people.user(company);
  await people.user();
  assert.equal(codeOf(await toRole(administrator, 'auditor')), [409, 'own-role']);
  assert.equal(codeOf(await toRole(administrator, 'org_admin')), [409, 'own-role']);
  const own = toRole(superAdmin, 'org_admin', superAdmin.api, company);
  assert.equal(codeOf(await own), [409, 'own-role']);
  assert.is((await administrator.api.get('/api/auth/me')).body.role, 'org_admin');
});

test('only a super_admin who names no company makes super_admins, and lowers them [people-15, people-17]', async () => {
  const user = await people.user(company, 'reviewer');
  assert.equal(faultsOf(await toRole(user, 'super_admin')), [422, '/role']);
  const named = act(user, 'role', { role: 'super_admin' }, superAdmin.api, naming(company));
  assert.equal(faultsOf(await named), [422, '/role']);
  assert.equal(faultsOf(await toRole(user, 'super_admin', superAdmin.api, company)), [422, '/companyId']);
  const raised = await toRole(user, 'super_admin', superAdmin.api);
  assert.equal(raised.body, { id: user.userId, role: 'super_admin', companyId: null, keys: [] });
  assert.is((await user.api.get('/api/v1/companies')).body.data.length > 1, true);
  assert.is((await toRole(user, 'auditor')).status, 404, 'an org_admin reaches no super_admin');
  assert.equal(faultsOf(await toRole(user, 'auditor', superAdmin.api)), [422, '/companyId']);
  assert.equal(faultsOf(await toRole(user, 'auditor', superAdmin.api, `cmp_${UNKNOWN}`)), [
    422,
    '/companyId',
  ]);
  const lowered = await toRole(user, 'auditor', superAdmin.api, other);
  assert.equal(lowered.body, { id: user.userId, role: 'auditor', companyId: other, keys: [] });
  const headers = { 'intake-company': company };
  assert.is((await user.api.get('/api/v1/submissions', { headers })).status, 403);
});

test('nobody moves from one company to another [people-17]', async () => {
  const user = await people.user(company, 'reviewer');
  for (const api of [administrator.api, superAdmin.api])
    assert.equal(faultsOf(await toRole(user, 'auditor', api, other)), [422, '/companyId']);
  assert.is((await toRole(user, 'auditor', administrator.api, company)).status, 200);
});

test('every fault of a role is named', async () => {
  const user = await people.user(company, 'reviewer');
  for (const role of ['admin', '', null, 7])
    assert.equal(faultsOf(await act(user, 'role', { role })), [422, '/role'], `${role}`);
  assert.equal(faultsOf(await act(user, 'role', {})), [422, '/role']);
  assert.equal(faultsOf(await act(user, 'role', { role: 'auditor', name: 'x' })), [422, '/name']);
  assert.equal(faultsOf(await act(user, 'disable', { reason: 'x' })), [422, '/reason']);
});

test('people of another company, and super_admins, are as unknown to an org_admin [people-13]', async () => {
  const foreign = await people.user(other, 'reviewer');
  const bodies: Readonly<Record<string, object>> = { role: { role: 'auditor' } };
  // A log-in is recorded in a stream of its own, after its answer.
  const lengths = async (): Promise<readonly number[]> => {
    const streams = [foreign, superAdmin].map(({ userId }) => people.log.load(userStream(userId)));
    return (await Promise.all(streams)).map(({ events }) => events.length);
  };
  const before = await lengths();
  for (const what of ['disable', 'enable', 'reset', 'role']) {
    const body = bodies[what] ?? {};
    const unknown = await administrator.api.post(`${PEOPLE}/usr_${UNKNOWN}/${what}`, body);
    for (const user of [foreign, superAdmin]) {
      const reply = await act(user, what, body);
      assert.equal([reply.status, reply.body.detail], [404, unknown.body.detail], what);
    }
    assert.is((await act(foreign, what, body, superAdmin.api, naming(company))).status, 404);
  }
  assert.equal(await lengths(), before);
});

test('names are given to people of every role: those of the company, and of super_admins [people-18]', async () => {
  const { token } = await people.invite(people.newEmail(), company, 'reviewer');
  const named = (await people.complete(token, undefined, { name: 'Ann' })).body.userId;
  const ids = [stranger.userId, superAdmin.userId, named, `usr_${UNKNOWN}`, administrator.userId, named];
  const expected = [
    { id: superAdmin.userId, name: null },
    { id: named, name: 'Ann' },
    { id: administrator.userId, name: null },
  ];
  for (const role of ['reviewer', 'auditor', 'org_admin'] as const) {
    const { api } = await people.user(company, role);
    const { status, body } = await api.get(`${PEOPLE}/names?ids=${ids.join()}`);
    assert.equal([status, body.data], [200, expected], role);
  }
  const all = await superAdmin.api.get(`${PEOPLE}/names?ids=${ids.join()}`);
  assert.is(all.body.data.length, 4);
  const many = Array.from({ length: 101 }, (_, n) => `usr_${String(n).padStart(26, '0')}`);
  assert.equal((await superAdmin.api.get(`${PEOPLE}/names`)).body.data, []);
  for (const query of ['?ids=', '?ids=ann', `?ids=${named},`, `?ids=${many}`])
    assert.equal(faultsOf(await superAdmin.api.get(`${PEOPLE}/names${query}`)), [400, '/query/ids'], query);
});

test('without identifiers those are named to whom a review can be given [people-18]', async () => {
  const { id } = await service.company();
  const [reviewer, chief, disabled] = await Promise.all([
    people.user(id, 'reviewer'),
    people.user(id, 'org_admin'),
    people.user(id, 'reviewer'),
  ]);
  const auditor = await people.user(id, 'auditor');
  assert.is((await chief.api.post(`${PEOPLE}/${disabled.userId}/disable`, {})).status, 200);
  const named = async (api: typeof chief.api, headers = {}) => {
    const { status, body } = await api.get(`${PEOPLE}/names`, headers);
    return [status, ...body.data.map((one: { id: string }) => one.id).toSorted()];
  };
  const expected = [200, ...[reviewer.userId, chief.userId].toSorted()];
  for (const { api } of [reviewer, chief, auditor]) assert.equal(await named(api), expected);
  assert.equal(await named(superAdmin.api, naming(id)), expected);
});
