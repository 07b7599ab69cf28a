import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: deliveries');
let world: World;
let company: Awaited<ReturnType<World['service']['company']>>;
/** Paths on which the receiver refuses. */
const down = new Set<string>();
test.before(async () => {
  world = await startWorld(
    { WEBHOOK_RETRY_DELAYS: '20ms' },
    { answer: async ({ path }) => (down.has(path) ? { status: 503 } : {}) },
  );
  company = await world.service.company();
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

/** A submission whose webhook goes to a path of the receiver, and has ended. */
const told = async (path: string) => {
  const webhookUrl = `${world.service.receiver.url}${path}`;
  const job = await company.api.process([receiptText()], { webhookUrl });
  const status = down.has(path) ? 'failed' : 'delivered';
  await eventually(
    `a webhook ${status}`,
    async () => (await company.api.job(job)).body.webhookDeliveryStatus === status,
  );
  return job as { sessionId: string; submissionId: string };
};
const rows = (page: Page) => page.getByRole('region', { name: 'Deliveries' }).locator('[data-row]');
const count = (page: Page, number: number) =>
  eventually(`${number} rows`, async () => (await rows(page).count()) === number);

test('deliveries are found by status, type, session and key, and each shows its attempts', async () => {
  down.add('/down');
  const failed = await told('/down');
  await told('/up');
  const { page } = await world.pageOf(company.id, 'auditor', '/console/deliveries');
  await count(page, 2);
  await accessible(page, 'deliveries');
  await page.getByLabel('Status').selectOption('Failed');
  await count(page, 1);
  await page.getByLabel('Type').selectOption('session.failed');
  await page.getByText('No delivery is like this').waitFor();
  await page.getByLabel('Type').selectOption('Any');
  await page.getByLabel('Status').selectOption('Any');
  await page.getByLabel('Session').fill(failed.sessionId);
  await count(page, 1);
  await page.getByLabel('From').fill('2100-01-01T00:00');
  await page.getByText('No delivery is like this').waitFor();
  await page.getByLabel('From').fill('');
  await count(page, 1);
  await page.getByRole('heading', { name: 'Deliveries' }).click();
  await page.keyboard.press('j');
  await page.locator('[data-row] a:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'session.completed' }).waitFor();
  await page.getByRole('link', { name: failed.submissionId }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Attempts' }).getByText('503').count(), 4);
  await accessible(page, 'delivery');
  // Who may only read is offered nothing else.
  assert.is(await page.getByRole('button', { name: 'Send again' }).count(), 0);
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await count(page, 2);
  for (const name of ['Send a range again', 'Recover failed ones', 'Test a webhook'])
    assert.is(await page.getByRole('button', { name }).count(), 0, name);
});

test('a delivery is sent again after one question', async () => {
  down.add('/again');
  const { sessionId } = await told('/again');
  const { page } = await world.pageOf(company.id, 'org_admin', `/console/deliveries?sessionId=${sessionId}`);
  await rows(page).getByRole('link').first().click();
  down.delete('/again');
  await page.getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send this delivery again?' });
  await dialog.waitFor();
  await accessible(page, 'delivery-again');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('1 delivery is being sent again.').waitFor();
  await eventually('it is shown as delivered', async () => {
    await page.getByRole('button', { name: 'Read it again' }).click();
    return (await page.getByText('Accepted').count()) > 0;
  });
});

test('a range is sent again, and what failed is recovered: each says how many before', async () => {
  down.add('/range');
  for (const _ of [1, 2, 3]) await told('/range');
  const { page } = await world.pageOf(company.id, 'org_admin', '/console/deliveries?status=failed');
  const failed = await eventually('failed ones', async () => (await rows(page).count()) || false);
  await page.getByRole('button', { name: 'Send a range again' }).click();
  const range = page.getByRole('dialog', { name: 'Send a range again' });
  await range.getByText(`There are ${failed}.`).waitFor();
  await range.getByText('Only these: failed.').waitFor();
  await accessible(page, 'deliveries-range');
  await range.getByLabel('Before').fill('2000-01-01T00:00');
  await range.getByText('There is none.').waitFor();
  assert.ok(await range.getByRole('button', { name: 'Send again' }).isDisabled());
  await range.getByRole('button', { name: 'Back' }).click();
  down.clear();
  await page.getByRole('button', { name: 'Recover failed ones' }).click();
  const recovery = page.getByRole('dialog', { name: 'Recover failed ones' });
  await recovery.getByText(`There are ${failed}.`).waitFor();
  await recovery.getByRole('button', { name: `Send ${failed} again` }).click();
  await page.getByText(`${failed} deliveries are being sent again.`).waitFor();
  await eventually('none has failed', async () => {
    await page.keyboard.press('u');
    return (await page.getByText('No delivery is like this').count()) > 0;
  });
  await page.getByLabel('Status').selectOption('Delivered');
  await page.getByRole('button', { name: 'Send a range again' }).click();
  await page.getByRole('button', { name: /^Send \d+ again$/ }).click();
  await page.getByText(/\d+ deliveries are being sent again/).waitFor();
});

test('more than a call can send are not offered', async () => {
  const { page } = await world.pageOf(company.id, 'org_admin', '/console/deliveries');
  await page.route('**/webhook-deliveries/count?*', (route) =>
    route.fulfill({ json: { count: 1_000, hasMore: true } }),
  );
  await page.getByRole('button', { name: 'Send a range again' }).click();
  await page.getByText('There are more than 1000. So many can’t be sent at once').waitFor();
  assert.ok(await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).isDisabled());
});

test('a webhook is tested: what the address answered is the result, and a bad address is marked', async () => {
  const { page } = await world.pageOf(company.id, 'org_admin', '/console/deliveries');
  await page.getByRole('button', { name: 'Test a webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Test a webhook' });
  const address = dialog.getByLabel('Address');
  await address.fill('no address');
  await page.keyboard.press('Enter');
  await dialog.locator('.field .fault').waitFor();
  await address.fill(`${world.service.receiver.url}/tested`);
  await page.keyboard.press('Enter');
  await dialog.getByText(/It works: the address answered 20/).waitFor();
  await accessible(page, 'webhook-test');
  down.add('/tested');
  await page.keyboard.press('Enter');
  await dialog.getByText(/It does not work: .*503/).waitFor();
});
