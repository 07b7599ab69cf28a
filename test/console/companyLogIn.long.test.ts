import type { BrowserContext, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { freePort } from '../support/freePort.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/openIdProvider.ts';
import { startReverseProxy } from '../support/reverseProxy.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: log-in by an identity provider');
let provider: OpenIdProvider;
let world: World;
test.before(async () => {
  provider = await startOpenIdProvider();
  world = await startWorld(provider.settings);
});
test.after(async () => {
  await world.close();
  await provider.close();
});

let made = 0;
/** Somebody who was invited, and a browser: the pages of the provider are no concern of ours. */
const invited = async () => {
  const { id } = await world.service.company();
  const [email, subject] = [world.people.newEmail(), `subject-${++made}`];
  provider.people.set(subject, { email, email_verified: true, name: 'Ann' });
  const { token } = await world.people.invite(email, id, 'reviewer');
  const context = await world.browser.unwatched();
  return { context, page: await context.newPage(), email, subject, token };
};

const button = (page: Page) => page.getByRole('button', { name: /^Log in with 127\.0\.0\.1/ });

/** Logs in at the provider. */
const atProvider = async (page: Page, subject: string): Promise<void> => {
  await page.locator('[name=login]').fill(subject);
  await page.locator('[name=password]').fill('any');
  await page.locator('[type=submit]').click();
};

const cookiesOf = async (context: BrowserContext): Promise<readonly string[]> =>
  (await context.cookies(world.service.url))
    .map(({ name }) => name)
    .filter((name) => name.startsWith('__Host'));

test('a person logs in at the provider, and is back at the address of before, which nothing of the answer is in', async () => {
  const { context, page, subject } = await invited();
  const address = `${world.service.url}/console/submissions?batchRef=march&status=review`;
  await page.goto(address);
  await button(page).click();
  await atProvider(page, subject);
  await page.getByRole('heading', { name: 'Submissions' }).waitFor();
  assert.is(page.url(), address);
  assert.ok((await cookiesOf(context)).includes('__Host-intake'));
  const addresses: string[] = await page.evaluate(
    `performance.getEntriesByType('navigation').map(({ name }) => name).concat(document.referrer, location.href)`,
  );
  assert.not.ok(
    addresses.slice(1).some((one) => /code=|state=/.test(one)),
    String(addresses),
  );
  await page.getByRole('button', { name: 'Ann' }).waitFor();
  await context.close();
});

test('an answer that is sent again, or to another browser, logs nobody in, and leads back to the log-in', async () => {
  const { context, page, subject } = await invited();
  const answers: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/signed-in?')) answers.push(request.url());
  });
  await page.goto(`${world.service.url}/console`);
  await button(page).click();
  await atProvider(page, subject);
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  const [answer = ''] = answers;
  assert.match(answer, /code=/);
  // Of another person, who is logged in: a planted answer changes nothing.
  const { id } = await world.service.company();
  const other = await world.pageOf(id, 'auditor', '/console');
  for (const target of [page, other.page]) {
    await target.goto(answer);
    await target.getByRole('alert').filter({ hasText: 'Log-in expired' }).waitFor();
    assert.not.match(target.url(), /code=|state=/);
    await target.getByRole('link', { name: 'Back to the log-in' }).waitFor();
  }
  await accessible(other.page, 'log-in that has failed');
  await other.page.getByRole('link', { name: 'Back to the log-in' }).click();
  await other.page.getByRole('button', { name: other.email }).waitFor();
  await context.close();
});

test('the invitation whose link was opened is accepted by the provider’s log-in, without a password, and no other company’s [logins-11]', async () => {
  const { context, page, email, subject, token } = await invited();
  const { id } = await world.service.company();
  await world.people.invite(email, id, 'org_admin');
  await page.goto(`${world.service.url}/console`);
  await button(page).click();
  await atProvider(page, subject);
  await page.getByRole('alert').filter({ hasText: 'open the link of the invitation' }).waitFor();
  await page.goto(`${world.service.url}/invite#token=${token}`);
  await button(page).click();
  // The provider knows the browser by now.
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  assert.not.ok(page.url().includes(token));
  await context.close();
});

test('a session that ended goes on after a log-in at the provider in a window of its own, which the page keeps no hold on', async () => {
  const { context, page, subject } = await invited();
  await page.goto(`${world.service.url}/console/submissions`);
  await button(page).click();
  await atProvider(page, subject);
  await page.getByLabel('Client’s identifier').fill('what was typed');
  const ended = `fetch('/api/auth/me').then((answer) => answer.json()).then(({ csrfToken }) =>
    fetch('/api/auth/sessions/end-all', { method: 'POST', headers: { 'X-CSRF-Token': csrfToken } })).then(({ status }) => status)`;
  assert.is(await page.evaluate(ended), 204);
  // The dialog may be there before it: the page asks by itself too.
  await page.getByRole('button', { name: 'Read the list again' }).dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await page.evaluate('{ const { open } = window; window.open = () => ((window.open = open), null); }');
  await dialog.getByRole('button', { name: /^Log in with/ }).click();
  await dialog.getByText('Your browser has blocked the window').waitFor();
  assert.is(
    await dialog.getByRole('link', { name: 'Log in in another tab' }).getAttribute('target'),
    '_blank',
  );
  await accessible(page, 'a blocked window');
  // The provider knows the browser no more either.
  await context.clearCookies({ name: /^_session/ });
  const [own] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('button', { name: /^Log in with/ }).click(),
  ]);
  await own.locator('[name=login]').waitFor();
  assert.is(await own.evaluate('window.opener'), null);
  await atProvider(own, subject);
  await dialog.waitFor({ state: 'detached' });
  assert.is(await page.getByLabel('Client’s identifier').inputValue(), 'what was typed');
  await context.close();
});

test('where the service is below a path of a reverse proxy, the log-in leads back below it [logins-10]', async () => {
  const port = await freePort();
  const front = await startReverseProxy(port, 'replaced', '/work');
  const elsewhere = await startOpenIdProvider({ redirect_uris: [`${front.url}/console/signed-in`] });
  const below = await startWorld({
    ...elsewhere.settings,
    PORT: `${port}`,
    PUBLIC_URL: front.url,
    TRUST_PROXY: '1',
  });
  try {
    const { id } = await below.service.company();
    const email = below.people.newEmail();
    elsewhere.people.set('ann', { email, email_verified: true });
    await below.people.invite(email, id, 'reviewer');
    const page = await (await below.browser.unwatched()).newPage();
    const address = `${front.url}/console/submissions?batchRef=march`;
    await page.goto(address);
    await button(page).click();
    await atProvider(page, 'ann');
    await page.getByRole('heading', { name: 'Submissions' }).waitFor();
    assert.is(page.url(), address);
  } finally {
    await below.close();
    await elsewhere.close();
    await front.close();
  }
});
