import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: search');
let world: World;
const reviewed = { ...receiptDefinition, processing: { review: 'always' } };
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

test('submissions are found by the beginnings of their words, by key', async () => {
  const { id, api } = await world.service.company();
  for (const company of ['Grüne Wiese', 'Blauer Berg']) await api.process([receiptText({ company })]);
  const { page } = await world.pageOf(id, 'reviewer', '/console/submissions');
  const rows = page.getByRole('region', { name: 'Submissions' }).locator('tbody tr');
  await eventually('both are listed', async () => (await rows.count()) === 2);
  await page.keyboard.press('/');
  await page.keyboard.type('grune wie');
  await eventually('one is left', async () => (await rows.count()) === 1);
  await rows.getByText('Grüne Wiese').waitFor();
});

test('a range finds amounts and dates, and the box says how it is written', async () => {
  const { id, api } = await world.service.company();
  for (const total of [99.5, 1234.5]) await api.process([receiptText({ company: `Sum ${total}`, total })]);
  const { page } = await world.pageOf(id, 'reviewer', '/console/submissions');
  const rows = page.getByRole('region', { name: 'Submissions' }).locator('tbody tr');
  await eventually('both are listed', async () => (await rows.count()) === 2);
  const box = page.getByRole('searchbox', { name: 'Search', description: /100\.\.200/ });
  await box.fill('1.234,50..2000 ..2018-03-12');
  await eventually('one is left', async () => (await rows.count()) === 1);
  await rows.getByText('Sum 1234.5').waitFor();
  await box.fill('200..100');
  await page.getByText('200 comes after 100').first().waitFor();
});

test('the queue’s box searches what is in review', async () => {
  const { id, api } = await world.service.company(reviewed);
  await api.process([receiptText({ company: 'Grüne Wiese' })]);
  const { page } = await world.pageOf(id, 'reviewer', '/console/queue');
  await page.getByRole('region', { name: 'Queue' }).locator('tbody tr').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('wiese');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Submissions', level: 1 }).waitFor();
  const { searchParams } = new URL(page.url());
  assert.equal([searchParams.get('q'), searchParams.get('status')], ['wiese', 'review']);
  await page.getByRole('region', { name: 'Submissions' }).getByText('Grüne Wiese').waitFor();
});
