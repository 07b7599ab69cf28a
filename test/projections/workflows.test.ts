import * as assert from 'uvu/assert';
import { foldPage } from '../../projections/engine/fold.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import { firstGeneration } from '../../projections/engine/readModels.ts';
import { prepareProjections } from '../../projections/engine/runner.ts';
import { assignments, workflowQueries, workflows } from '../../projections/workflows.ts';
import { examples, logged, timeOf } from '../controls/events.ts';
import { fenceOf, type Stores, temporaryStores } from '../controls/stores.ts';
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

test('every version stays, and the slug shows the newest', () =>
  given(workflows, logged([published, assigned, second]), () => stores).then({
    receipt: { ...version, name: 'Bill', version: 2, publishedAt: timeOf(3) },
    'receipt/1': { ...version, publishedAt: timeOf(1) },
    'receipt/2': { ...version, name: 'Bill', version: 2, publishedAt: timeOf(3) },
  }));

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
  const projections: readonly Projection[] = [workflows, assignments];
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
  const { slug, version } = JSON.parse((await queries.rows(companyId, 10, null)).items.join());
  assert.equal([slug, version], ['receipt', 2]);
  assert.is((await queries.rows('cmp_other', 10, null)).items.length, 0);
});
