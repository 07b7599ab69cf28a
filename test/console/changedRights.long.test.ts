import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { PASSWORD } from '../support/people.ts';
import { browserSuite } from './browser.ts';
import { lapse } from './submissions.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: log-in, and rights that change while a page is open');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(async () => {
  await world.close();
});

/** The company’s name must have capitals only; a person looks at everything. */
const definition = {
  ...receiptDefinition,
  outputSchema: receiptDefinition.outputSchema.map((field) =>
    field.name === 'company' ? { ...field, validation: { pattern: '^[A-Z ]+$' } } : field,
  ),
  processing: { review: 'always' },
} as unknown as typeof receiptDefinition;

/** Somebody who has a submission open. */
const reviewing = async () => {
  const { id, api } = await world.service.company(definition);
  const { submissionId } = await api.process([receiptText({ company: 'ACME' })]);
  const path = `/api/v1/submissions/${submissionId}`;
  const opened = await world.pageOf(id, 'reviewer', `/console/submissions/${submissionId}`, {
    isHolding: true,
  });
  await opened.page.getByRole('button', { name: /^Approve/ }).waitFor();
  const status = async (): Promise<string> => (await api.get(path)).body.submissionStatus;
  const admin = (await world.people.user(id, 'org_admin')).api;
  return { ...opened, companyId: id, admin, status };
};

const approve = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Approve/ }).click();
  await lapse(page);
};

test('a role that is lowered while a page is open: the next decision is refused and says why, what was typed stays [people-17]', async () => {
  const { page, userId, admin, status } = await reviewing();
  await page.locator('#field-company').fill('TYPED BEFORE');
  assert.is((await admin.post(`/api/v1/people/${userId}/role`, { role: 'auditor' })).status, 200);
  await approve(page);
  await page.getByRole('alert').filter({ hasText: 'This is for these roles' }).first().waitFor();
  assert.is(await page.locator('#field-company').inputValue(), 'TYPED BEFORE');
  assert.is(await status(), 'review');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('#field-company').waitFor();
  assert.is(await page.getByRole('button', { name: /^Approve/ }).count(), 0);
});

test('a person who is disabled while a page is open decides nothing more, and can’t log in again [logins-4]', async () => {
  const { page, userId, admin, status } = await reviewing();
  assert.is((await admin.post(`/api/v1/people/${userId}/disable`, {})).status, 200);
  await approve(page);
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  assert.is(await status(), 'review');
});

test('a field’s own check runs in a worker, which the policy of the page lets in [console-2]', async () => {
  const { page } = await reviewing();
  const field = page.locator('#field-company');
  await field.fill('lower case');
  await page.locator('.value .fault').waitFor();
  await field.fill('CAPITALS');
  await page.locator('.value .fault').waitFor({ state: 'detached' });
});

test('the cookies of a log-in are kept at http://localhost, and no script reads them [people-3]', async () => {
  const { id } = await world.service.company();
  const { email } = await world.people.user(id, 'reviewer');
  const url = new URL(world.service.url);
  url.hostname = 'localhost';
  const context = await world.browser.unwatched();
  const page = await context.newPage();
  await page.goto(`${url.origin}/console`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  assert.equal(
    (await context.cookies()).map(({ name, secure, httpOnly, sameSite, path }) => [
      name,
      secure,
      httpOnly,
      sameSite,
      path,
    ]),
    [
      ['__Host-intake', true, true, 'Lax', '/'],
      ['__Host-intake-browser', true, true, 'Lax', '/'],
    ],
  );
  assert.is(await page.evaluate('document.cookie'), '');
  assert.equal(await page.evaluate('Object.values({ ...localStorage, ...sessionStorage })'), []);
  await context.close();
});

test('at an address where no browser keeps the cookie the log-in says so', async () => {
  const url = new URL(world.service.url);
  url.hostname = 'intake.test';
  const context = await world.browser.unwatched();
  const page = await context.newPage();
  await page.goto(`${url.origin}/console`);
  await page.getByRole('alert').filter({ hasText: 'https address' }).waitFor();
  await context.close();
});
