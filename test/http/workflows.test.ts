import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { receiptDefinition } from '../support/definition.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('workflows');
let service: TestService;
test.before(async () => {
  service = await sharedService();
});

test('the list shows what is assigned, those assigned last first, in pages [workflows-1]', async () => {
  const company = await service.company({ ...receiptDefinition, slug: 'one' });
  for (const slug of ['two', 'three']) {
    await service.company({ ...receiptDefinition, slug });
    await service.intake('workflow', 'assign', slug, '--company', company.id);
  }
  const first = await company.api.get('/api/v1/workflows?limit=2');
  assert.equal(
    first.body.data.map(({ slug }: { slug: string }) => slug),
    ['three', 'two'],
  );
  assert.equal(Object.keys(first.body.data[0]), [
    'id',
    'slug',
    'name',
    'description',
    'icon',
    'color',
    'version',
    'publishedAt',
  ]);
  const { nextCursor } = first.body.pagination;
  const second = await company.api.get(`/api/v1/workflows?limit=2&cursor=${nextCursor}`);
  assert.equal(
    second.body.data.map(({ slug }: { slug: string }) => slug),
    ['one'],
  );
  assert.equal(second.body.pagination, { hasMore: false, nextCursor: null });
});

test('a page of another company, or asked for with a bad parameter, is a 400', async () => {
  const one = await service.company({ ...receiptDefinition, slug: 'first' });
  await service.company({ ...receiptDefinition, slug: 'second' });
  await service.intake('workflow', 'assign', 'second', '--company', one.id);
  const { nextCursor } = (await one.api.get('/api/v1/workflows?limit=1')).body.pagination;
  assert.is((await one.api.get(`/api/v1/workflows?cursor=${nextCursor}`)).status, 200);
  const other = await service.company({ ...receiptDefinition, slug: 'third' });
  for (const query of [`cursor=${nextCursor}`, 'cursor=x', 'cursor=', 'limit=x', 'limit=1&limit=1']) {
    const { status, body } = await other.api.get(`/api/v1/workflows?${query}`);
    assert.equal([status, body.code], [400, 'malformed-request'], query);
  }
});

test('the summary is the newest version, each version stays as it was [workflows-3, workflows-4, workflows-5]', async () => {
  const { api } = await service.company({ ...receiptDefinition, slug: 'kept' });
  const before = await api.get('/api/v1/workflows/kept/versions/1');
  await service.company({
    ...receiptDefinition,
    slug: 'kept',
    name: 'Kept 2',
    upload: { ...receiptDefinition.upload, maxFiles: 2 },
  });
  const summary = await api.get('/api/v1/workflows/kept');
  assert.equal([summary.body.version, summary.body.name, summary.body.upload.maxFiles], [2, 'Kept 2', 2]);
  assert.equal((await api.get('/api/v1/workflows/kept/versions/1')).body, before.body);
  assert.equal(Object.keys(before.body), [
    'workflow',
    'version',
    'upload',
    'outputSchema',
    'outputJsonSchema',
    'fourEyes',
    'requireComplete',
  ]);
  assert.equal(Object.keys(before.body.workflow), ['id', 'slug', 'name', 'description', 'icon', 'color']);
  assert.equal(before.body.outputSchema[2], {
    name: 'total',
    label: 'Total',
    required: true,
    description: 'amount paid',
    type: 'number',
    validation: { pattern: null, minLength: null, maxLength: null },
    columns: null,
  });
  assert.match(before.body.outputJsonSchema.$schema, /2020-12/);
});

test('a version that is no integer from 1 is a 400, an unknown one a 404', async () => {
  const { api } = await service.company({ ...receiptDefinition, slug: 'versions' });
  for (const version of ['0', '-1', '1.0', 'x']) {
    assert.is((await api.get(`/api/v1/workflows/versions/versions/${version}`)).status, 400, version);
  }
  assert.is((await api.get('/api/v1/workflows/versions/versions/9')).status, 404);
});

test('what is not assigned is as unknown as what is not there [workflows-6]', async () => {
  await service.company({ ...receiptDefinition, slug: 'hidden' });
  const { api } = await service.company({ ...receiptDefinition, slug: 'seen' });
  const paths = ['hidden', 'nothing', 'hidden/versions/1', 'nothing/versions/1'];
  const answers = await Promise.all(paths.map((path) => api.get(`/api/v1/workflows/${path}`)));
  const told = answers.map(({ status, body }) => JSON.stringify([status, body.code, body.detail]));
  assert.is(new Set(told).size, 1);
  assert.match(told[0] ?? '', /^\[404/);
});
