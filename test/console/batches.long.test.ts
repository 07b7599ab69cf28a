import * as assert from 'uvu/assert';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: batches');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

const broken = { content: '{"broken', mimeType: 'application/json' };

/** A company with a batch of four: one approved, one to review, one failed, one not submitted. */
const companyWithBatch = async () => {
  const company = await world.service.company({ ...receiptDefinition, processing: { review: 'always' } });
  const { api } = company;
  const batchRef = 'march-2026';
  const approved = await api.process([receiptText()], { batchRef, clientSubmissionId: 'first' });
  await api.post(`/api/v1/submissions/${approved.submissionId}/approve`);
  await api.process([receiptText()], { batchRef, clientSubmissionId: 'second' });
  await api.process([broken], { batchRef, clientSubmissionId: 'third' });
  await api.open([receiptText()], { batchRef });
  await api.open([], { batchRef: 'april-2026' });
  return company;
};

test('batches show how far they are, and lead to their submissions and back', async () => {
  const { id } = await companyWithBatch();
  const { page } = await world.pageOf(id, 'auditor', '/console/batches');
  const row = page.getByRole('row', { name: /march-2026/ });
  await row.getByText('3 of 4').waitFor();
  assert.equal(
    await row
      .getByRole('cell')
      .allTextContents()
      .then((texts) => texts.slice(3, 6)),
    ['1', '1', '1'],
  );
  await accessible(page, 'batches');
  await page.getByLabel('Status').selectOption('Complete');
  await page.getByText('No batch is like this').waitFor();
  await page.getByLabel('Status').selectOption('Open');
  await row.waitFor();
  await page.getByLabel('Open by name').fill('march-2026');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Batch march-2026' }).waitFor();
  await page.getByText('1 to review, 1 failed, 1 decided').waitFor();
  await accessible(page, 'batch');
  await page.getByLabel('Status').selectOption('To review');
  await page.getByRole('link', { name: 'third' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'second' }).waitFor();
  await page.getByRole('heading', { name: 'Batch march-2026' }).click();
  await page.keyboard.press('j');
  await page.locator('[data-row] a:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.title').getByText('second', { exact: true }).waitFor();
  await page.keyboard.press('l');
  await page.getByRole('heading', { name: 'Batch march-2026' }).waitFor();
  assert.is(await page.getByLabel('Status').inputValue(), 'review');
});

test('a batch that nobody has made, and an impossible name, say what to do', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(id, 'reviewer', '/console/batches/nobody');
  await page.getByRole('alert').filter({ hasText: 'Check the address' }).waitFor();
  await page.getByRole('link', { name: 'Batches' }).click();
  await page.getByLabel('Open by name').fill('a/b & <i>');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'batchRef' }).waitFor();
  await accessible(page, 'batch-unknown');
});
