import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { client } from '../support/client.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: API keys');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });
/** The secret that is shown once, which is then kept. */
const keptKey = async (page: Page): Promise<string> => {
  const dialog = dialogOf(page, 'The new key');
  const key = await dialog.getByLabel('API key', { exact: true }).inputValue();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  return key;
};
const statusOf = async (key: string) =>
  (await client(world.service.url, key).get('/api/v1/companies')).status;

test(
  'an org_admin makes a key, copies its secret once, rotates it with an overlap, and revokes it',
  async () => {
    const { id } = await world.service.company();
    const { page, context, email } = await world.pageOf(id, 'org_admin', '/console/keys');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await rowOf(page, 'the operator').waitFor();
    await accessible(page, 'keys');
    await page.keyboard.press('n');
    await dialogOf(page, 'Make a key').waitFor();
    await accessible(page, 'a new key');
    await page.keyboard.type('ERP');
    await page.keyboard.press('Enter');
    const made = dialogOf(page, 'The new key');
    await made.getByRole('button', { name: 'Copy: API key' }).click();
    await made.getByText('Copied.').waitFor();
    await accessible(page, 'the secrets of a key');
    const copied = await page.evaluate('navigator.clipboard.readText()');
    const key = await keptKey(page);
    assert.equal([copied, await statusOf(key)], [key, 200]);
    assert.match(key, /^aok_[0-9a-f]{64}$/);
    assert.not.ok((await page.content()).includes(key));
    await page.getByText(email).first().waitFor();

    await page.getByRole('button', { name: 'ERP' }).click();
    await accessible(page, 'a key');
    await dialogOf(page, 'ERP').getByRole('button', { name: 'Rotate' }).click();
    const rotating = dialogOf(page, 'Rotate ERP');
    await rotating.getByLabel('How long the old key goes on working').selectOption('One hour');
    await rotating.getByRole('button', { name: 'Rotate' }).click();
    await made.getByText('The old key is refused from').waitFor();
    const next = await keptKey(page);
    assert.equal([await statusOf(key), await statusOf(next)], [200, 200]);
    await rowOf(page, 'Expires').waitFor();

    await rowOf(page, 'Active').getByRole('button', { name: 'ERP' }).click();
    await dialogOf(page, 'ERP').getByRole('button', { name: 'Revoke' }).click();
    await dialogOf(page, 'Revoke ERP?').getByRole('button', { name: 'Back' }).click();
    assert.is(await statusOf(next), 200);
    await rowOf(page, 'Active').getByRole('button', { name: 'ERP' }).click();
    await dialogOf(page, 'ERP').getByRole('button', { name: 'Revoke' }).click();
    await dialogOf(page, 'Revoke ERP?').getByRole('button', { name: 'Revoke' }).click();
    await rowOf(page, 'Revoked').waitFor();
    assert.equal([await statusOf(key), await statusOf(next)], [200, 403]);
  },
  { timeoutMs: 240_000 },
);

test('a key that somebody else has rotated meanwhile is told, with what to do', async () => {
  const { id, keyId } = await world.service.company();
  const { page, api } = await world.pageOf(id, 'org_admin', '/console/keys');
  await page.getByRole('button', { name: keyId }).click();
  await dialogOf(page, keyId).getByRole('button', { name: 'Rotate' }).click();
  assert.is((await api.post(`/api/v1/keys/${keyId}/rotate`, {})).status, 201);
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('alert').filter({ hasText: 'look at the list' }).waitFor();
});

test('a name of two lines is refused at its field', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(id, 'org_admin', '/console/keys');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByLabel('Name (optional)').fill('x'.repeat(129));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').locator('.field .fault').waitFor();
});

test('a super_admin sees the keys of all companies, and makes one of a company and one of none', async () => {
  const { id, keyId } = await world.service.company();
  const { page } = await world.pageOf(null, 'super_admin', '/console/keys');
  await rowOf(page, keyId).getByText('ACME').waitFor();
  for (const [company, text] of [
    [id, 'ACME'],
    ['none', 'the key of none'],
  ] as const) {
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByLabel('Name (optional)').fill(`the key of ${company}`);
    await page.getByLabel('Company').selectOption(company);
    await page.getByRole('button', { name: 'Make the key' }).click();
    assert.is(await statusOf(await keptKey(page)), 200);
    await rowOf(page, `the key of ${company}`).getByText(text).waitFor();
  }
});
