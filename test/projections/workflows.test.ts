import * as assert from 'uvu/assert';
import { foldPage } from '../../projections/engine/fold.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import { firstGeneration } from '../../projections/engine/readModels.ts';
import { prepareProjections } from '../../projections/engine/runner.ts';
import { workflowCatalog, workflowCatalogQueries } from '../../projections/workflowCatalog.ts';
import { assignments, workflowQueries, workflows } from '../../projections/workflows.ts';
import { examples, logged, timeOf } from '../controls/events.ts';
import { fenceOf, type Stores, temporaryStores } from '../controls/stores.ts';
import { routing } from '../controls/submission.ts';
import { version } from '../controls/workflow.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('projections of workflows');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const { WorkflowPublished: published, WorkflowAssigned: assigned, WorkflowUnassigned: unassigned } = examples;
const second = { ...published, data: { ...published.data, name: 'Bill', version: 2 } };
const { companyId } = assigned.data;
const id = `${companyId}/receipt`;
const publishedBy = { kind: 'key', id: routing.keyId } as const;

test('every version stays, and the slug shows the newest', () =>
  given(workflows, logged([published, assigned, second]), () => stores).then({
    receipt: { ...version, name: 'Bill', version: 2, publishedAt: timeOf(3), publishedBy },
    'receipt/1': { ...version, publishedAt: timeOf(1), publishedBy },
    'receipt/2': { ...version, name: 'Bill', version: 2, publishedAt: timeOf(3), publishedBy },
  }));

test('the catalog has the newest version, when the first was published, and the companies', async () => {
  const head = {
    ...{
      id: version.workflowId,
      slug: 'receipt',
      name: 'Bill',
      description: version.description,
      version: 2,
    },
    ...{ publishedAt: timeOf(3), createdAt: timeOf(1) },
  };
  await given(workflowCatalog, logged([published, assigned, second]), () => stores).then({
    receipt: { ...head, companies: [companyId] },
  });
  const gone = logged([published, assigned, second, unassigned]);
  await given(workflowCatalog, gone, () => stores).then({ receipt: { ...head, companies: [] } });
});

test('an assignment', () =>
  given(assignments, logged([published, assigned]), () => stores).then({
    [id]: { id, companyId, slug: 'receipt', since: timeOf(2) },
  }));

test('an assignment that ended, and one that came again', async () => {
  await given(assignments, logged([published, assigned, unassigned]), () => stores).then({});
  await given(assignments, logged([published, assigned, unassigned, assigned]), () => stores).then({
    [id]: { id, companyId, slug: 'receipt', since: timeOf(4) },
  });
});

test('a company finds what is assigned to it, and any version by number', async () => {
  const { models } = stores.documents;
  const projections: readonly Projection[] = [workflows, assignments, workflowCatalog];
  await prepareProjections(projections, models);
  const fence = await fenceOf(stores, 'projections');
  for (const projection of projections) {
    const page = logged([published, assigned, second]);
    await models.commit(
      (await foldPage(firstGeneration(projection), page, models, new Map())).writes,
      {},
      fence,
    );
  }
  const queries = workflowQueries(models);
  assert.is((await queries.find(companyId, 'receipt'))?.version, 2);
  assert.is(await queries.find('cmp_other', 'receipt'), null);
  assert.is((await queries.version('receipt', 1))?.name, 'Receipt');
  assert.is(await queries.version('receipt', 3), null);
  const reads: string[] = [];
  const get: typeof models.get = (name, id) => {
    reads.push(id);
    return models.get(name, id);
  };
  let now = 1;
  const remembering = workflowQueries({ ...models, get }, { now: () => now });
  for (const number of [1, 3, 1, 3]) await remembering.remembered('receipt', number);
  assert.equal(reads, ['receipt/1', 'receipt/3', 'receipt/3'], 'what is there is read once');
  for (now = 1; now < 150_000; now += 10_000) await remembering.remembered('receipt', 1);
  assert.is(reads.length - 3, 2, 'and again after a minute, however often it is asked for');
  const { slug, version } = JSON.parse((await queries.rows(companyId, 10, null)).items.join());
  assert.equal([slug, version], ['receipt', 2]);
  assert.is((await queries.rows('cmp_other', 10, null)).items.length, 0);
  const pages = [await queries.versions('receipt', 3, 1), await queries.versions('receipt', 2, 1)];
  assert.equal(
    pages.map(({ items, next }) => [...items.map((one) => one.version), next]),
    [
      [2, '2'],
      [1, null],
    ],
  );
  const catalog = workflowCatalogQueries(models);
  const [own, others] = [catalog.listOf(companyId, 10, null), catalog.listOf('cmp_other', 10, null)];
  assert.equal([(await own).items.length, (await others).items.length], [1, 0]);
  assert.equal(
    (await catalog.all()).map(({ slug }) => slug),
    ['receipt'],
  );
});
