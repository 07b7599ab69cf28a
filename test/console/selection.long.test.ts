import type { Page, Route } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import { reviewed, type Submissions, startSubmissions } from './submissions.ts';

const test = browserSuite('console: selected submissions');
let own: Submissions;
test.before(async () => {
  own = await startSubmissions();
});
test.after(() => own.world.close());

/** A company of its own with submissions of these names that wait, oldest first. */
const companyWith = async (names: readonly string[]) => {
  const company = await own.world.service.company(reviewed);
  const ids: string[] = [];
  for (const name of names)
    ids.push((await company.api.process([receiptText({ company: name })])).submissionId);
  const detail = (index: number) => own.detail(ids[index] ?? '', company.api);
  const statuses = async () =>
    (await Promise.all(ids.map((id) => own.detail(id, company.api)))).map(
      ({ submissionStatus }) => submissionStatus,
    );
  const open = (path: string, role: Parameters<typeof own.world.pageOf>[1] = 'reviewer') =>
    own.world.pageOf(company.id, role, `/console/${path}`, { name: 'Ann' });
  return { ...company, ids, detail, statuses, open };
};

const row = (page: Page, name: string) =>
  page.locator('tbody tr').filter({ has: page.getByRole('link', { name: new RegExp(`^${name} ·`) }) });
const box = (page: Page, name: string) => row(page, name).getByRole('checkbox');
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
const act = (page: Page, name: string) => bar(page).getByRole('button', { name });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const selected = (page: Page) => page.locator('tbody input:checked').count();
const says = (page: Page, text: string) => bar(page).getByText(text, { exact: true }).waitFor();

/** Keeps the requests of one kind until they are let go, one by one. */
const held = async (page: Page, pattern: string) => {
  const waiting: Route[] = [];
  await page.route(pattern, (route) => void waiting.push(route));
  const next = async (): Promise<Route> => {
    await eventually('a request', () => waiting.length > 0);
    return waiting.shift() as Route;
  };
  return { waiting, next };
};

test('rows are selected by key, by range and all at once, and assigned by one request each', async () => {
  const { open, detail } = await companyWith(['A', 'B', 'C', 'D']);
  const { page, userId } = await open('queue');
  await row(page, 'D').waitFor();
  assert.is(await bar(page).count(), 0);
  for (const key of ['j', 'Space', 'j', 'j', 'Shift+Space']) await page.keyboard.press(key);
  await says(page, '3 selected');
  assert.is(await box(page, 'D').isChecked(), false);
  await page.keyboard.press('?');
  const keys = dialog(page, 'Keys');
  await keys.getByText('Select the row, with Shift all rows from the last one to it').waitFor();
  await keys.getByText('Reject 3').waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await page.keyboard.press('Space');
  await says(page, '2 selected');
  await page.getByRole('checkbox', { name: 'Select all rows that are read' }).click();
  await says(page, '4 selected');
  await accessible(page, 'a selection of the queue');
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
  await box(page, 'B').click();
  await box(page, 'D').click({ modifiers: ['Shift'] });
  await says(page, '3 selected');
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent += 1;
  });
  await page.keyboard.press('g');
  await assertAccessible(page, 'reviews that are assigned');
  await dialog(page, 'Who is to review the 3 selected submissions?').waitFor();
  await page.keyboard.press('Control+Enter');
  await bar(page).waitFor({ state: 'detached' });
  await page.getByText('3 are done.').waitFor();
  const given = await Promise.all([0, 1, 2, 3].map(async (index) => (await detail(index)).assignee));
  assert.equal(given, [null, userId, userId, userId]);
  assert.is(sent, 3);
});

test('a rejection asks for one reason, shows how far it is, and what is refused stays with its reason', async () => {
  const { open, ids, api, statuses } = await companyWith(['A', 'B', 'C']);
  const { page } = await open('queue');
  await page.getByRole('checkbox', { name: 'Select all rows that are read' }).click();
  const keys = new Set<string | undefined>();
  page.on('request', (request) => {
    if (request.url().endsWith('/reject')) keys.add(request.headers()['idempotency-key']);
  });
  const { next } = await held(page, '**/reject');
  await act(page, 'Reject 3').click();
  const asked = dialog(page, 'Reject 3 submissions?');
  await asked.getByLabel('A duplicate').check();
  await asked.getByRole('button', { name: 'Reject 3' }).click();
  await says(page, '1 of 3');
  const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
  await eventually('the bar has the focus', async () => (await focused()) === 'Selection');
  await assertAccessible(page, 'a rejection that runs');
  await (await next()).continue();
  await says(page, '2 of 3');
  assert.is((await api.post(`/api/v1/submissions/${ids[1]}/approve`, {})).status, 200);
  await (await next()).continue();
  await says(page, '3 of 3');
  await (await next()).continue();
  await says(page, '1 selected');
  const refused = page.getByRole('region', { name: 'What was refused' });
  const reason = await refused.getByRole('listitem').textContent();
  assert.match(String(reason), /^B.*: .*review/i);
  await page.getByText('2 are done. 1 is not, and stays selected.').waitFor();
  assert.ok(keys.size === 3 && !keys.has(undefined), 'each has a key of its own');
  await accessible(page, 'what was refused of a selection');
  assert.equal(await statuses(), ['rejected', 'approved', 'rejected']);
  const { data } = (await api.get(`/api/v1/submissions/${ids[0]}/events`)).body;
  const said = data.map(({ details }: { details: { reason?: string } | null }) => details?.reason);
  assert.ok(said.includes('A duplicate'));
  await act(page, 'Select none').click();
  await bar(page).waitFor({ state: 'detached' });
});

test('it is stopped after the request that is under way, and who leaves before is asked', async () => {
  const { open, statuses } = await companyWith(['A', 'B', 'C']);
  const { page } = await open('submissions');
  await page.getByRole('checkbox', { name: 'Select all rows that are read' }).click();
  const { next, waiting } = await held(page, '**/cancel');
  await act(page, 'Cancel 3').click();
  await dialog(page, 'Cancel 3 submissions?').getByRole('button', { name: 'Cancel 3' }).click();
  await says(page, '1 of 3');
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.type());
    void question.dismiss();
  });
  await page.getByRole('link', { name: 'Batches' }).click();
  await page.evaluate('void history.back()');
  await eventually('asked twice', () => questions.length === 2);
  assert.match(page.url(), /\/submissions$/);
  await page.evaluate('void location.reload()');
  await eventually('asked for the whole page', () => questions.includes('beforeunload'));
  await act(page, 'Stop').click();
  await act(page, 'Stopping …').waitFor();
  await (await next()).continue();
  await says(page, '2 selected');
  assert.is(waiting.length, 0);
  assert.equal((await statuses()).toSorted(), ['cancelled', 'review', 'review']);
  assert.is(await selected(page), 2);
  await page.locator('tbody').getByText('Cancelled').waitFor();
  await page.getByRole('link', { name: 'Batches' }).click();
  await page.getByRole('heading', { name: 'Batches' }).waitFor();
  assert.is(questions.length, 3);
});

test('reviews are put off together, and only what fits and the person may is offered', async () => {
  const { open, ids, api, detail } = await companyWith(['A', 'B', 'C']);
  await api.post(`/api/v1/submissions/${ids[0]}/reject`, {});
  const { page } = await open('submissions');
  await page.getByRole('checkbox', { name: 'Select all rows that are read' }).click();
  await says(page, '3 selected');
  await act(page, 'Reject 2').waitFor();
  await page.keyboard.press('s');
  const asked = dialog(page, 'Put the reviews of 2 submissions off?');
  await asked.getByLabel('Why, for others who review').fill('The branch is closed');
  await page.keyboard.press('Control+Enter');
  await says(page, '1 selected');
  assert.equal(await bar(page).getByRole('button').allTextContents(), ['Select none']);
  for (const index of [1, 2]) assert.is((await detail(index)).postponed.reason, 'The branch is closed');
  const { page: other } = await open('submissions', 'auditor');
  await row(other, 'A').waitFor();
  assert.is(await other.getByRole('checkbox').count(), 0);
});

test('where the service gives no answer it ends, and all that is left stays selected', async () => {
  const { open, statuses } = await companyWith(['A', 'B']);
  const { page } = await open('submissions');
  await page.getByRole('checkbox', { name: 'Select all rows that are read' }).click();
  const asked = new Set<string>();
  await page.route('**/reject', (route) => {
    asked.add(route.request().url());
    return route.fulfill({ status: 502, contentType: 'text/plain', body: 'a proxy' });
  });
  await act(page, 'Reject 2').click();
  await dialog(page, 'Reject 2 submissions?').waitFor();
  await page.keyboard.press('Control+Enter');
  await says(page, '2 selected');
  assert.is(await page.getByRole('region', { name: 'What was refused' }).getByRole('listitem').count(), 1);
  assert.is(asked.size, 1);
  assert.equal(await statuses(), ['review', 'review']);
});
