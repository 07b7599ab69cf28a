import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: figures');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

test('a lead sees what became of submissions and what was corrected, and saves it', async () => {
  const { id, api } = await world.service.company({ ...receiptDefinition, processing: { review: 'always' } });
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1)
    ids.push((await api.process([receiptText({ company: `ACME ${n}` })])).submissionId);
  await api.post(`/api/v1/submissions/${ids[0]}/approve`, { corrections: { company: 'ACME Ltd' } });
  await api.post(`/api/v1/submissions/${ids[1]}/reject`);
  const { page, api: admin } = await world.pageOf(id, 'org_admin', '/console/queue');
  const settings = `/api/v1/companies/${id}/workflows/${receiptDefinition.slug}`;
  await admin.call('PUT', settings, { body: { labels: { company: 'Merchant' } } });
  await page.getByRole('link', { name: 'Figures' }).click();
  await page.getByText('3 submissions.').waitFor();
  await page.getByText('0 % of what was approved needed no person.').waitFor();
  const fields = page.getByRole('region', { name: 'Fields that people corrected' });
  await fields.getByText('Merchant').waitFor();
  assert.equal(await fields.locator('tbody tr').first().locator('th, td').allTextContents(), [
    ...['Merchant company', 'Receipt', '1', '1', '100 %'],
  ]);
  const weekly = page.locator('figure').filter({ hasText: 'How well values are read' });
  await weekly.locator('summary').click();
  const cells = weekly.locator('tbody tr').first().locator('th, td');
  await eventually(
    'the week has what was right',
    async () => (await cells.allTextContents())[1] === '66.7 %',
  );
  await accessible(page, 'figures');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const file = await saved;
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  assert.is(lines.length, 31);
  const sum = lines.slice(1).reduce((all, line) => all + Number(line.split(',')[1]), 0);
  assert.is(sum, 3);
  await page.getByLabel('Time', { exact: true }).selectOption('7');
  await eventually('the address says so', () => new URL(page.url()).searchParams.get('days') === '7');
  await page.getByLabel('Workflow', { exact: true }).selectOption('receipt');
  await page.getByText('3 submissions.').waitFor();
});

test('a lead is told which field is read worse, since when, and by how much', async () => {
  const { id, api } = await world.service.company({ ...receiptDefinition, processing: { review: 'always' } });
  await api.process([receiptText()]);
  const { page } = await world.pageOf(id, 'org_admin', '/console/queue');
  const interval = (share: number) => ({ share, from: share - 0.01, to: share + 0.01 });
  const drift = { workflow: 'receipt', field: 'total', since: '2026-11-16' };
  await page.route('**/api/v1/review-figures*', async (route) => {
    const answer = await (await route.fetch()).json();
    const drifts = [{ ...drift, before: interval(0.98), after: interval(0.851) }];
    await route.fulfill({ json: { ...answer, drifts } });
  });
  await page.getByRole('link', { name: 'Figures' }).click();
  const said = page.getByText('total (Receipt) has been read worse since the week of');
  await said.waitFor();
  assert.match((await said.textContent()) ?? '', /Nov 16.*: 85\.1 % were right, 98 % before\.$/);
  await accessible(page, 'figures with a drift');
});

test('who does not lead has no such screen', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(id, 'reviewer', '/console/queue');
  await page.getByRole('link', { name: 'Submissions', exact: true }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Figures' }).count(), 0);
});
