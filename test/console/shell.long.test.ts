import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { gate } from '../controls/stores.ts';
import { eventually, note } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { PASSWORD } from '../support/people.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: shell');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

test('while there is no user the log-in says how to invite the first one, who sees how to begin [logins-24]', async () => {
  const outside = await (await world.browser.context()).newPage();
  await outside.goto('/console');
  await outside.getByText('intake invite --email you@example.com --role super_admin').waitFor();
  await accessible(outside, 'log-in without users');
  const { page } = await world.pageOf(null, 'super_admin', '/console');
  await outside.reload();
  await outside.getByRole('heading', { name: 'Log in' }).waitFor();
  assert.is(await outside.getByText('intake invite').count(), 0);
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  const steps = page.getByRole('main').locator('ol > li');
  const done = page.getByRole('main').getByText('✓ done');
  await steps.first().waitFor();
  assert.equal([await steps.count(), await done.count()], [4, 0]);
  await accessible(page, 'first steps');
  const headings = ['Companies', 'Workflows', 'API keys', 'People'];
  for (const [index, name] of headings.entries()) {
    await steps.nth(index).getByRole('link').click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.goBack();
    await steps.first().waitFor();
  }
  const { id } = await world.service.company();
  await page.reload();
  await eventually('company, workflow and key are done', async () => (await done.count()) === 3);
  await steps.nth(3).getByRole('link').click();
  await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
  assert.is(new URL(page.url()).searchParams.get('company'), id);
  await world.people.invite(world.people.newEmail(), id, 'reviewer');
  await page.goto('/console');
  await page.getByRole('listitem').filter({ hasText: id }).waitFor();
  await eventually('nothing is left to do', async () => (await steps.count()) === 0);
});

test('a person logs in and sees the screens of the role', async () => {
  const { id } = await world.service.company();
  const { email } = await world.people.user(id, 'reviewer');
  const page = await (await world.browser.context()).newPage();
  await page.goto('/console');
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await accessible(page, 'log-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Check the e-mail' }).waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  assert.is(await page.title(), 'Queue · Intake');
  assert.equal(await page.getByRole('navigation').getByRole('link').allTextContents(), [
    'Queue',
    'Submissions',
    'Batches',
    'Deliveries',
    'Workflows',
  ]);
});

test('the list of submissions, where auditors begin, has no fault of accessibility in any look', async () => {
  const { id, api } = await world.service.company();
  await api.process([receiptText()]);
  const { page } = await world.pageOf(id, 'auditor', '/console');
  await page.getByRole('region', { name: 'Submissions' }).getByRole('link').first().waitFor();
  await accessible(page, 'submissions');
});

test('the keys of a screen are shown on ?, and single ones can be turned off', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(id, 'reviewer', '/console/submissions');
  await page.getByRole('heading', { name: 'Submissions' }).waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await dialog.getByText('Next row').waitFor();
  await accessible(page, 'keys');
  await dialog.getByLabel('Single keys are on').uncheck();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Keys' }).click();
  await dialog.waitFor();
  assert.is(await page.getByRole('dialog').count(), 1);
});

test('a session that ends asks for the log-in over the page, and what was asked goes on', async () => {
  const { id } = await world.service.company();
  const { page, email, api } = await world.pageOf(id, 'reviewer', '/console/submissions');
  await page.getByText('No submission is like this').waitFor();
  const { opened: held, open: release } = gate();
  await page.route('**/api/v1/submissions?*', (route) => held.then(() => route.continue()));
  const asked = page.waitForRequest((request) => request.url().includes('what'));
  await page.getByLabel('Client’s identifier').fill('what was typed');
  await asked;
  await api.post('/api/auth/sessions/end-all');
  release();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await accessible(page, 'log-in over a page');
  assert.is(await dialog.getByLabel('E-mail').inputValue(), email);
  await dialog.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.is(await page.getByLabel('Client’s identifier').inputValue(), 'what was typed');
  await page.getByText('No submission is like this').waitFor();
});

test('an answer that breaks off, and a proxy’s page in the place of one, are told with what to do', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(id, 'auditor', '/console/workflows');
  await page.getByRole('heading', { name: 'Workflows' }).waitFor();
  const answers = [
    { status: 200, contentType: 'application/json', body: '{"data": [', title: 'No answer' },
    { status: 403, contentType: 'text/html', body: '<h1>Forbidden</h1>', title: 'not the service’s' },
  ];
  for (const { title, ...answer } of answers) {
    await page.route('**/api/v1/submissions?*', (route) => route.fulfill(answer));
    await page.getByRole('link', { name: 'Submissions' }).click();
    await page.getByRole('alert').filter({ hasText: title }).waitFor();
    await page.unroute('**/api/v1/submissions?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No submission is like this').waitFor();
    await page.getByRole('link', { name: 'Workflows' }).click();
  }
});

test('another person who logs in there gets nothing that was asked before', async () => {
  const { id } = await world.service.company();
  const other = await world.people.user(id, 'auditor');
  const { page, api } = await world.pageOf(id, 'reviewer', '/console/sessions');
  await page.getByRole('heading', { name: 'Your sessions' }).waitFor();
  await api.post('/api/auth/sessions/end-all');
  await page.getByRole('link', { name: 'Submissions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('E-mail').fill(other.email);
  await dialog.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: other.email }).waitFor();
});

test('a person sees the own sessions, ends one, and all of them', async () => {
  const { id } = await world.service.company();
  const { page, email } = await world.pageOf(id, 'org_admin', '/console');
  await world.people.logIn(email, PASSWORD, {}, { 'user-agent': 'curl/8.0' });
  await page.getByRole('button', { name: email }).click();
  await page.getByRole('link', { name: 'Your sessions' }).click();
  await page.getByRole('heading', { name: 'Your sessions' }).waitFor();
  assert.is(await page.evaluate('document.activeElement.tagName'), 'H1');
  await accessible(page, 'sessions');
  await page.getByRole('row', { name: /curl/ }).first().getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'End this session' }).click();
  await page.getByText('The session was ended.').waitFor();
  await page.getByRole('button', { name: 'End all sessions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
});

test('a log-out clears what the browser keeps of the service, and the person’s choices stay [logins-23]', async () => {
  const { id } = await world.service.company();
  const { page, email } = await world.pageOf(id, 'reviewer', '/console/submissions');
  await page.getByText('No submission is like this').waitFor();
  await page.evaluate(
    "localStorage.setItem('intake.scheme', 'dark'); localStorage.setItem('intake.keys', 'off')",
  );
  await page.evaluate("localStorage.setItem('other', 'x'); sessionStorage.setItem('intake.typed', 'x')");
  const answered = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.getByRole('button', { name: email }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  assert.is((await (await answered).allHeaders())['clear-site-data'], '"cache", "storage"');
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  const left = ['intake.scheme', 'intake.keys', 'other', 'intake.typed'].map(
    (name) => `localStorage.getItem('${name}') ?? sessionStorage.getItem('${name}')`,
  );
  assert.equal(await page.evaluate(`[${left.join(', ')}]`), ['dark', 'off', null, null]);
});

test('a super_admin chooses a company, and its name and the mode stay in every address', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(null, 'super_admin', '/console/submissions');
  await page.getByRole('heading', { name: 'Choose a company' }).waitFor();
  await accessible(page, 'companies');
  await page.getByRole('listitem').filter({ hasText: id }).getByRole('link').click();
  await page.getByText('No submission is like this').waitFor();
  await page.getByRole('button', { name: 'Test data' }).click();
  await page.getByText('These are test data').waitFor();
  await page.getByRole('link', { name: 'Submissions', exact: true }).click();
  const { searchParams } = new URL(page.url());
  assert.equal([searchParams.get('company'), searchParams.get('mode')], [id, 'test']);
});

test('an invitation leads to a password, and to the first screen', async () => {
  const { id } = await world.service.company();
  const email = world.people.newEmail();
  const { token } = await world.people.invite(email, id, 'reviewer');
  const page = await (await world.browser.context()).newPage();
  await page.goto(`/invite#token=${token}`);
  await page.getByText(`You were invited as ${email}: reviewer at ACME.`).waitFor();
  assert.not.ok(page.url().includes('token'));
  await accessible(page, 'invitation');
  await page.getByLabel('Password').fill('short');
  await page.keyboard.press('Enter');
  await page.locator('.field .fault').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  await page.goto(`/invite#token=${token}`);
  await page.getByText('This invitation has been used').waitFor();
});

/** Ten thousand rows of a list, a hundred a page; a poll for changes waits, since there is none. */
const serveRows = (page: Page, path: string, rowOf: (number: number) => object, more: object = {}) =>
  page.route(`**${path}?*`, async (route) => {
    if (route.request().headers()['if-none-match']) return;
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: 100 }, (_, index) => rowOf(from + index));
    const hasMore = from + 100 < SIZE;
    const pagination = { hasMore, nextCursor: hasMore ? String(from + 100) : null };
    await route.fulfill({ headers: { ETag: '"one"' }, json: { data, pagination, ...more } });
  });

const SIZE = 10_000;
const idOf = (number: number): string => `sub_${String(number).padStart(26, '0')}`;
const common = {
  fraudStatus: null,
  fraudScore: null,
  confidence: 0.7,
  workflow: { slug: 'receipt', name: 'Receipt', version: 1 },
  createdAt: '2026-11-21T10:00:00.000Z',
};
const LISTS = {
  Submissions: {
    path: '/api/v1/submissions',
    rowOf: (number: number) => ({
      ...{ ...common, id: idOf(number), submissionStatus: 'review', extractedData: null },
      ...{ label: `order-${number}`, amount: null, clientSubmissionId: `order-${number}` },
    }),
    more: {},
  },
  Queue: {
    path: '/api/v1/review-queue',
    rowOf: (number: number) => ({
      ...{ ...common, id: idOf(number), waitingSince: common.createdAt, label: `order-${number}` },
      ...{ amount: null, clientSubmissionId: null },
      ...{ reviewReasons: [{ code: 'always_review' }], fileCount: 1, firstDecision: null, claim: null },
    }),
    more: {
      counts: {
        ...{ waiting: SIZE, workflows: [{ slug: 'receipt', waiting: SIZE }] },
        ...{ reasons: [], fraudStatuses: [], claimed: { mine: 0, others: 0 } },
      },
    },
  },
};

for (const [name, { path, rowOf, more }] of Object.entries(LISTS))
  test(
    `${name}: a list of 10,000 rows has few of them on the page, and goes through all by key`,
    async () => {
      const { id } = await world.service.company();
      const { page } = await world.pageOf(id, 'reviewer', '/console/sessions');
      await serveRows(page, path, rowOf, more);
      await page.getByRole('link', { name: new RegExp(`^${name}\\b`) }).click();
      const region = page.getByRole('region', { name });
      await region.waitFor();
      await eventually(
        'the last page',
        async () => {
          await region.evaluate((element) => element.scrollTo(0, element.scrollHeight));
          return (await page.locator('p [role=status]').textContent()) === `${SIZE} rows`;
        },
        100_000,
      );
      assert.ok((await region.getByRole('row').count()) < 60);
      const started = performance.now();
      for (let presses = 0; presses < 20; presses += 1) await page.keyboard.press('k');
      const pressMs = (performance.now() - started) / 20;
      note(`${name}, of 10,000 rows from one to the next by key: ${pressMs.toFixed(0)} ms`);
      assert.ok(pressMs < 100, `${pressMs} ms`);
      assert.match(String(await page.evaluate('document.activeElement.textContent')), /^order-/);
    },
    { timeoutMs: 150_000 },
  );
