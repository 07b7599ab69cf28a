import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: companies and their log-in');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

test(
  'a super_admin makes a company, finds it, and goes on to its people and submissions',
  async () => {
    const { page } = await world.pageOf(null, 'super_admin', '/console/companies');
    await page.getByRole('heading', { name: 'Companies' }).waitFor();
    await page.keyboard.press('n');
    await dialogOf(page, 'Make a company').waitFor();
    await page.keyboard.type('x'.repeat(129));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').locator('.field .fault').waitFor();
    const name = 'Trådløs & Søn <b>AS</b>';
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name, exact: true }).waitFor();
    await accessible(page, 'companies');
    await page.getByLabel('Find by name').fill('trådløs');
    assert.is(await page.getByRole('row').count(), 2);
    await page.getByRole('link', { name: `People: ${name}` }).click();
    await page.getByText('There is no user yet').waitFor();
    await page.getByRole('link', { name: 'Log-in of the company' }).click();
    await page.getByRole('heading', { name: 'Log-in of the company' }).waitFor();
    await page.getByRole('link', { name: 'Companies' }).click();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByText('No submission is like this').waitFor();
    assert.match(new URL(page.url()).searchParams.get('company') ?? '', /^cmp_/);
  },
  { timeoutMs: 240_000 },
);

test(
  'an org_admin sees what the service is set to, and says which group has which role',
  async () => {
    const { id } = await world.service.company();
    const { page, api } = await world.pageOf(id, 'org_admin', '/console/people');
    await page.getByRole('link', { name: 'Log-in of the company' }).click();
    await page.getByText('Everybody may log in with a password.').waitFor();
    await page.getByLabel('Claim').fill('groups');
    for (const group of ['Group 1', 'Group 2']) {
      await page.getByRole('button', { name: 'Add a group' }).click();
      await page.getByLabel(group).fill('reviewers');
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This group stands here twice.').waitFor();
    await page.getByLabel('Group 2').fill('admins');
    await page.getByLabel('Role of admins').selectOption('administrator');
    await accessible(page, 'log-in settings');
    await page.getByRole('button', { name: 'Save' }).click();
    const asked = dialogOf(page, 'Change who gets which role?');
    await accessible(page, 'changing log-in settings');
    await asked.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The log-in of the company was changed.').waitFor();
    const path = `/api/v1/companies/${id}/log-in`;
    const roles = { reviewers: 'reviewer', admins: 'org_admin' };
    assert.equal((await api.get(path)).body, { claim: 'groups', roles });
    await page.reload();
    await page.getByRole('button', { name: 'Remove admins' }).click();
    await page.getByRole('button', { name: 'Stop giving roles by groups' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop giving roles by groups' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await api.get(path)).body, { claim: null, roles: {} });
    assert.is(await page.getByLabel('Claim').inputValue(), '');
  },
  { timeoutMs: 240_000 },
);

test('of two pages that change who gets which role the later one is told, and changes nothing', async () => {
  const { id } = await world.service.company();
  const { page, context, api } = await world.pageOf(id, 'org_admin', `/console/companies/${id}/log-in`);
  const second = await context.newPage();
  await second.goto(page.url());
  const save = async (of: Page, claim: string) => {
    await of.getByLabel('Claim').fill(claim);
    await of.getByRole('button', { name: 'Add a group' }).click();
    await of.getByLabel('Group 1').fill('reviewers');
    await of.getByRole('button', { name: 'Save' }).click();
    await of.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  };
  await second.getByLabel('Claim').waitFor();
  await save(page, 'groups');
  await page.getByText('The log-in of the company was changed.').waitFor();
  await save(second, 'roles');
  await second.getByRole('dialog').getByText('Somebody changed it meanwhile').waitFor();
  assert.is((await api.get(`/api/v1/companies/${id}/log-in`)).body.claim, 'groups');
  // The page that made the change goes on from it.
  await page.getByLabel('Claim').fill('teams');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.is((await api.get(`/api/v1/companies/${id}/log-in`)).body.claim, 'teams');
});

test('the log-in of another company is none, and companies are no screen of an org_admin', async () => {
  const [{ id }, other] = [await world.service.company(), await world.service.company()];
  const { page } = await world.pageOf(id, 'org_admin', `/console/companies/${other.id}/log-in`);
  await page.getByRole('alert').filter({ hasText: 'It may belong to another company' }).waitFor();
  await page.goto('/console/companies');
  await page.getByRole('heading', { name: 'Not for your role' }).waitFor();
});
