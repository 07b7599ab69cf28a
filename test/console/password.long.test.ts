import * as assert from 'uvu/assert';
import { PASSWORD } from '../support/people.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: the own password');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const NEXT = 'another fine password';

test('a person changes the own password, is told what is wrong, and stays logged in [people-19]', async () => {
  const { id } = await world.service.company();
  const { page, email } = await world.pageOf(id, 'reviewer', '/console/sessions');
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await accessible(page, 'change password');
  await dialog.getByLabel('Current password').fill('wrong');
  await dialog.getByLabel('New password').fill('12345678');
  await page.keyboard.press('Enter');
  await dialog.locator('.field .fault').filter({ hasText: 'most common' }).waitFor();
  await dialog.getByLabel('New password').fill(NEXT);
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').filter({ hasText: 'current password is wrong' }).waitFor();
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('Your password was changed.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /This one/ }).waitFor();
  assert.is(await page.getByRole('row').count(), 2);
  assert.is((await world.people.logIn(email)).status, 401);
  assert.is((await world.people.logIn(email, NEXT)).status, 201);
});
