import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: search');
let world: World;
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
