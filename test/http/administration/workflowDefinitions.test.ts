import * as assert from 'uvu/assert';
import { workflowStream } from '../../../domain/workflow.ts';
import { eventually, suite } from '../../harness.ts';
import { type Client, type Reply, receiptText } from '../../support/client.ts';
import { receiptDefinition } from '../../support/definition.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('workflow definitions over HTTP');
const PATH = '/api/v1/workflow-definitions';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: string;
let owner: Client;
let superAdmin: Awaited<ReturnType<typeof people.user>>;
test.before(async () => {
  service = await startService({ ERP_SECRET: SECRET });
  people = await peopleOf(service);
  ({ id: company, api: owner } = await service.company({ ...receiptDefinition, slug: 'first' }));
  superAdmin = await people.user();
});
test.after(async () => {
  await people.close();
  await service.close();
});

const defined = (slug: string, more: object = {}) => ({ ...receiptDefinition, slug, ...more });
const publish = (definition: object, more: object = {}, api = superAdmin.api) =>
  api.post(PATH, { definition, ...more });
const naming = (companyId: string) => ({ headers: { 'intake-company': companyId } });
const slugsOf = ({ body }: Reply) => body.data.map(({ slug }: { slug: string }) => slug);
const pointersOf = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map((one: { pointer: string }) => one.pointer),
];
const assign = (slug: string, companyId: string, method: 'PUT' | 'DELETE' = 'PUT') =>
  superAdmin.api.call(method, `${PATH}/${slug}/companies/${companyId}`);

test('a super_admin publishes versions, which sessions then get, and the events name the person [workflows-12]', async () => {
  const first = await publish(defined('published'));
  assert.equal(
    [first.status, first.body, first.headers.get('location')],
    [201, { slug: 'published', version: 1 }, `${PATH}/published/versions/1`],
  );
  assert.is((await assign('published', company)).status, 200);
  const second = await publish(defined('published', { name: 'Bill' }), { version: 2 });
  assert.equal(second.body, { slug: 'published', version: 2 });
  assert.is((await owner.get('/api/v1/workflows/published')).body.name, 'Bill');
  const { events } = await people.log.load(workflowStream('published'));
  assert.equal(
    events.map(({ type, metadata }) => [type, metadata.actor.id]),
    ['WorkflowPublished', 'WorkflowAssigned', 'WorkflowPublished'].map((type) => [type, superAdmin.userId]),
  );
});

test('of two who publish the same version one is told so, and publishes nothing [workflows-12]', async () => {
  await publish(defined('raced'));
  const replies = await Promise.all([1, 2, 3].map(() => publish(defined('raced'), { version: 2 })));
  assert.equal(replies.map(({ status }) => status).sort(), [201, 409, 409]);
  const refused = replies.find(({ status }) => status === 409) as Reply;
  assert.equal(refused.body.code, 'version-taken');
  assert.is(refused.body.detail, 'The next version of raced is 3, not 2.');
  assert.is((await people.log.load(workflowStream('raced'))).events.length, 2);
});

test('a version with a gate is followed by what an evaluation has shown to be right, or by force with a reason [evaluations-15, evaluations-16, evaluations-17]', async () => {
  const gate = { set: { size: 1 }, maxWrong: 0 };
  const strict = defined('gated', { processing: { review: 'always', gate } });
  const careless = defined('gated', { processing: { review: 'auto', reviewBelow: 0.1, gate } });
  assert.is((await publish(strict)).status, 201);
  await assign('gated', company);
  const { submissionId } = await owner.process([receiptText()], {}, 'gated');
  const approval = { corrections: { total: 100 } };
  assert.is((await owner.post(`/api/v1/submissions/${submissionId}/approve`, approval)).status, 200);
  const evaluated = async (definition: object): Promise<string> => {
    const { evaluationId } = (await owner.post('/api/v1/evaluations', { definition })).body;
    await eventually('the evaluation is completed', async () => {
      const { status } = (await owner.get(`/api/v1/evaluations/${evaluationId}`)).body;
      return status === 'completed';
    });
    return evaluationId;
  };
  const refused = async (evaluationId: string | null): Promise<string> => {
    const { status, body } = await publish(careless, { evaluationId });
    assert.equal([status, body.code], [409, 'publish-gate-closed']);
    return body.detail;
  };
  assert.match(await refused(null), 'It must be tried on 1 approved submissions first');
  const [right, wrong] = [await evaluated(strict), await evaluated(careless)];
  assert.match(await refused(right), `${right} is an evaluation of another definition.`);
  assert.match(await refused(wrong), '1 of 1 that it approves without a person are wrong: 100 %');
  assert.equal((await publish(strict, { evaluationId: right })).body, { slug: 'gated', version: 2 });
  const force = 'agreed with accounting';
  assert.is((await publish(careless, { evaluationId: wrong, force })).body.version, 3);
  const rows = (await superAdmin.api.get(`${PATH}/gated/versions`)).body.data;
  const tried = { documents: 1, maxWrong: 0 };
  assert.equal(
    rows.map(({ passage }: { passage: object }) => passage),
    [
      { evaluationId: wrong, ...tried, approved: 1, wrong: 1, forcedBecause: force },
      { evaluationId: right, ...tried, approved: 0, wrong: 0, forcedBecause: null },
      null,
    ],
  );
  const { definition } = (await superAdmin.api.get(`${PATH}/gated/versions/3`)).body;
  assert.equal(definition.processing.gate, { set: { size: 1, approvedBy: 'anybody' }, maxWrong: 0 });
});

test('a gate on a version that reads elsewhere is refused: no evaluation could open it [evaluations-15]', async () => {
  const http = { url: 'https://extractor.example.com', secretEnv: 'ERP_SECRET' };
  const processing = { extractor: { http }, gate: { set: { size: 1 }, maxWrong: 0 } };
  assert.equal(pointersOf(await publish(defined('elsewhere', { processing }))), [
    422,
    '/definition/processing/gate',
  ]);
});

test('a repeated request publishes once [workflows-12]', async () => {
  const body = { definition: defined('repeated') };
  const headers = { 'idempotency-key': 'publish-1' };
  for (const _ of [1, 2]) assert.is((await superAdmin.api.post(PATH, body, { headers })).body.version, 1);
  assert.is((await people.log.load(workflowStream('repeated'))).events.length, 1);
});

test('every fault is named at its place, by the check too, and nothing is published [workflows-13, definitions-1, definitions-6]', async () => {
  const sync = { url: 'http://erp.example.com/hook', secretEnv: 'NOT_SET_ANYWHERE' };
  const [field] = receiptDefinition.outputSchema;
  const broken = defined('broken', {
    outputSchema: [field, field, { ...field, name: 'x', type: 'money' }],
    processing: { reviewBelow: 2 },
  });
  const expected = [422, '/definition/outputSchema/2/type', '/definition/processing/reviewBelow'];
  for (const path of [PATH, `${PATH}/check`])
    assert.equal(pointersOf(await superAdmin.api.post(path, { definition: broken })), expected, path);
  const known = defined('broken', { outputSchema: [field, field], processing: { sync } });
  const places = ['outputSchema/1/name', 'processing/sync/url', 'processing/sync/secretEnv'];
  for (const path of [PATH, `${PATH}/check`])
    assert.equal(
      pointersOf(await superAdmin.api.post(path, { definition: known })),
      [422, ...places.map((place) => `/definition/${place}`)],
      path,
    );
  for (const definition of [undefined, null, 'receipt', [], 7])
    assert.is(pointersOf(await superAdmin.api.post(PATH, { definition }))[1], '/definition', `${definition}`);
  for (const version of [0, 1.5, 'two'])
    assert.equal(pointersOf(await publish(defined('broken'), { version })), [422, '/version']);
  assert.is((await people.log.load(workflowStream('broken'))).events.length, 0);
});

test('the check fills in every default, says the next version, and publishes nothing [workflows-13]', async () => {
  const check = (slug: string) => superAdmin.api.post(`${PATH}/check`, { definition: defined(slug) });
  const { status, body } = await check('checked');
  assert.equal([status, body.version, body.definition.processing.review], [200, 1, 'auto']);
  assert.is((await superAdmin.api.get(`${PATH}/checked/versions`)).status, 404);
  await publish(defined('checked'));
  assert.is((await check('checked')).body.version, 2);
  const { definition } = (await superAdmin.api.get(`${PATH}/checked/versions/1`)).body;
  assert.equal(definition, body.definition);
});

test('versions are listed newest first, in pages, with who published them; each gives its definition [workflows-10]', async () => {
  for (const name of ['One', 'Two', 'Three']) await publish(defined('listed', { name }));
  const first = (await superAdmin.api.get(`${PATH}/listed/versions?limit=2`)).body;
  assert.equal(
    first.data.map(({ version, name }: { version: number; name: string }) => [version, name]),
    [
      [3, 'Three'],
      [2, 'Two'],
    ],
  );
  assert.equal(first.data[0].publishedBy, { kind: 'user', id: superAdmin.userId });
  const cursor = first.pagination.nextCursor;
  const second = (await superAdmin.api.get(`${PATH}/listed/versions?limit=2&cursor=${cursor}`)).body;
  assert.equal([second.data[0].version, second.data.length, second.pagination.hasMore], [1, 1, false]);
  const { body } = await superAdmin.api.get(`${PATH}/listed/versions/2`);
  assert.equal([body.definition.name, body.version, body.publishedAt], ['Two', 2, first.data[1].publishedAt]);
  assert.is((await superAdmin.api.get(`${PATH}/listed/versions/4`)).status, 404);
  assert.is((await superAdmin.api.get(`${PATH}/listed/versions/0`)).status, 400);
});

test('people see what is assigned to their company; a super_admin everything, with how many have it [workflows-9]', async () => {
  const other = await service.company(defined('others'));
  await assign('others', company);
  await publish(defined('nobodys'));
  const all = (await superAdmin.api.get(`${PATH}?limit=100`)).body.data;
  const counts = Object.fromEntries(
    all.map((one: { slug: string; companies: number }) => [one.slug, one.companies]),
  );
  assert.equal([counts.others, counts.nobodys, counts.first], [2, 0, 1]);
  for (const role of ['org_admin', 'reviewer', 'auditor'] as const) {
    const { api } = await people.user(other.id, role);
    assert.equal(slugsOf(await api.get(PATH)), ['others'], role);
    assert.is((await api.get(PATH)).body.data[0].companies, null);
    assert.is((await api.get(`${PATH}/others/versions/1`)).status, 200);
    for (const slug of ['first', 'nobodys', 'unknown'])
      for (const path of [`${PATH}/${slug}/versions`, `${PATH}/${slug}/versions/1`])
        assert.is((await api.get(path)).status, 404, `${role}: ${path}`);
  }
  assert.equal(slugsOf(await superAdmin.api.get(PATH, naming(other.id))), ['others']);
  assert.is((await superAdmin.api.get(`${PATH}/nobodys/versions`, naming(other.id))).status, 404);
  assert.is((await superAdmin.api.get(`${PATH}/nobodys/versions`)).status, 200);
  const pages = (await superAdmin.api.get(`${PATH}?limit=1`)).body;
  const next = await superAdmin.api.get(`${PATH}?limit=1&cursor=${pages.pagination.nextCursor}`);
  assert.not.equal(slugsOf(next), slugsOf({ body: pages } as Reply));
});

test('of its addresses a company’s people see the origin alone, and its keys no definition [workflows-11]', async () => {
  const http = { url: 'https://read.example.com/secret-path?token=1', secretEnv: 'ERP_SECRET' };
  const sync = { url: 'https://erp.example.com/secret-path', secretEnv: 'ERP_SECRET' };
  const published = await publish(defined('addresses', { processing: { extractor: { http }, sync } }));
  assert.is(published.status, 201, published.text);
  await assign('addresses', company);
  const path = `${PATH}/addresses/versions/1`;
  const whole = (await superAdmin.api.get(path)).body.definition.processing;
  assert.equal([whole.extractor.http.url, whole.sync.url], [http.url, sync.url]);
  const shown = await (await people.user(company, 'org_admin')).api.get(path);
  const { extractor, sync: to } = shown.body.definition.processing;
  assert.equal([extractor.http.url, to.url], ['https://read.example.com', 'https://erp.example.com']);
  assert.not.ok(shown.text.includes('secret-path'));
  assert.is((await owner.get(path)).status, 401);
  assert.is((await owner.get(PATH)).status, 401);
});

test('assigning and its end may be repeated, and stop new sessions alone [workflows-14, workflows-8]', async () => {
  const other = await service.company(defined('assigned'));
  for (const _ of [1, 2])
    assert.equal((await assign('assigned', company)).body, {
      ...{ slug: 'assigned', companyId: company, assigned: true },
    });
  const companies = (await superAdmin.api.get(`${PATH}/assigned/companies?limit=1`)).body;
  assert.equal([companies.data[0].id, companies.pagination.hasMore], [other.id, true]);
  const { nextCursor } = companies.pagination;
  const rest = (await superAdmin.api.get(`${PATH}/assigned/companies?cursor=${nextCursor}`)).body;
  assert.equal([rest.data.length, rest.data[0].id], [1, company]);
  const { submissionId } = await owner.process([receiptText()], {}, 'assigned');
  for (const _ of [1, 2]) assert.is((await assign('assigned', company, 'DELETE')).body.assigned, false);
  assert.is((await owner.get('/api/v1/workflows/assigned')).status, 404);
  assert.is((await owner.get(`/api/v1/submissions/${submissionId}`)).status, 200);
  for (const [slug, id] of [
    ['unknown', company],
    ['assigned', 'cmp_01hv6x3m8q2r5t7w9y0a1b2c3d'],
    ['assigned', 'ACME'],
  ])
    assert.is((await assign(slug ?? '', id ?? '')).status, 404, `${slug} ${id}`);
});

test('nobody else publishes, checks or assigns [people-1]', async () => {
  const { api } = await people.user(company, 'org_admin');
  for (const reply of [
    await publish(defined('mine'), {}, api),
    await api.post(`${PATH}/check`, { definition: defined('mine') }),
    await api.call('PUT', `${PATH}/first/companies/${company}`),
    await api.call('DELETE', `${PATH}/first/companies/${company}`),
    await api.get(`${PATH}/first/companies`),
  ])
    assert.equal([reply.status, reply.body.code], [403, 'role-required']);
  assert.is((await publish(defined('mine'), {}, owner)).status, 401);
  assert.is((await people.log.load(workflowStream('mine'))).events.length, 0);
});
