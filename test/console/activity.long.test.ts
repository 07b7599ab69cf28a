import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: activity');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

test('an auditor sees who did what, filters it, and saves it', async () => {
  const { id, api, keyId } = await world.service.company({
    ...receiptDefinition,
    processing: { review: 'always' },
  });
  const { submissionId } = await api.process([receiptText()]);
  await api.post(`/api/v1/submissions/${submissionId}/approve`);
  const { page } = await world.pageOf(id, 'auditor', '/console/queue');
  await page.getByRole('link', { name: 'Activity' }).click();
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: 'Logged in' }).first().waitFor();
  await accessible(page, 'activity');
  await page.getByLabel('What', { exact: true }).selectOption('submission.approved');
  await eventually('one row', async () => (await rows.count()) === 1);
  const cells = await rows.first().locator('th, td').allTextContents();
  assert.equal(cells.slice(1), [`key ${keyId}`, 'Approved', `submission ${submissionId}`]);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n');
  assert.is(lines[0], 'id,at,type,actor.kind,actor.id,subject.kind,subject.id');
  assert.match(String(lines[1]), `submission.approved,key,${keyId},submission,${submissionId}`);
  await page.getByRole('link', { name: submissionId }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.ok(page.url().includes(`/submissions/${submissionId}`));
});
