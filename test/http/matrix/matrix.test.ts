import * as assert from 'uvu/assert';
import { isForKeys } from '../../../http/engine/problems/endpointProblems.ts';
import type { Endpoint } from '../../../http/engine/route.ts';
import { type Core, wireCore } from '../../../runtime/wire.ts';
import { suite } from '../../harness.ts';
import { type Client, client, type Reply } from '../../support/client.ts';
import { routeTable } from '../../support/routes.ts';
import { startService, type TestService } from '../../support/service.ts';
import { decidedSince } from './decided.ts';
import { hasBody, oddOnes, pathOf, somewhere, told, unknownOnes } from './requests.ts';
import { lists, type Row, rows } from './rows.ts';
import { makeWorld, type Other, others, type World } from './world.ts';

const test = suite('what each key may see');
let service: TestService;
let world: World;
let core: Core;
let endpoints: readonly Endpoint[];

test.before(async () => {
  service = await startService({ METRICS_TOKEN: 'matrix-metrics-token' });
  world = await makeWorld(service);
  core = await wireCore(service.config);
  endpoints = routeTable(service.config, core).map(({ endpoint }) => endpoint);
});
test.after(async () => {
  await core.close();
  await service.close();
});

const keyed = (): readonly Endpoint[] =>
  endpoints.filter(({ access }) => access !== 'none' && access !== 'page');
const ofApiKeys = (): readonly Endpoint[] => keyed().filter(isForKeys);
const hasId = ({ parameters = {} }: Endpoint): boolean => Object.keys(parameters).length > 0;

test('every route with an id has its row in the matrix', () => {
  const missing = ofApiKeys()
    .filter((endpoint) => hasId(endpoint) && !(endpoint.name in rows))
    .map(({ name, path }) => `${name} (${path})`);
  const remedy = `Say in test/http/matrix/rows.ts who sees what these name; what they name must be made in world.ts: ${missing}`;
  assert.equal(missing, [], remedy);
  const names = keyed().map(({ name }) => name);
  const gone = Object.keys(rows).filter((name) => !names.includes(name));
  assert.equal(gone, [], `These rows of test/http/matrix/rows.ts are of no endpoint: ${gone}`);
});

for (const [name, row] of Object.entries(rows)) {
  test(`${name}: what a key may not see is answered as the unknown is, and nothing changes [visibility-1, visibility-2, test-mode-1]`, async () => {
    const { endpoint, call, parameters } = requests(name, row);
    const before = await core.log.head();
    const unknown = await Promise.all(unknownOnes(parameters).map((one) => call(world.owner, one)));
    const odd = await Promise.all(oddOnes(endpoint, parameters).map((one) => call(world.owner, one)));
    for (const reply of [...unknown, ...odd]) {
      assert.is(reply.status, 404, `${endpoint.name} of an unknown id`);
      assert.equal(told(reply).body, told(unknown[0] as Reply).body);
    }
    for (const who of others.filter((other) => !row.seenBy.includes(other))) {
      const reply = await call(world[who], parameters);
      assert.equal(told(reply), told(unknown[0] as Reply), `${who} tells it from an unknown one`);
    }
    assert.equal(await decidedSince(core.log, before), [], 'a refused request appended an event');
  });
}

test('without a key, with an unknown or a malformed one, every route is a 401 [keys-1]', async () => {
  const { key } = await service.key(null);
  const bad = [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: `Basic ${key}` },
    { authorization: 'Bearer aok_short' },
    { authorization: `Bearer ${key.toUpperCase()}` },
    { authorization: `Bearer ${key}0` },
    { authorization: `Bearer aok_${'0'.repeat(64)}` },
  ];
  const anonymous = client(service.url, null);
  for (const endpoint of keyed()) {
    const answers = await Promise.all(
      bad.map((headers) => anonymous.call(...somewhere(endpoint), { headers })),
    );
    for (const reply of answers) {
      assert.equal([reply.status, reply.body.code], [401, 'unauthorized'], endpoint.name);
      assert.is(reply.headers.get('www-authenticate'), 'Bearer');
      assert.is(reply.headers.get('content-type'), 'application/problem+json');
      const { detail, ...same } = told(reply).body;
      assert.match(detail, /^Send `Authorization: Bearer .*`\. This request has /, endpoint.name);
      assert.equal(same, (({ detail: _, ...first }) => first)(told(answers[0] as Reply).body), endpoint.name);
    }
  }
});

test('a revoked key is a 403 on every route [keys-3]', async () => {
  for (const endpoint of ofApiKeys()) {
    const { status, body } = await world.revoked.call(...somewhere(endpoint));
    assert.equal([status, body.code], [403, 'key-revoked'], endpoint.name);
  }
});

test('an unscoped key is a 403 on every route but GET /companies and POST /webhooks/test [visibility-4, webhook-tests-7]', async () => {
  const open = ['/api/v1/companies', '/api/v1/webhooks/test'];
  for (const endpoint of ofApiKeys()) {
    const { status, body } = await world.unscoped.call(...somewhere(endpoint));
    if (open.includes(endpoint.path)) assert.not.equal(status, 403, endpoint.name);
    else assert.equal([status, body.code], [403, 'company-required'], endpoint.name);
  }
});

test('every list says in the matrix who sees what in it', () => {
  const served = ofApiKeys().filter((endpoint) => endpoint.method === 'GET' && !hasId(endpoint));
  const names = served.map(({ name }) => name);
  assert.equal(names.sort(), Object.keys(lists).sort(), 'Name each list in test/http/matrix/rows.ts');
});

for (const [name, seenBy] of Object.entries(lists)) {
  test(`${name} shows what the owner made to whom it may, and nothing of it to others, whatever they filter by [visibility-2, visibility-3, test-mode-1]`, async () => {
    const path = endpoints.find((one) => one.name === name)?.path ?? '';
    const { sessionId, submissionId, batchRef, eventId, redactionId, evaluationId } = world;
    const named = { sessionId, submissionId, batchRef, eventId, redactionId, evaluationId };
    const made = { ...named, clientSubmissionId: 'matrix-client' };
    const filters = Object.entries(made).map(([member, value]) => `?${member}=${value}`);
    const shown = async (who: Other | 'unscoped' | 'owner', query: string) => {
      const { text } = await world[who].get(`${path}${query}`);
      return Object.values(made).filter((value) => text.includes(value.slice(-26)));
    };
    const seeing = seenBy === null ? [] : ([...seenBy, 'owner'] as const);
    for (const who of seeing) assert.ok((await shown(who, '')).length > 0, `${who} sees nothing`);
    for (const who of [...others, 'unscoped'] as const)
      for (const query of ['', ...filters]) {
        if (seenBy?.some((one) => one === who)) continue;
        assert.equal(await shown(who, query), [], `${who} sees something in ${path}${query}`);
      }
  });
}

test('nobody repeats deliveries of a time but those of the own key', async () => {
  const before = await core.log.head();
  const all = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  for (const who of others) {
    const { status, body } = await world[who].post('/api/v1/webhook-deliveries/redeliver', all);
    assert.equal([status, body], [202, { count: 0 }], who);
  }
  assert.equal(await decidedSince(core.log, before), []);
});

// Last, since what these do goes on behind the answers.
for (const [name, row] of Object.entries(rows)) {
  test(`${name}: the key that made it sees it, and so does each of its scope [visibility-3, batches-14, keys-8]`, async () => {
    const { call, parameters } = requests(name, row);
    for (const who of row.once ? (['owner'] as const) : ([...row.seenBy, 'owner'] as const)) {
      const { status, text } = await call(world[who], parameters);
      assert.ok(status < 500 && ![401, 403, 404].includes(status), `${who}: ${status} ${text}`);
    }
  });
}

const requests = (name: string, { parameters, body }: Row) => {
  const endpoint = endpoints.find((one) => one.name === name);
  if (!endpoint) throw new Error(`there is no endpoint ${name}: see test/http/matrix/rows.ts`);
  const { method } = endpoint;
  const call = (api: Client, named: Readonly<Record<string, string>>): Promise<Reply> =>
    api.call(method, pathOf(endpoint, named), hasBody(method) ? { body: body ?? {} } : {});
  return { endpoint, call, parameters: parameters(world) };
};
