import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import { definitionIn, fill, onPhone } from './workflowEditor.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: evaluations');
const EVALUATIONS = '/api/v1/evaluations';
let world: World;
test.before(async () => {
  world = await startWorld({ SWEEP: '1s' });
});
test.after(() => world.close());

/** A company with two submissions of a workflow, of which a person corrected one. */
const evaluated = async (slug: string) => {
  const definition = { ...receiptDefinition, slug };
  const { id: companyId, api } = await world.service.company(definition);
  const first = (await api.process([receiptText()], {}, slug)).submissionId;
  await world.service.publish({ ...definition, processing: { review: 'always' } });
  const corrected = (await api.process([receiptText()], {}, slug)).submissionId;
  const approval = { corrections: { total: 100 } };
  assert.is((await api.post(`/api/v1/submissions/${corrected}/approve`, approval)).status, 200);
  return { companyId, api, definition, first, corrected };
};

/** Fills the dialog that is open, and waits for the report. */
const request = async (page: Page): Promise<void> => {
  await page.getByRole('dialog').getByRole('button', { name: 'Evaluate', exact: true }).click();
  await page.waitForURL(/\/console\/evaluations\/evl_/);
  await page.getByText('Completed', { exact: true }).waitFor();
};

test('an administrator evaluates a version, follows it to its report, and finds it in the list', async () => {
  const { companyId, corrected } = await evaluated('seen');
  const { page } = await world.pageOf(companyId, 'org_admin', '/console/workflows/seen?version=1');
  await page.getByRole('button', { name: 'Evaluate…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('How many at most').fill('50');
  await assertAccessible(page, 'a request of an evaluation');
  await onPhone(page);
  await dialog.getByLabel('Wrong at most, of what no person sees (%)').fill('5');
  await request(page);
  await page.getByRole('heading', { level: 1, name: 'Receipt, Version 1' }).waitFor();
  await page.getByText('it takes 59 submissions without a wrong one, and there are 2.').waitFor();
  const fields = page.getByRole('region', { name: 'Fields', exact: true });
  const total = fields.getByRole('row', { name: /^total/ });
  assert.match(await total.innerText(), /^total\s+50 %, from .* to .* \(50 %\)\s+1\s+0\s+0\s+1\s+1$/);
  const people = page.getByRole('region', { name: 'Without a person' });
  assert.match(await people.getByRole('row', { name: /^Of these wrong/ }).innerText(), /50 %, from/);
  await page.locator('summary').click();
  await page.getByRole('region', { name: /band by band$/ }).waitFor();
  const wished = page.getByLabel('Wrong at most, of what no person sees (%)');
  await wished.fill('1');
  await wished.press('Tab');
  await page.getByText('it takes 299 submissions without a wrong one').waitFor();
  await accessible(page, 'an evaluation');
  await onPhone(page);
  const alone = page.getByRole('region', { name: 'Approved by one of them alone' });
  assert.match(await alone.innerText(), 'approves it without a person');
  await alone.getByRole('link', { name: corrected }).waitFor();
  for (const [button, kind, begin] of [
    ['Save as CSV', 'csv', /^submission,version,checked/],
    ['Save the plot as SVG', 'svg', /^<svg /],
  ] as const) {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const download = await saved;
    assert.match(download.suggestedFilename(), new RegExp(`^evl_\\w+\\.${kind}$`));
    assert.match(readFileSync(await download.path(), 'utf8'), begin);
  }
  await page.getByRole('link', { name: 'All evaluations' }).click();
  const row = page.getByRole('row', { name: /Receipt Version 1 Completed 2 of 2/ });
  await row.waitFor();
  await accessible(page, 'evaluations');
  await row.getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Receipt, Version 1' }).waitFor();
});

test('a draft is evaluated from the editor, opens what it reads differently beside the page, and is published by it', async () => {
  const gate = { set: { size: 1, approvedBy: 'anybody' }, maxWrong: 1 };
  const { companyId, definition } = await evaluated('drafted');
  await world.service.publish({ ...definition, processing: { gate } });
  const { page } = await world.pageOf(null, 'super_admin', '/console/workflows/drafted/edit');
  await page.getByRole('heading', { name: 'Fields' }).waitFor();
  const { outputSchema, ...rest } = await definitionIn(page);
  await fill(page, { ...rest, outputSchema: outputSchema.slice(1) });
  await page.getByRole('button', { name: 'Evaluate…' }).click();
  const start = page.getByRole('dialog').getByRole('button', { name: 'Evaluate', exact: true });
  assert.is(await start.isEnabled(), false);
  await page.getByRole('dialog').getByLabel('Company').selectOption(companyId);
  await request(page);
  const id = /evl_\w+/.exec(page.url())?.[0] ?? '';
  const differences = page.getByRole('region', { name: 'Values that the two read differently' });
  assert.match(await differences.innerText(), /company\s+exact, [\d.]+\s+not read/);
  await differences.getByRole('link').first().click();
  await page.waitForURL(/\/submissions\/sub_\w+\?.*field=company/);
  await page.locator('[data-value="company"]:focus').waitFor();
  await page.goBack();
  assert.is(await page.getByLabel('Identifier', { exact: true }).inputValue(), id);
  await page.getByRole('link', { name: 'Publish this draft…' }).click();
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog');
  assert.is(await dialog.getByLabel('Evaluation (evl_…)').inputValue(), id);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Receipt, version 4, is published.').waitFor();
});

test('one that reads along follows what is approved, is paused, goes on, and is ended', async () => {
  const { companyId, api } = await evaluated('followed');
  const { page } = await world.pageOf(companyId, 'org_admin', '/console/workflows/followed?version=1');
  await page.getByRole('button', { name: 'Evaluate…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Which submissions')
    .selectOption({ label: 'those approved from now on: it reads along' });
  await dialog.getByLabel('How much of them (%)').fill('100');
  await dialog.getByRole('button', { name: 'Evaluate', exact: true }).click();
  await page.getByText('Nothing was read yet.').waitFor();
  await page.getByText('reads along with 100 %').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Running', { exact: true }).waitFor();
  const came = (await api.process([receiptText({ total: 9 })], {}, 'followed')).submissionId;
  assert.is((await api.post(`/api/v1/submissions/${came}/approve`, {})).status, 200);
  await page.getByText('1 of 300').waitFor();
  await accessible(page, 'an evaluation that reads along');
  await page.getByRole('button', { name: 'End it' }).click();
  await dialog.getByRole('button', { name: 'End it' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  const { data } = (await api.get(EVALUATIONS)).body;
  assert.equal([data[0].status, data[0].shadow, data[0].read], ['cancelled', { share: 1 }, 1]);
});

test('who may not evaluate has no such screen', async () => {
  const { id: companyId } = await world.service.company(receiptDefinition);
  const { page } = await world.pageOf(companyId, 'auditor', '/console/workflows/receipt');
  await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor();
  assert.is(await page.getByRole('button', { name: 'Evaluate…' }).count(), 0);
  assert.is(await page.getByRole('link', { name: 'Evaluations' }).count(), 0);
  await page.goto('/console/evaluations');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await eventually('nothing is listed', async () => (await page.getByRole('table').count()) === 0);
});
