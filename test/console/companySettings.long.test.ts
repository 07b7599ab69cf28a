import * as assert from 'uvu/assert';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: what a company sets of a workflow');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

test('an org_admin sets a label, thresholds and review; reviewers see the label, and nobody edits the rest [workflows-20]', async () => {
  const { id, api } = await world.service.company({ ...receiptDefinition, slug: 'adjusted' });
  const { page, api: admin } = await world.pageOf(id, 'org_admin', '/console/workflows/adjusted');
  const settings = page.getByRole('region', { name: 'Settings of the company' });
  await settings.getByLabel('Label of Total for your people').fill('Amount due');
  await settings.getByLabel('Total is doubtful below').fill('0.95');
  await settings.getByLabel('People look at').selectOption('always');
  await settings.getByLabel('Doubtful below a confidence of').fill('2');
  await accessible(page, 'settings of a company');
  await settings.getByRole('button', { name: 'Save settings' }).click();
  await settings.locator('.faulty').first().waitFor();
  await settings.getByLabel('Doubtful below a confidence of').fill('0.9');
  await settings.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('The settings are saved.').waitFor();
  assert.is(await page.getByRole('link', { name: 'Edit as a new version' }).count(), 0);
  const kept = await admin.get(`/api/v1/companies/${id}/workflows/adjusted`);
  assert.equal(kept.body, {
    ...{ labels: { total: 'Amount due' }, reviewBelow: 0.9, fieldsBelow: { total: 0.95 } },
    review: 'always',
  });
  const job = await api.process([receiptText()], {}, 'adjusted');
  const reviewer = await world.pageOf(id, 'reviewer', `/console/submissions/${job.submissionId}`);
  await reviewer.page.getByLabel('Amount due').first().waitFor();
  await reviewer.page.goto('/console/workflows/adjusted');
  await reviewer.page.getByRole('rowheader', { name: 'Total' }).first().waitFor();
  assert.is(await reviewer.page.getByRole('region', { name: 'Settings of the company' }).count(), 0);
});
