import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: webhook endpoints');
const PATH = '/api/v1/webhook-endpoints';
const ADDRESS = '/console/endpoints';
let world: World;
/** Paths on which the receiver refuses. */
const down = new Set<string>();
test.before(async () => {
  world = await startWorld({}, { answer: async ({ path }) => (down.has(path) ? { status: 503 } : {}) });
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });
const open = (page: Page, url: string) => page.getByRole('button', { name: url }).click();
/** Chooses an act of the endpoint whose dialog is open, and confirms it. */
const act = async (page: Page, name: string, title: string): Promise<void> => {
  await dialogOf(page, 'Webhook endpoint').getByRole('button', { name, exact: true }).click();
  await dialogOf(page, title).getByRole('button', { name, exact: true }).click();
};
/** The secret that is shown once, which is then kept. */
const keptSecret = async (page: Page): Promise<string> => {
  const dialog = dialogOf(page, 'The new secret');
  const secret = await dialog.getByLabel('Webhook secret', { exact: true }).inputValue();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.not.ok((await page.content()).includes(secret));
  return secret;
};

test(
  'an org_admin makes an endpoint, changes, tests and rotates it, disables, enables and deletes it',
  async () => {
    const { id, api } = await world.service.company();
    const { page } = await world.pageOf(id, 'org_admin', ADDRESS);
    const url = `${world.service.receiver.url}/erp`;
    const only = async () => (await api.get(PATH)).body.data[0];
    await page.getByText('There is no endpoint yet').waitFor();
    await page.keyboard.press('n');
    const making = dialogOf(page, 'Make an endpoint');
    await page.keyboard.type(url);
    await making.getByLabel('Description').fill('ERP');
    await making.getByLabel('Events').selectOption('Chosen events');
    assert.ok(await making.getByRole('button', { name: 'Make the endpoint' }).isDisabled());
    await making.getByLabel('session.completed').check();
    await making.getByLabel('batch.completed').check();
    await making.getByLabel('Retries').selectOption('Extended');
    await accessible(page, 'a new endpoint');
    await making.getByRole('button', { name: 'Make the endpoint' }).click();
    await dialogOf(page, 'The new secret').waitFor();
    await accessible(page, 'the secret of an endpoint');
    const first = await keptSecret(page);
    await rowOf(page, 'session.completed, batch.completed').getByText('Enabled').waitFor();
    await accessible(page, 'endpoints');

    await open(page, url);
    await dialogOf(page, 'Webhook endpoint').getByRole('button', { name: 'Change' }).click();
    const changing = dialogOf(page, 'Change the endpoint');
    await changing.getByLabel('Description').fill('The ERP');
    await changing.getByLabel('session.completed').uncheck();
    await changing.getByRole('button', { name: 'Change' }).click();
    await rowOf(page, 'The ERP').waitFor();
    const { description, eventTypes, retrySchedule } = await only();
    assert.equal([description, eventTypes, retrySchedule], ['The ERP', ['batch.completed'], 'extended']);

    await open(page, url);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('the address answered 200').waitFor();
    await accessible(page, 'an endpoint');
    down.add('/erp');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('It does not work').waitFor();
    await dialogOf(page, 'Webhook endpoint').getByRole('button', { name: 'Rotate the secret' }).click();
    const rotating = dialogOf(page, 'Rotate the secret?');
    await rotating.getByLabel('How long the former secret signs too').selectOption('One hour');
    await rotating.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByText('The former secret signs too until').waitFor();
    assert.is.not(await keptSecret(page), first);
    const { previousSecretExpiresAt } = await only();
    const left = Date.parse(previousSecretExpiresAt) - Date.now();
    assert.ok(left > 0 && left <= 3_600_000, previousSecretExpiresAt);

    await open(page, url);
    await act(page, 'Disable', 'Disable this endpoint?');
    await rowOf(page, 'on request').getByText('Disabled').waitFor();
    await accessible(page, 'a disabled endpoint');
    await open(page, url);
    await act(page, 'Enable', 'Enable this endpoint?');
    await rowOf(page, 'Enabled').waitFor();
    await open(page, url);
    await dialogOf(page, 'Webhook endpoint').getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page, 'Delete this endpoint for good?').getByRole('button', { name: 'Back' }).click();
    assert.is((await only()).status, 'enabled');
    await open(page, url);
    await act(page, 'Delete', 'Delete this endpoint for good?');
    await page.getByText('There is no endpoint yet').waitFor();
    assert.equal((await api.get(PATH)).body.data, []);
  },
  { timeoutMs: 300_000 },
);

test('an address that is refused is told at its field', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(id, 'org_admin', ADDRESS);
  await page.getByRole('button', { name: 'Make an endpoint' }).click();
  await page.getByLabel('Address').fill('http://erp.example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').locator('.field .fault').waitFor();
});

test('an auditor sees the endpoints and their deliveries, and changes nothing; a reviewer is not led there', async () => {
  const { id, api } = await world.service.company();
  const url = 'https://receiver.example/erp';
  const { body: endpoint } = await api.post(PATH, { url });
  const { page } = await world.pageOf(id, 'auditor', ADDRESS);
  await rowOf(page, url).getByText('All events').waitFor();
  assert.is(await page.getByRole('button', { name: 'Make an endpoint' }).count(), 0);
  await open(page, url);
  const dialog = dialogOf(page, 'Webhook endpoint');
  await dialog.getByText(endpoint.id).waitFor();
  assert.is(await dialog.getByRole('button').count(), 1);
  await dialog.getByRole('link', { name: 'Its deliveries' }).click();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  assert.is(await page.getByLabel('Endpoint').inputValue(), endpoint.id);
  const { page: reviewing } = await world.pageOf(id, 'reviewer', '/console/queue');
  await reviewing.getByRole('link', { name: 'Deliveries' }).waitFor();
  assert.is(await reviewing.getByRole('link', { name: 'Webhook endpoints' }).count(), 0);
});

test('a super_admin has the endpoints of the chosen company, of live data or of test data', async () => {
  const { id, api } = await world.service.company();
  const { api: ofTest } = await world.service.key(id, 'test');
  await api.post(PATH, { url: 'https://receiver.example/live' });
  await ofTest.post(PATH, { url: 'https://receiver.example/test' });
  const { page } = await world.pageOf(null, 'super_admin', `${ADDRESS}?company=${id}`);
  await rowOf(page, '/live').waitFor();
  await page.goto(`${ADDRESS}?company=${id}&mode=test`);
  await rowOf(page, '/test').waitFor();
  await eventually('one row', async () => (await rowOf(page, '/live').count()) === 0);
});
