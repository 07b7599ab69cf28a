import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: lists as CSV');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

test('a list is saved with its filters, to its last row', async () => {
  const definition = { ...receiptDefinition, processing: { review: 'always' } };
  const { id, api } = await world.service.company(definition);
  for (let n = 0; n < 102; n += 1) await api.open([], { clientSubmissionId: `=row-${n}` });
  await api.process([receiptText({ company: 'Grüne Wiese' })]);
  const { page } = await world.pageOf(id, 'org_admin', '/console/submissions?status=created');
  await accessible(page, 'a list that can be saved');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  assert.is(saved.suggestedFilename(), 'submissions.csv');
  const [heads = '', ...rows] = readFileSync(await saved.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  assert.equal(heads.split(',').slice(0, 1), ['id']);
  for (const name of ['label', 'workflow.slug', 'clientSubmissionId'])
    assert.ok(heads.split(',').includes(name));
  assert.is(rows.length, 102);
  assert.is(rows.filter((row) => row.includes(",'=row-")).length, 102);
  await page.getByRole('status').getByText('102 rows are saved.').waitFor();
  for (const path of ['queue', 'batches', 'deliveries', 'people', 'keys']) {
    await page.goto(page.url().replace(/console\/.*/, `console/${path}`));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    assert.match((await download).suggestedFilename(), /^[a-z-]+\.csv$/, path);
  }
});
