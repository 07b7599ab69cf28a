import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { assertAccessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: the zone of times');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

test('times are of the browser’s zone, which has a name, or of UTC from then on', async () => {
  const { id } = await world.service.company();
  const address = '/console/deliveries?createdAfter=2026-11-21T10:00:07.000Z';
  const { page, email } = await world.pageOf(id, 'auditor', '/console/sessions', {
    timezoneId: 'Asia/Kolkata',
  });
  const title = async () => String(await page.locator('time').first().getAttribute('title'));
  const after = page.locator('input[type=datetime-local]').first();
  await page.locator('time').first().waitFor();
  assert.match(await title(), /GMT\+5:30$/);
  await page.getByRole('button', { name: email }).click();
  await page
    .getByText('Times are those of Asia/Kolkata')
    .or(page.getByText('Asia/Calcutta'))
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Show times of UTC' }).click();
  await page.getByText('Times are those of UTC').waitFor();
  await assertAccessible(page, 'the menu of the person');
  assert.match(await title(), /UTC$/);
  await page.goto(address);
  await after.waitFor();
  assert.is(await after.inputValue(), '2026-11-21T10:00:07');
  await after.fill('2026-11-21T11:00:07');
  await eventually('the time in the address', () => page.url().includes('2026-11-21T11%3A00%3A07'));
  await page.getByRole('button', { name: email }).click();
  await page.getByRole('button', { name: /^Show times of Asia/ }).click();
  await eventually('the own time', async () => (await after.inputValue()) === '2026-11-21T16:30:07');
});
