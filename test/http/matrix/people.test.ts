import * as assert from 'uvu/assert';
import { type Permission, permissions } from '../../../domain/permissions.ts';
import { isForKeys } from '../../../http/engine/problems/endpointProblems.ts';
import type { Endpoint } from '../../../http/engine/route.ts';
import { type Role, roles } from '../../../kernel/scope.ts';
import { type Core, wireCore } from '../../../runtime/wire.ts';
import { long, suite } from '../../harness.ts';
import { type Client, client, type Reply } from '../../support/client.ts';
import { peopleOf } from '../../support/people.ts';
import { routeTable } from '../../support/routes.ts';
import { startService, type TestService } from '../../support/service.ts';
import { decidedSince } from './decided.ts';
import { hasBody, pathOf, somewhere, told, unknownOnes } from './requests.ts';
import { lists as listsOfKeys, listsOfPeople, type Row, rows as rowsOfKeys, rowsOfPeople } from './rows.ts';
import { makeWorld, type World } from './world.ts';

const lists = { ...listsOfKeys, ...listsOfPeople };
const rows = { ...rowsOfKeys, ...rowsOfPeople };
const test = suite('what each person may do and see');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let world: World;
let core: Core;
let endpoints: readonly Endpoint[];
let persons: readonly Person[];
let disabled: Client;

/** Every route by every role is over a thousand calls. */
const MANY_CALLS = { timeoutMs: 240_000 };

type User = Awaited<ReturnType<Awaited<ReturnType<typeof peopleOf>>['user']>>;
/**
 * A person and what the requests say beside the credential; `company` is the one that they are then about.
 */
type Person = Readonly<{ name: string; role: Role; headers: Headers; company: string | null; user: User }>;
type Headers = Readonly<Record<string, string>>;

const atHome = (role: Role, companyId: string) =>
  people.user(role === 'super_admin' ? null : companyId, role);

test.before(async () => {
  service = await startService({ METRICS_TOKEN: 'people-metrics-token' });
  world = await makeWorld(service);
  core = await wireCore(service.config);
  people = await peopleOf(service);
  endpoints = routeTable(service.config, core).map(({ endpoint }) => endpoint);
  persons = (await Promise.all([world.companyId, world.foreignCompanyId].map(peopleIn))).flat();
  const out = await people.user(world.companyId);
  disabled = out.api;
  await people.disable(out.userId);
});
test.after(async () => {
  await people.close();
  await core.close();
  await service.close();
});

/** One person of each role: those who have no company name this one, and once none. */
const peopleIn = async (company: string): Promise<readonly Person[]> => {
  const all = await Promise.all(
    roles.map(async (role): Promise<readonly Person[]> => {
      const user = await atHome(role, company);
      if (role !== 'super_admin') return [{ name: role, role, headers: {}, company, user }];
      const naming = { 'intake-company': company };
      return [
        { name: `${role} for the company`, role, headers: naming, company, user },
        { name: `${role} for none`, role, headers: {}, company: null, user },
      ];
    }),
  );
  return all.flat().map((person) => ({ ...person, name: `${person.name} of ${whose(person.company)}` }));
};
const whose = (company: string | null): string =>
  company === null ? 'nothing' : company === world.companyId ? 'the company' : 'another company';

const isPermitted = ({ access }: Endpoint): boolean => Object.hasOwn(permissions, access);
const permissionOf = ({ access }: Endpoint): Permission => {
  if (access === 'none' || access === 'page' || access === 'operator')
    throw new Error(`${access} is no permission`);
  return permissions[access];
};
const restricted = (): readonly Endpoint[] => endpoints.filter(isPermitted);
/**
 * One route for each permission and verb, which is what decides on a cookie; in the long half every route.
 */
const sampled = (): readonly Endpoint[] =>
  long
    ? restricted()
    : [
        ...new Map(
          restricted().map((endpoint) => [`${endpoint.access} ${endpoint.method}`, endpoint]),
        ).values(),
      ];
/** Those of one company, who are refused as those of another are; in the long half all of them. */
const sampledPersons = (): readonly Person[] =>
  long ? persons : persons.filter(({ company }) => company !== world.foreignCompanyId);
/** What ends the session that calls it. */
const isEnding = ({ access, method }: Endpoint): boolean => access === 'own.sessions' && method !== 'GET';

/** What domain/permissions.ts makes of this call: the code of the refusal, null where it passes. */
const refusalOf = (permission: Permission, { role, company }: Person): string | null => {
  if (!permission.roles.includes(role)) return 'role-required';
  return permission.scope === 'company' && company === null ? 'company-required' : null;
};
const codeOf = ({ status, body }: Reply): string | null =>
  status === 401 || status === 403 ? body.code : null;

test('every permission is of some route, and every route has its own', () => {
  const named = new Set(restricted().map(({ access }) => access));
  assert.equal([...named].sort(), Object.keys(permissions).sort());
});

test(
  'each route × each role: who has the permission passes, all others are a 403 [people-1]',
  async () => {
    let calls = 0;
    for (const endpoint of restricted())
      for (const person of sampledPersons()) {
        const { user, headers, name, role, company } = person;
        const { api } = isEnding(endpoint) ? await atHome(role, company ?? '') : user;
        const reply = await api.call(...somewhere(endpoint), { headers });
        assert.is(codeOf(reply), refusalOf(permissionOf(endpoint), person), `${endpoint.name}: ${name}`);
        calls += 1;
      }
    assert.ok(calls > 150, `${calls}`);
  },
  MANY_CALLS,
);

test(
  'routes × each role by cookie: the same, and a change without its token is a 403 [people-1, people-3]',
  async () => {
    for (const person of sampledPersons()) {
      const user = await atHome(person.role, person.company ?? '');
      let page = await user.page();
      for (const endpoint of sampled()) {
        const expected = refusalOf(permissionOf(endpoint), person);
        const { headers } = person;
        const bare = await page.withoutToken.call(...somewhere(endpoint), { headers });
        const isChange = endpoint.method !== 'GET';
        const first = expected === 'role-required' ? expected : isChange ? 'csrf-token-required' : expected;
        assert.is(codeOf(bare), first, `${endpoint.name} without a token: ${person.name}`);
        const reply = await page.api.call(...somewhere(endpoint), { headers });
        assert.is(codeOf(reply), expected, `${endpoint.name}: ${person.name}`);
        if (isEnding(endpoint)) page = await user.page();
      }
    }
  },
  MANY_CALLS,
);

test('where no key may call, a key is a 401; nobody, a disabled person and an ended session are a 401 everywhere [people-2]', async () => {
  const user = await people.user(world.companyId);
  const ended = await user.session();
  await ended.call('DELETE', '/api/auth/sessions');
  for (const endpoint of sampled())
    for (const [who, api] of Object.entries({ disabled, ended, nobody: client(service.url, null) })) {
      const { status } = await api.call(...somewhere(endpoint));
      assert.is(status, 401, `${endpoint.name}: ${who}`);
    }
  for (const endpoint of restricted().filter((one) => !isForKeys(one)))
    assert.is((await world.owner.call(...somewhere(endpoint))).status, 401, endpoint.name);
});

test('nobody names another company than the own, but a super_admin any that is there [people-4]', async () => {
  const path = '/api/v1/submissions';
  const naming = (company: string) => ({ headers: { 'intake-company': company } });
  for (const { role, user, company } of persons.filter((one) => one.company !== null)) {
    const other = company === world.companyId ? world.foreignCompanyId : world.companyId;
    const { status, body } = await user.api.get(path, naming(other));
    if (role === 'super_admin') assert.is(status, 200);
    else assert.equal([status, body.code], [403, 'company-required'], role);
    assert.is((await user.api.get(path, naming(company ?? ''))).status, 200, role);
  }
  const { api } = await people.user();
  for (const company of ['', 'ACME', 'cmp_01hv6x3m8q2r5t7w9y0a1b2c3d', `${world.companyId} x`]) {
    const { status, body } = await api.get(path, naming(company));
    assert.equal([status, body.errors?.[0]?.pointer], [400, '/headers/intake-company'], company);
  }
});

test('a mode that there is not is a 400 that names the header [people-5]', async () => {
  const { api } = await people.user(world.companyId, 'auditor');
  for (const mode of ['', 'LIVE', 'production', 'live, test']) {
    const { status, body } = await api.get('/api/v1/submissions', { headers: { 'intake-mode': mode } });
    assert.equal([status, body.errors?.[0]?.pointer], [400, '/headers/intake-mode'], mode);
  }
});

/** The rows that people have a part in, with those of their company and of another. */
const ofPeople = Object.entries(rows).filter(([name]) => !/Session|Uploads|Job$/.test(name));

test('the rows of people are those of routes that some role has', () => {
  const all = restricted().filter((endpoint) => permissionOf(endpoint).roles.length > 0);
  const own = all.filter(({ name, access }) => name in rows && access !== 'own.sessions');
  assert.equal(ofPeople.map(([name]) => name).sort(), own.map(({ name }) => name).sort());
});

for (const [name, row] of ofPeople) {
  test(`${name}: people of another company, and of the other mode, are answered as of the unknown [people-4, people-5]`, async () => {
    const { call, parameters, permission } = requests(name, row);
    const before = await core.log.head();
    const test = { 'intake-mode': 'test' };
    for (const person of persons.filter((one) => refusalOf(permission, one) === null)) {
      const [first = {}] = unknownOnes(parameters);
      const unknown = await call(person, first);
      assert.is(unknown.status, 404, name);
      const isOwn = person.company === world.companyId;
      if (!isOwn) assert.equal(told(await call(person, parameters)), told(unknown), person.name);
      if (isOwn && !row.seenBy.includes('otherMode'))
        assert.equal(told(await call(person, parameters, test)), told(unknown), `${person.name}, test`);
    }
    assert.equal(await decidedSince(core.log, before), [], 'a refused request appended an event');
  });
}

const listed = () => Object.keys(lists).filter((name) => permissionOf(endpointOf(name)).roles.length > 0);

test('lists show people what is of their company and mode, whatever they filter by [people-4, people-5]', async () => {
  const { sessionId, submissionId, batchRef, eventId, redactionId, evaluationId } = world;
  const named = { sessionId, submissionId, batchRef, eventId, redactionId, evaluationId };
  const made = { ...named, clientSubmissionId: 'matrix-client' };
  const filters = ['', ...Object.entries(made).map(([member, value]) => `?${member}=${value}`)];
  const shown = async ({ user, headers }: Person, path: string, more: Headers = {}) => {
    const { text } = await user.api.get(path, { headers: { ...headers, ...more } });
    return Object.values(made).filter((value) => text.includes(value.slice(-26)));
  };
  for (const name of listed()) {
    const { path } = endpointOf(name);
    for (const person of persons.filter(({ company }) => company !== null)) {
      const isOwn = person.company === world.companyId;
      const mayRead = refusalOf(permissionOf(endpointOf(name)), person) === null;
      // Who may not read is refused before a filter is read.
      for (const filter of mayRead || long ? filters : ['']) {
        const seen = await shown(person, `${path}${filter}`);
        if (isOwn && filter === '')
          assert.is(seen.length > 0, mayRead && lists[name] !== null, `${name}: ${person.name}`);
        if (!isOwn) assert.equal(seen, [], `${person.name} sees something in ${path}${filter}`);
        const inTest = await shown(person, `${path}${filter}`, { 'intake-mode': 'test' });
        assert.equal(inTest, [], `${person.name} sees something in ${path}${filter} of test mode`);
      }
    }
  }
});

test('people see their own company, a super_admin who names none all of them, page by page [companies-1, companies-3]', async () => {
  const all = [world.companyId, world.foreignCompanyId].sort();
  for (const { user, headers, company, name } of persons) {
    const { body } = await user.api.get('/api/v1/companies', { headers });
    const ids = body.data.map(({ id }: { id: string }) => id).sort();
    assert.equal(ids, company === null ? all : [company], name);
  }
  const { api } = await people.user();
  const first = (await api.get('/api/v1/companies?limit=1')).body;
  assert.equal([first.data.length, first.pagination.hasMore], [1, true]);
  const next = (await api.get(`/api/v1/companies?limit=1&cursor=${first.pagination.nextCursor}`)).body;
  assert.equal([first.data[0].id, next.data[0].id].sort(), all);
});

test('a cursor is of one company and mode', async () => {
  const admin = await people.user();
  const page = (company: string, more: Headers = {}, query = '') =>
    admin.api.get(`/api/v1/submissions?limit=1${query}`, { headers: { 'intake-company': company, ...more } });
  const { nextCursor } = (await page(world.companyId)).body.pagination;
  assert.is((await page(world.companyId, {}, `&cursor=${nextCursor}`)).status, 200);
  assert.is((await page(world.foreignCompanyId, {}, `&cursor=${nextCursor}`)).status, 400);
  assert.is((await page(world.companyId, { 'intake-mode': 'test' }, `&cursor=${nextCursor}`)).status, 400);
});

test('an Idempotency-Key is of one person, company and mode [idempotency-6]', async () => {
  const admin = await people.user();
  const other = await people.user();
  const range = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' };
  const send = async ({ api }: User, company: string, mode: string) => {
    const headers = { 'intake-company': company, 'intake-mode': mode, 'idempotency-key': 'people' };
    const reply = await api.post('/api/v1/webhook-deliveries/redeliver', range, { headers });
    assert.is(reply.status, 202, reply.text);
    return reply.headers.get('idempotency-replayed');
  };
  const { companyId, foreignCompanyId } = world;
  assert.is(await send(admin, companyId, 'live'), null);
  assert.is(await send(admin, companyId, 'live'), 'true');
  assert.is(await send(admin, companyId, 'test'), null);
  assert.is(await send(admin, foreignCompanyId, 'live'), null);
  assert.is(await send(other, companyId, 'live'), null);
});

// Last, since what these do goes on behind the answers.
for (const [name, row] of ofPeople) {
  test(`${name}: who has the permission for the company may [people-1]`, async () => {
    const { call, parameters, permission } = requests(name, row);
    for (const person of persons) {
      if (person.company !== world.companyId || refusalOf(permission, person) !== null) continue;
      const { status, text } = await call(person, parameters);
      assert.ok(status < 500 && ![401, 403, 404].includes(status), `${person.name}: ${status} ${text}`);
      if (row.once) break;
    }
  });
}

const endpointOf = (name: string): Endpoint => {
  const endpoint = endpoints.find((one) => one.name === name);
  if (!endpoint) throw new Error(`there is no endpoint ${name}: see test/http/matrix/rows.ts`);
  return endpoint;
};

const requests = (name: string, { parameters, body }: Row) => {
  const endpoint = endpointOf(name);
  const { method } = endpoint;
  const call = ({ user, headers }: Person, named: Headers, more: Headers = {}): Promise<Reply> =>
    user.api.call(method, pathOf(endpoint, named), {
      headers: { ...headers, ...more },
      ...(hasBody(method) ? { body: body ?? {} } : {}),
    });
  return { call, parameters: parameters(world), permission: permissionOf(endpoint) };
};
