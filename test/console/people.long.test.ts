import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { PASSWORD } from '../support/people.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: people');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
/** Says in the dialog why something is redacted. */
const giveBasis = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('left the company');
  await dialog.getByLabel('Legal basis').selectOption('retention');
  await dialog.getByLabel('Asked for by').fill('ticket 4711');
};

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

test(
  'an org_admin invites a person by a link that is shown once, by keyboard alone, and revokes it',
  async () => {
    const { id } = await world.service.company();
    const { page } = await world.pageOf(id, 'org_admin', '/console/people');
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('n');
    const inviting = dialogOf(page, 'Invite a person');
    await inviting.waitFor();
    await accessible(page, 'inviting');
    assert.equal(await inviting.getByLabel('Role').locator('option').allTextContents(), [
      'administrator',
      'reviewer',
      'auditor',
    ]);
    const email = world.people.newEmail();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('auditor');
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    const link = dialogOf(page, 'The link of the invitation');
    await link.getByText(/^Give it to that person alone/).waitFor();
    await accessible(page, 'a link');
    const url = await link.getByLabel(`Link for ${email}`, { exact: true }).inputValue();
    assert.match(url, /\/invite#token=[\w-]{43}$/);
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
    await link.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('link', { name: 'Invitations' }).click();
    await rowOf(page, email).getByText('Open').waitFor();
    assert.ok((await rowOf(page, email).textContent())?.includes('The link was shown'));
    await accessible(page, 'invitations');
    await rowOf(page, email).getByRole('button').click();
    await dialogOf(page, /^Revoke the invitation/)
      .getByRole('button', { name: 'Revoke the invitation' })
      .click();
    await rowOf(page, email).getByText('Revoked').waitFor();
    const invited = await (await world.browser.context()).newPage();
    await invited.goto(`/invite${new URL(url).hash}`);
    await invited.getByText('This invitation is not known here').waitFor();
  },
  { timeoutMs: 240_000 },
);

test('an e-mail that has a user, and one that is not valid, are refused with what to do; a mended one is sent', async () => {
  const { id } = await world.service.company();
  const { page, email } = await world.pageOf(id, 'org_admin', '/console/people');
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const inviting = dialogOf(page, 'Invite a person');
  await inviting.getByLabel('E-mail').fill(email);
  await page.keyboard.press('Enter');
  await inviting.getByText('reset the password there').waitFor();
  await inviting.getByLabel('E-mail').fill('nobody@localhost');
  await page.keyboard.press('Enter');
  await inviting.locator('.field .fault').waitFor();
  await inviting.getByLabel('E-mail').fill(world.people.newEmail());
  await page.keyboard.press('Enter');
  await dialogOf(page, 'The link of the invitation').waitFor();
});

test(
  'a role is changed, a person disabled and enabled, and the password reset, each asked for once',
  async () => {
    const { id } = await world.service.company();
    const { email, api } = await world.people.user(id, 'reviewer');
    const { page } = await world.pageOf(id, 'org_admin', '/console/people');
    await accessible(page, 'people');
    const act = async (name: string, dialog: RegExp): Promise<void> => {
      await page.getByRole('button', { name: email }).first().click();
      await dialogOf(page, email).getByRole('button', { name, exact: true }).click();
      await dialogOf(page, dialog).waitFor();
    };
    const confirm = (name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await act('Change the role', /^Change the role/);
    await accessible(page, 'a role');
    await page.getByRole('dialog').getByLabel('Role').selectOption('auditor');
    await confirm('Change the role');
    await rowOf(page, email).getByText('auditor').waitFor();
    assert.is((await api.get('/api/auth/me')).body.role, 'auditor');
    await eventually('the focus is back', async () => {
      const focused = await page.evaluate('document.activeElement.textContent');
      return focused === email;
    });
    await act('Disable', /^Disable/);
    await confirm('Disable');
    await rowOf(page, email).getByText('Disabled').waitFor();
    assert.is((await world.people.logIn(email)).status, 401);
    await act('Enable', /^Enable/);
    await confirm('Enable');
    await rowOf(page, email).getByText('Active').waitFor();
    assert.is((await world.people.logIn(email)).status, 201);
    await act('Reset the password', /^Reset/);
    await confirm('Reset the password');
    await dialogOf(page, 'The link of the invitation')
      .getByRole('button', { name: 'I have kept it' })
      .click();
    await rowOf(page, email).getByText('Awaits a password').waitFor();
  },
  { timeoutMs: 240_000 },
);

test('the keys of who is disabled or lowered are listed, and revoked there', async () => {
  const { id } = await world.service.company();
  const { email, api } = await world.people.user(id, 'org_admin');
  for (const name of ['ERP', 'Archive']) await api.post('/api/v1/keys', { companyId: id, name });
  const { page } = await world.pageOf(id, 'org_admin', '/console/people');
  const act = async (name: string, prepare = async () => {}): Promise<void> => {
    await page.getByRole('button', { name: email }).first().click();
    await dialogOf(page, email).getByRole('button', { name, exact: true }).click();
    await prepare();
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  };
  await act('Change the role', async () => {
    await page.getByRole('dialog').getByLabel('Role').selectOption('reviewer');
  });
  const left = dialogOf(page, `API keys of ${email}`);
  await left.waitFor();
  await accessible(page, 'keys that go on');
  assert.equal(
    (await left.getByRole('listitem').allTextContents()).map((text) => text.split(' ·')[0]),
    ['Archive', 'ERP'],
  );
  await left.getByRole('button', { name: 'Revoke: ERP' }).click();
  await left.getByText('Revoked').waitFor();
  await left.getByRole('button', { name: 'Let the others go on' }).click();
  await rowOf(page, email).getByText('reviewer').waitFor();
  await act('Disable');
  await left.getByRole('button', { name: 'Revoke: Archive' }).waitFor();
  assert.is(await left.getByRole('listitem').count(), 1);
  await left.getByRole('link', { name: 'Open the API keys' }).click();
  await rowOf(page, 'ERP').getByText('Revoked', { exact: true }).waitFor();
  await rowOf(page, 'Archive').getByText('Active').waitFor();
});

test('the own role and the last administrator stay, and the page says why', async () => {
  const { id } = await world.service.company();
  const { page, email } = await world.pageOf(id, 'org_admin', '/console/people');
  const own = page.getByRole('region', { name: 'People' }).getByRole('button', { name: email });
  await own.click();
  await dialogOf(page, email).getByRole('button', { name: 'Change the role' }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption('auditor');
  await page.getByRole('dialog').getByRole('button', { name: 'Change the role' }).click();
  await page.getByRole('alert').filter({ hasText: 'Nobody changes their own role.' }).waitFor();
  await page.keyboard.press('Escape');
  await own.click();
  await dialogOf(page, email).getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('alert').filter({ hasText: 'This is the last org_admin of the company' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await rowOf(page, email).getByText('Active').waitFor();
});

test('what was typed stays when the session ends, and is sent after the log-in', async () => {
  const { id } = await world.service.company();
  const { page, api } = await world.pageOf(id, 'org_admin', '/console/people');
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const email = world.people.newEmail();
  await dialogOf(page, 'Invite a person').getByLabel('E-mail').fill(email);
  await api.post('/api/auth/sessions/end-all');
  await page.keyboard.press('Enter');
  const again = dialogOf(page, 'Your session has ended');
  await again.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialogOf(page, 'The link of the invitation')
    .getByLabel(`Link for ${email}`, { exact: true })
    .waitFor();
});

test('a super_admin sees the people of all companies, invites to one, and makes super_admins', async () => {
  const { id } = await world.service.company();
  const { email } = await world.people.user(id, 'reviewer');
  const { page } = await world.pageOf(null, 'super_admin', '/console/people');
  await rowOf(page, email).getByText('ACME').waitFor();
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const inviting = dialogOf(page, 'Invite a person');
  await inviting.getByLabel('E-mail').fill(world.people.newEmail());
  await inviting.getByLabel('Company').selectOption(id);
  await inviting.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await inviting.getByLabel('E-mail').fill(world.people.newEmail());
  await inviting.getByLabel('Role').selectOption('platform administrator');
  assert.is(await inviting.getByLabel('Company').count(), 0);
  await inviting.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialogOf(page, 'The link of the invitation').waitFor();
});

test('others than administrators have no such screens', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(id, 'reviewer', '/console/people');
  await page.getByRole('heading', { name: 'Not for your role' }).waitFor();
  for (const name of ['People', 'API keys', 'Companies'])
    assert.is(await page.getByRole('navigation').getByRole('link', { name }).count(), 0, name);
});

test('a disabled person is redacted with one question, is named by the identifier, in the list and in histories, and nothing is to be done', async () => {
  const { id, api } = await world.service.company();
  const { submissionId } = await api.process([receiptText()]);
  const { email, userId, api: own } = await world.people.user(id, 'reviewer', 'Ada');
  const note = { text: 'the second page is missing' };
  assert.is((await own.post(`/api/v1/submissions/${submissionId}/notes`, note)).status, 201);
  const { page, api: admin } = await world.pageOf(id, 'org_admin', '/console/people');
  await rowOf(page, 'Ada').waitFor();
  await admin.post(`/api/v1/people/${userId}/disable`, {});
  await page.reload();
  await page.getByRole('button', { name: 'Ada' }).click();
  await dialogOf(page, 'Ada').getByRole('button', { name: 'Redact for ever' }).click();
  const asking = dialogOf(page, 'Redact Ada?');
  await asking.getByText(/^What stays: the identifier/).waitFor();
  await accessible(page, 'redacting a person');
  assert.ok(await asking.getByRole('button', { name: 'Redact for ever' }).isDisabled());
  await giveBasis(page);
  await asking.getByRole('button', { name: 'Redact for ever' }).click();
  const name = `Redacted person ${userId}`;
  await rowOf(page, name).getByText('Redacted', { exact: true }).first().waitFor();
  await page.getByRole('button', { name }).click();
  const dialog = dialogOf(page, name);
  await dialog.waitFor();
  for (const act of ['Change the role', 'Enable', 'Reset the password', 'Redact for ever'])
    assert.is(await dialog.getByRole('button', { name: act }).count(), 0, act);
  await accessible(page, 'a redacted person');
  await page.goto(`/console/people?view=invitations`);
  await rowOf(page, 'Redacted').waitFor();
  assert.is(await page.getByText(email).count(), 0);
  await page.goto(`/console/submissions/${submissionId}`);
  await page.getByText(name).first().waitFor();
  assert.is(await page.getByText('Ada', { exact: true }).count(), 0);
});

test('an invitation that can’t be used any more is redacted, with the basis that was given', async () => {
  const { id } = await world.service.company();
  const { page, api } = await world.pageOf(id, 'org_admin', '/console/people?view=invitations');
  const email = world.people.newEmail();
  const { body } = await api.post('/api/v1/invitations', { email, role: 'reviewer' });
  await page.reload();
  await rowOf(page, email)
    .getByRole('button', { name: /^Revoke the invitation/ })
    .waitFor();
  assert.is((await api.post(`/api/v1/invitations/${body.id}/revoke`, {})).status, 200);
  await page.reload();
  await rowOf(page, email)
    .getByRole('button', { name: `Redact the invitation of ${email}` })
    .click();
  await giveBasis(page);
  await accessible(page, 'redacting an invitation');
  await page.getByRole('dialog').getByRole('button', { name: 'Redact for ever' }).click();
  await rowOf(page, 'Redacted').waitFor();
  assert.is(await page.getByText(email).count(), 0);
  assert.is(await rowOf(page, 'Redacted').getByRole('button').count(), 0);
  const { data } = (await api.get('/api/v1/activity?type=invitation.redacted')).body;
  assert.is(data.length, 1);
});

test('where links are mailed no link is shown, and the list says how each mail goes', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(id, 'org_admin', '/console/people?view=invitations');
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const office = { role: 'reviewer', companyId: id };
  const mails = {
    sent: { attempts: 1, mailedAt: expiresAt, error: null, nextAttemptAt: null },
    waits: { attempts: 0, mailedAt: null, error: null, nextAttemptAt: expiresAt },
    retried: { attempts: 1, mailedAt: null, error: 'the mail server answered 450', nextAttemptAt: expiresAt },
    failed: { attempts: 1, mailedAt: null, error: 'the mail server answered 550', nextAttemptAt: null },
  };
  const data = Object.entries(mails).map(([name, mail]) => ({
    ...{ id: `inv_${name}`, email: `${name}@example.com`, ...office, userId: null, state: 'open', mail },
    ...{ createdAt: expiresAt, expiresAt, acceptedAt: null, revokedAt: null },
  }));
  // As the service answers with a mail server (test/http/mails.test.ts).
  await page.route('**/api/v1/invitations*', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 201,
          json: {
            id: 'inv_sent',
            email: 'sent@example.com',
            ...office,
            mailed: true,
            token: null,
            url: null,
            expiresAt,
          },
        })
      : route.fulfill({ json: { data, pagination: { hasMore: false, nextCursor: null } } }),
  );
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await dialogOf(page, 'Invite a person').getByLabel('E-mail').fill('sent@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('The link is sent to sent@example.com.').waitFor();
  assert.is(await page.getByRole('dialog').count(), 0);
  for (const [name, text] of [
    ['sent', 'Sent in'],
    ['waits', 'Waits to be sent'],
    ['retried', 'Is tried again the mail server answered 450'],
    ['failed', 'Not sent the mail server answered 550'],
  ] as const)
    await rowOf(page, `${name}@example.com`).getByRole('cell', { name: text }).waitFor();
});

test('an auditor sees people, invitations, keys and log-in settings, and no button that changes them', async () => {
  const { id } = await world.service.company();
  const admin = await world.people.user(id, 'org_admin', 'Ada');
  const email = world.people.newEmail();
  await world.people.invite(email, id, 'reviewer');
  const roles = { finance: 'reviewer' };
  await admin.api.call('PUT', `/api/v1/companies/${id}/log-in`, { body: { claim: 'groups', roles } });
  const { page } = await world.pageOf(id, 'auditor', '/console/people');
  const assertReads = async (what: string, dialog = page.getByRole('main')): Promise<void> => {
    await accessible(page, `an auditor, ${what}`);
    const acts = /Invite|Make|Rotate|Revoke|Change|Disable|Reset|Redact|Save(?! as CSV)|Add|Remove|Stop/;
    assert.equal(await dialog.getByRole('button', { name: acts }).count(), 0, what);
  };
  await rowOf(page, 'Ada').waitFor();
  await page.keyboard.press('n');
  await assertReads('people');
  assert.is(await page.getByRole('dialog').count(), 0);
  await page.getByRole('button', { name: 'Ada' }).click();
  await dialogOf(page, 'Ada').getByText(admin.email).waitFor();
  await assertReads('a person', dialogOf(page, 'Ada'));
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Invitations' }).click();
  await rowOf(page, email).waitFor();
  await assertReads('invitations');
  await page.getByRole('link', { name: 'Log-in of the company' }).click();
  await page.getByText('finance').waitFor();
  await assertReads('log-in');
  await page.getByRole('link', { name: 'API keys' }).click();
  await rowOf(page, 'the operator').waitFor();
  await page.keyboard.press('n');
  await assertReads('keys');
  await rowOf(page, 'the operator').getByRole('button').first().click();
  await page.getByRole('dialog').getByText('Identifier').waitFor();
  await assertReads('a key', page.getByRole('dialog'));
});
