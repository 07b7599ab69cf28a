import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, browserSuite } from './browser.ts';
import { editing, onPhone } from './workflowEditor.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: documents on trial');
const pdf = readFileSync(new URL('../../../scripts/samples/receipt.pdf', import.meta.url));
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

test('a file is read by the draft as it stands: values, places on the page, and why it would be reviewed [workflows-15]', async () => {
  const { page } = await editing(world, 'tried', { processing: { reviewBelow: 0 } });
  await page.getByRole('button', { name: 'Try with a file' }).click();
  const trial = page.getByRole('region', { name: 'Try with a file' });
  const file = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: pdf };
  await trial.getByLabel('File', { exact: true }).setInputFiles(file);
  await trial.getByText('A submission of it would be:').waitFor();
  const values = trial.getByRole('region', { name: 'Values that were read' });
  await values.getByRole('rowheader', { name: 'Total' }).waitFor();
  const pages = trial.getByRole('region', { name: 'Pages of the file' });
  const box = pages.getByRole('button', { name: /^Total: / });
  await box.waitFor();
  await values.getByRole('button', { name: 'Total' }).click();
  await pages.locator('.box.active').waitFor();
  assert.match(String(await pages.locator('.box.active').getAttribute('aria-label')), /^Total: /);
  await accessible(page, 'trial');
  await onPhone(page);
  await page.getByLabel('People look at').selectOption({ label: 'every submission' });
  await trial.getByRole('button', { name: 'Read receipt.pdf again' }).click();
  await trial.getByText('A person looks at every submission of this workflow.').waitFor();
  const head = { name: 'letter.html', mimeType: 'text/html', buffer: Buffer.from('<p>') };
  await trial.getByLabel('File', { exact: true }).setInputFiles(head);
  await trial.getByRole('alert').waitFor();
});

test('an org_admin tries the settings of the company before they are saved [workflows-23]', async () => {
  const { id } = await world.service.company({ ...receiptDefinition, slug: 'set' });
  const { page, api } = await world.pageOf(id, 'org_admin', '/console/workflows/set');
  const settings = page.getByRole('region', { name: 'Settings of the company' });
  await settings.getByLabel('Label of Total for your people').fill('Amount due');
  await settings.getByRole('button', { name: 'Try with a file' }).click();
  const trial = settings.getByRole('region', { name: 'Try with a file' });
  const file = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: pdf };
  await trial.getByLabel('File', { exact: true }).setInputFiles(file);
  await trial.getByText('A submission of it would be:').waitFor();
  await trial.getByRole('rowheader', { name: 'Amount due' }).waitFor();
  await settings.getByLabel('Total is doubtful below').fill('1');
  await settings.getByLabel('People look at').selectOption('always');
  await trial.getByRole('button', { name: 'Read receipt.pdf again' }).click();
  await trial.getByText('A person looks at every submission of this workflow.').waitFor();
  await accessible(page, 'trial of settings');
  await onPhone(page);
  const kept = await api.get(`/api/v1/companies/${id}/workflows/set`);
  assert.equal([kept.body.labels, kept.body.review], [{}, null]);
});
