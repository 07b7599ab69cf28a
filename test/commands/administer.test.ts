import * as assert from 'uvu/assert';
import { administer } from '../../commands/administer.ts';
import { load } from '../../commands/load.ts';
import { workflow, workflowStream } from '../../domain/workflow.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { definition } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('administer');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const operators = () => administer(stores);

test('companies, versions and assignments', async () => {
  const { createCompany, publishWorkflow, assignWorkflow, unassignWorkflow } = operators();
  const { id } = await createCompany('ACME', context);
  assert.match(id, /^cmp_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.is((await publishWorkflow(definition, context)).version, 1);
  assert.is((await publishWorkflow(definition, context)).version, 2);
  const companies = async () => (await load(stores.log, workflow, workflowStream('receipt')))?.companies;
  await assignWorkflow('receipt', id, context);
  assert.equal(await companies(), [id]);
  const position = await unassignWorkflow('receipt', id, context);
  assert.equal(await companies(), []);
  assert.is(position, await stores.log.head());
});

test('only what is there is assigned', async () => {
  const { createCompany, assignWorkflow } = operators();
  const unknown = 'cmp_01hv6x3m8q2r5t7w9y0a1b2c3d';
  assert.is((await failure(assignWorkflow('receipt', unknown, context))).name, 'CompanyNotFound');
  const { id } = await createCompany('ACME', context);
  assert.is((await failure(assignWorkflow('nothing', id, context))).name, 'WorkflowNotFound');
});
