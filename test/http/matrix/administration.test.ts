import * as assert from 'uvu/assert';
import type { Endpoint } from '../../../http/engine/route.ts';
import { type Core, wireCore } from '../../../runtime/wire.ts';
import { suite } from '../../harness.ts';
import type { Client, Reply } from '../../support/client.ts';
import { peopleOf } from '../../support/people.ts';
import { routeTable } from '../../support/routes.ts';
import { startService, type TestService } from '../../support/service.ts';
import { decidedSince } from './decided.ts';
import { pathOf, told, unknownOnes } from './requests.ts';
import { type Administered, administered } from './rows.ts';

const test = suite('whom and what each administrator may change');
/** Who asks, for which company (null: for none, and so for all). */
type Asking = Readonly<{
  name: string;
  api: Client;
  headers: Readonly<Record<string, string>>;
  of: string | null;
}>;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let core: Core;
let endpoints: readonly Endpoint[];
let company: string;
let other: string;
let superAdmin: Client;
let asking: readonly Asking[];

test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  core = await wireCore(service.config);
  endpoints = routeTable(service.config, core).map(({ endpoint }) => endpoint);
  [company, other] = [(await service.company()).id, (await service.company()).id];
  superAdmin = (await people.user()).api;
  const administrator = async (of: string): Promise<Asking> => ({
    ...{ name: `the org_admin of ${of}`, headers: {}, of },
    api: (await people.user(of)).api,
  });
  const naming = (of: string): Asking => ({
    ...{ name: `a super_admin for ${of}`, headers: { 'intake-company': of }, of },
    api: superAdmin,
  });
  const all = { name: 'a super_admin for none', api: superAdmin, headers: {}, of: null };
  const own = await Promise.all([administrator(company), administrator(other)]);
  asking = [...own, naming(company), naming(other), all];
});
test.after(async () => {
  await people.close();
  await core.close();
  await service.close();
});

const roleIn = (companyId: string | null) => (companyId === null ? 'super_admin' : 'reviewer');
/** Each makes another one that belongs to this company, or to none, and gives its id. */
const belongingTo: Readonly<Record<Administered, (companyId: string | null) => Promise<string>>> = {
  keyId: async (companyId) => (await superAdmin.post('/api/v1/keys', { companyId })).body.id,
  userId: async (companyId) => (await people.user(companyId, roleIn(companyId))).userId,
  invitationId: async (companyId) => {
    const of = companyId === null ? {} : { companyId };
    const asked = { email: people.newEmail(), role: roleIn(companyId), ...of };
    return (await superAdmin.post('/api/v1/invitations', asked)).body.id;
  },
};

const endpointOf = (name: string): Endpoint => {
  const found = endpoints.find((one) => one.name === name);
  if (!found) throw new Error(`there is no endpoint ${name}: see test/http/matrix/rows.ts`);
  return found;
};
const bodyOf = (name: string, companyId: string | null): object => {
  const { body } = administered[name] ?? { body: {} };
  return name === 'changeRole' && companyId === null ? { ...body, companyId: company } : body;
};
const ask = (name: string, { api, headers }: Asking, id: string, body: object): Promise<Reply> => {
  const { names } = administered[name] ?? { names: '' };
  return api.post(pathOf(endpointOf(name), { [names]: id }), body, { headers });
};

test('every route of keys and people with an id has its row', () => {
  const named = endpoints.filter(
    ({ access, parameters }) =>
      (access === 'keys.manage' || access === 'people.manage') && parameters !== undefined,
  );
  const missing = named
    .filter(({ name }) => !(name in administered))
    .map(({ name, path }) => `${name} (${path})`);
  assert.equal(missing, [], 'Say in `administered` of test/http/matrix/rows.ts what each of them names.');
  for (const name of Object.keys(administered)) assert.ok(named.includes(endpointOf(name)), name);
});

for (const [name, { names, after }] of Object.entries(administered)) {
  test(`${name}: what is of another company, or of none, is answered as the unknown, and nothing changes [people-13, keys-13]`, async () => {
    for (const companyId of [company, other, null]) {
      const id = await belongingTo[names](companyId);
      const before = await core.log.head();
      for (const who of asking.filter(({ of }) => of !== null && of !== companyId)) {
        const [unknown = {}] = unknownOnes({ [names]: id });
        const expected = told(await ask(name, who, unknown[names] ?? '', bodyOf(name, companyId)));
        assert.is(expected.status, 404);
        assert.equal(told(await ask(name, who, id, bodyOf(name, companyId))), expected, who.name);
      }
      assert.equal(await decidedSince(core.log, before), [], 'a refused request appended an event');
    }
  });

  test(`${name}: whoever acts for its company, and a super_admin for none, changes it [people-13, keys-13]`, async () => {
    for (const companyId of [company, null])
      for (const who of asking.filter(({ of }) => of === null || of === companyId)) {
        const id = await belongingTo[names](companyId);
        if (after) assert.is((await ask(after, who, id, {})).status, 200);
        const before = await core.log.head();
        const { status, text } = await ask(name, who, id, bodyOf(name, companyId));
        assert.ok(status === 200 || status === 201, `${who.name}: ${text}`);
        // Who is enabled already stays as they are.
        const changed = (await decidedSince(core.log, before)).length > 0;
        assert.is(changed, name !== 'enablePerson', `${who.name} of ${id}`);
      }
  });
}
