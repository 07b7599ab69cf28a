import * as assert from 'uvu/assert';
import { invitationStream } from '../../../domain/invitation.ts';
import { suite } from '../../harness.ts';
import type { Client, Reply } from '../../support/client.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('invitations over HTTP, and companies');
const INVITATIONS = '/api/v1/invitations';
const UNKNOWN = '01hv6x3m8q2r5t7w9y0a1b2c3d';
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: string;
let other: string;
let administrator: Awaited<ReturnType<typeof people.user>>;
let superAdmin: Client;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  [company, other] = [(await service.company()).id, (await service.company()).id];
  administrator = await people.user(company);
  superAdmin = (await people.user()).api;
});
test.after(async () => {
  await people.close();
  await service.close();
});

const invite = (body: object, api = administrator.api, init = {}) =>
  api.post(INVITATIONS, { email: people.newEmail(), ...body }, init);
const rowOf = async (id: string, api = administrator.api, headers = {}) => {
  const { body } = await api.get(`${INVITATIONS}?limit=100`, { headers });
  return body.data.find((row: Reply['body']) => row.id === id);
};
const faultsOf = ({ status, body }: Reply) => [
  status,
  ...new Set((body.errors ?? []).map((one: Reply['body']) => one.pointer)),
];
const codeOf = ({ status, body }: Reply) => [status, body.code];
const naming = (companyId: string) => ({ headers: { 'intake-company': companyId } });

test('an org_admin invites to each role of the own company; the token is answered once, and makes the user [people-15]', async () => {
  for (const role of ['org_admin', 'reviewer', 'auditor']) {
    const email = people.newEmail();
    const { status, body } = await invite({ email, role });
    const { id, token, url, expiresAt, ...rest } = body;
    assert.equal([status, rest], [201, { email, role, companyId: company, mailed: false }]);
    assert.is(url, `${service.url}/invite#token=${token}`);
    const { createdAt, ...row } = await rowOf(id);
    assert.ok(Date.parse(createdAt) > 0);
    assert.equal(row, {
      ...{ id, email, role, companyId: company, userId: null, state: 'open', expiresAt },
      ...{ acceptedAt: null, revokedAt: null, mail: null },
    });
    assert.not.ok((await administrator.api.get(`${INVITATIONS}?limit=100`)).text.includes(token));
    const completed = await people.complete(token);
    assert.equal([completed.status, completed.body.role], [201, role]);
    assert.is((await rowOf(id)).state, 'consumed');
    const { events } = await people.log.load(invitationStream(id));
    assert.equal(events[0]?.metadata.actor, { kind: 'user', id: administrator.userId });
  }
});

test('only a super_admin invites super_admins, or to any company [people-15]', async () => {
  assert.equal(faultsOf(await invite({ role: 'super_admin' })), [422, '/role']);
  assert.equal(faultsOf(await invite({ role: 'super_admin' }, superAdmin, naming(company))), [422, '/role']);
  for (const companyId of [other, `cmp_${UNKNOWN}`])
    assert.equal(faultsOf(await invite({ role: 'reviewer', companyId })), [422, '/companyId']);
  assert.equal(faultsOf(await invite({ role: 'reviewer' }, superAdmin)), [422, '/companyId']);
  const nowhere = { role: 'reviewer', companyId: `cmp_${UNKNOWN}` };
  assert.equal(faultsOf(await invite(nowhere, superAdmin)), [422, '/companyId']);
  const both = { role: 'super_admin', companyId: company };
  assert.equal(faultsOf(await invite(both, superAdmin)), [422, '/companyId']);
  const made = await invite({ role: 'super_admin' }, superAdmin);
  assert.equal([made.status, made.body.companyId], [201, null]);
  const elsewhere = await invite({ role: 'org_admin', companyId: other }, superAdmin);
  assert.equal([elsewhere.status, elsewhere.body.companyId], [201, other]);
  const named = await invite({ role: 'org_admin' }, superAdmin, naming(other));
  assert.equal([named.status, named.body.companyId], [201, other]);
  assert.is((await invite({ role: 'auditor', companyId: company })).status, 201);
});

test('every fault of an invitation is named, and an e-mail that has a user is a 409', async () => {
  for (const email of ['', 'ann', null, 7, `${'x'.repeat(250)}@example.com`])
    assert.equal(faultsOf(await invite({ email, role: 'reviewer' })), [422, '/email'], `${email}`);
  for (const role of ['admin', '', null]) assert.equal(faultsOf(await invite({ role })), [422, '/role']);
  assert.equal(faultsOf(await invite({ role: 'reviewer', token: 'mine' })), [422, '/token']);
  const taken = await invite({ email: administrator.email.toUpperCase(), role: 'reviewer' });
  assert.equal(codeOf(taken), [409, 'email-taken']);
});

test('after a hundred invitations of an hour a company sends no more, and others go on [limits-6]', async () => {
  const { id } = await service.company();
  const { api } = await people.user(id);
  const colleague = await people.user(id);
  const reset = () => api.post(`/api/v1/people/${colleague.userId}/reset`, {});
  assert.is((await reset()).status, 201);
  for (let count = 0; count < 98; count += 1) assert.is((await invite({ role: 'auditor' }, api)).status, 201);
  const taken = await invite({ email: administrator.email, role: 'auditor' }, api);
  assert.is(taken.status, 409);
  assert.equal(faultsOf(await invite({ role: 'none' }, api)), [422, '/role']);
  assert.equal(codeOf(await reset()), [429, 'rate-limited']);
  for (const sender of [api, superAdmin]) {
    const { headers, ...reply } = await invite({ role: 'auditor', companyId: id }, sender);
    assert.equal(codeOf({ headers, ...reply }), [429, 'rate-limited']);
    const seconds = Number(headers.get('retry-after'));
    assert.ok(seconds > 3_000 && seconds <= 3_600, `${seconds}`);
  }
  assert.is((await invite({ role: 'auditor' })).status, 201);
});

test('a revoked invitation is invalid; a used one and another company’s are not revoked [people-15, people-13]', async () => {
  const { id, token } = (await invite({ role: 'reviewer' })).body;
  const revoke = (of: string, api = administrator.api, init = {}) =>
    api.post(`${INVITATIONS}/${of}/revoke`, {}, init);
  const stranger = (await people.user(other)).api;
  for (const reply of [
    await revoke(id, stranger),
    await revoke(id, superAdmin, naming(other)),
    await revoke(`inv_${UNKNOWN}`),
    await revoke('inv_1'),
  ])
    assert.is(reply.status, 404);
  assert.ok((await people.validate(token)).body.valid);
  assert.equal((await revoke(id)).body, { id, revoked: true });
  assert.is((await revoke(id)).status, 200);
  assert.is((await people.validate(token)).body.reason, 'invalid');
  assert.is((await rowOf(id)).state, 'revoked');
  const used = (await invite({ role: 'reviewer' })).body;
  await people.complete(used.token);
  assert.equal(codeOf(await revoke(used.id)), [409, 'invitation-consumed']);
});

test('an org_admin sees the invitations of the own company; a super_admin all, or those of a company [people-13]', async () => {
  const ids = [
    (await invite({ role: 'reviewer' })).body.id,
    (await invite({ role: 'reviewer', companyId: other }, superAdmin)).body.id,
    (await invite({ role: 'super_admin' }, superAdmin)).body.id,
  ];
  const seen = async (api: Client, headers = {}) =>
    Promise.all(ids.map(async (id) => (await rowOf(id, api, headers)) !== undefined));
  assert.equal(await seen(administrator.api), [true, false, false]);
  assert.equal(await seen(superAdmin), [true, true, true]);
  assert.equal(await seen(superAdmin, { 'intake-company': other }), [false, true, false]);
});

test('a super_admin creates companies, which are listed and can be used at once [companies-4]', async () => {
  const { status, body } = await superAdmin.post('/api/v1/companies', { name: 'Plantain Ltd' });
  assert.is(status, 201);
  assert.equal(body, { id: body.id, name: 'Plantain Ltd' });
  const { data } = (await superAdmin.get('/api/v1/companies?limit=100')).body;
  assert.ok(data.some(({ id }: Reply['body']) => id === body.id));
  assert.is((await invite({ role: 'org_admin', companyId: body.id }, superAdmin)).status, 201);
  const refused = await administrator.api.post('/api/v1/companies', { name: 'Mine' });
  assert.equal(codeOf(refused), [403, 'role-required']);
  for (const name of [null, '', 'two\nlines', 'x'.repeat(129)])
    assert.equal(faultsOf(await superAdmin.post('/api/v1/companies', { name })), [422, '/name']);
});

test('a company is created once under an Idempotency-Key, also when it is sent twice at once [idempotency-1]', async () => {
  const send = () =>
    superAdmin.post('/api/v1/companies', { name: 'Once' }, { headers: { 'idempotency-key': 'once' } });
  const first = await send();
  assert.equal((await send()).body, first.body);
  const { data } = (await superAdmin.get('/api/v1/companies?limit=100')).body;
  assert.is(data.filter(({ name }: Reply['body']) => name === 'Once').length, 1);
});
