import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { assertAccessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: rows of lists');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const fraud = { checks: ['duplicate_data'], businessKey: ['total'] };
const listing = {
  ...receiptDefinition,
  list: ['company', 'total', 'date'],
  processing: { review: 'always', fraud },
} as const;

for (const [name, path] of [
  ['Submissions', '/console/submissions'],
  ['Queue', '/console/queue'],
] as const)
  test(`${name}: a row says what it is, its amount has a column, and columns without anything are gone`, async () => {
    const { id, api } = await world.service.company(listing);
    const process = (members: object, clientSubmissionId: string) =>
      api.process([receiptText({ ...members })], { clientSubmissionId });
    await process({ company: 'Tan Chay Yee', total: 60.3 }, 'order-1');
    await process({ company: 'Bakery', total: 1234 }, 'order-2');
    const { page } = await world.pageOf(id, 'reviewer', path);
    const region = page.getByRole('region', { name });
    const amounts = region.locator('tbody td.end');
    const heads = () => region.getByRole('columnheader').allTextContents();
    const link = region.getByRole('link', { name: 'Tan Chay Yee · 2018-03-12 order-1', exact: true });
    await link.waitFor();
    assert.is(await link.locator('small').textContent(), 'order-1');
    assert.equal((await amounts.allTextContents()).toSorted(), ['1234.00', '60.30']);
    const align = "getComputedStyle(document.querySelector('tbody td.end')).textAlign";
    assert.is(await page.evaluate(align), 'right');
    assert.not.ok((await heads()).includes('Fraud'), 'nothing is suspected');
    await process({ company: 'Bakery', total: 1234 }, 'order-3');
    await page.keyboard.press('u');
    if (name === 'Submissions') await page.getByRole('button', { name: 'Read the list again' }).click();
    await eventually('a column that has something', async () => (await heads()).includes('Fraud'));
    await assertAccessible(page, name);
    await link.click();
    const place = name === 'Queue' ? '1 of 3' : '3 of 3';
    await page.getByText(place, { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Tan Chay Yee · 60.30 · 2018-03-12', exact: true }).waitFor();
    await page.locator('.title').getByText('order-1', { exact: true }).waitFor();
    assert.is(await page.title(), 'Tan Chay Yee · 60.30 · 2018-03-12 · Intake');
  });

test('what nothing was read of has the name of its file, and a match that of what it resembles', async () => {
  const { id, api } = await world.service.company(listing);
  const file = receiptText({ company: 'Bakery' });
  const files = [{ fileName: 'lunch.json', mimeType: file.mimeType, fileSize: 1 }];
  await api.post('/api/v1/workflows/receipt/sessions', { files });
  const { page } = await world.pageOf(id, 'reviewer', '/console/submissions');
  await page.getByRole('link', { name: 'lunch.json' }).waitFor();
  const heads = await page.getByRole('columnheader').allTextContents();
  assert.not.ok(heads.includes('Amount'), 'no row has one');
  await api.process([file]);
  const { submissionId } = await api.process([receiptText({ company: 'Other' })]);
  await page.goto(`/console/submissions/${submissionId}?view=matches`);
  await page.getByRole('button', { name: /: Bakery · 80\.90 · 2018-03-12/ }).waitFor();
});

test('on a phone rows are cards, the bar is one row, and filters are behind a button; on paper none of it is', async () => {
  const { id, api } = await world.service.company(listing);
  for (const company of ['Bakery', 'Cafe', 'Taxi'])
    await api.process([receiptText({ company })], { clientSubmissionId: company });
  const { page } = await world.pageOf(id, 'reviewer', '/console/queue?reason=always_review', {
    viewport: { width: 390, height: 844 },
  });
  const region = page.getByRole('region', { name: 'Queue' });
  await region.getByRole('link').nth(2).waitFor();
  const measure = (what: string) => page.evaluate(what);
  const heights = "[...document.querySelectorAll('[data-row]')].map((row) => row.offsetHeight)";
  assert.equal(await measure(heights), [112, 112, 112]);
  const rows =
    "(() => { const it = document.querySelector('.rows'); return it.scrollWidth - it.clientWidth; })()";
  assert.is(await measure(rows), 0, 'nothing to the side');
  assert.ok(Number(await measure("document.querySelector('.bar').offsetHeight")) <= 56);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await eventually('the second card', async () =>
    Boolean(await measure('document.activeElement?.closest(\'[data-row="1"]\') !== null')),
  );
  await assertAccessible(page, 'cards');
  const workflow = page.getByRole('search').getByLabel('Workflow');
  assert.is(await page.getByLabel('Search').isVisible(), true);
  assert.is(await workflow.isVisible(), false);
  await page.getByRole('button', { name: 'Filters (1)', exact: true }).click();
  await workflow.waitFor();
  await assertAccessible(page, 'filters of a phone');
  await page.emulateMedia({ media: 'print' });
  await workflow.waitFor({ state: 'hidden' });
  for (const name of ['Intake', 'Submissions'])
    assert.is(await page.getByRole('link', { name, exact: true }).isVisible(), false, name);
  assert.ok(await region.getByRole('link').first().isVisible());
  assert.ok(await region.getByRole('columnheader', { name: 'Why' }).isVisible());
});

test('a submission that was opened from the queue is of the queue in the navigation', async () => {
  const { id, api } = await world.service.company(listing);
  await api.process([receiptText()]);
  const { page } = await world.pageOf(id, 'reviewer', '/console/queue');
  const current = page.getByRole('navigation').first().locator('[aria-current]');
  await page.getByRole('region', { name: 'Queue' }).getByRole('link').click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  assert.match((await current.textContent()) ?? '', /^Queue/);
  await page.goto('/console/submissions');
  await page.getByRole('region', { name: 'Submissions' }).getByRole('link').click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  assert.is(await current.textContent(), 'Submissions');
});
