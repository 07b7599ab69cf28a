import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { assertAccessible, browserSuite } from './browser.ts';
import {
  field,
  fields,
  lapse,
  reviewed,
  type Submissions,
  startSubmissions,
  undoButton,
} from './submissions.ts';

const test = browserSuite('console: a decision that can be taken back');
let own: Submissions;
test.before(async () => {
  own = await startSubmissions();
});
test.after(() => own.world.close());

const approve = (page: Page): Promise<void> => page.keyboard.press('Control+Enter');
const statusOf = async (id: string): Promise<string> => (await own.detail(id)).submissionStatus;
const becomes = (id: string, status: string): Promise<unknown> =>
  eventually(status, async () => (await statusOf(id)) === status);
const approvals = async (id: string): Promise<number> => {
  const { events } = await own.detail(id);
  return events.filter(({ type }: { type: string }) => type === 'submission.approved').length;
};
const problem = (status: number, code: string, more: object = {}) => ({
  ...{ status, contentType: 'application/problem+json' },
  body: JSON.stringify({ title: 'No', detail: 'Not so.', code, status, retryable: false, ...more }),
});

/** The Idempotency-Keys of the approvals that a page sends, as it sends them. */
const approvalKeys = (page: Page): readonly string[] => {
  const keys: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/approve')) keys.push(request.headers()['idempotency-key'] ?? '');
  });
  return keys;
};

/** A queue of three, at the first of them. */
const inQueue = async () => {
  const company = await own.world.service.company(reviewed);
  const ids: Record<string, string> = {};
  for (const name of ['A', 'B', 'C']) {
    const file = receiptText({ company: name });
    ids[name] = (await company.api.process([file], { clientSubmissionId: name })).submissionId;
  }
  const { page, context } = await own.world.pageOf(company.id, 'reviewer', '/console/queue', {
    isHolding: true,
  });
  await page.getByRole('link', { name: /^A/ }).click();
  await fields(page).waitFor();
  const isAt = (name: string) => page.getByRole('heading', { name: new RegExp(`^${name} · `) }).waitFor();
  const status = async (name: string): Promise<string> =>
    (await own.detail(ids[name] ?? '', company.api)).submissionStatus;
  return { page, context, isAt, status };
};

test('z brings the submission back with what was typed, and the next decision sends the one before', async () => {
  const { page, isAt, status } = await inQueue();
  await field(page, 'company').fill('A, typed');
  await approve(page);
  await isAt('B');
  await page.getByRole('status').filter({ hasText: 'Approved: A' }).waitFor();
  await assertAccessible(page, 'a decision that can be taken back');
  await page.keyboard.press('z');
  await isAt('A');
  await undoButton(page).waitFor({ state: 'detached' });
  assert.is(await field(page, 'company').inputValue(), 'A, typed');
  assert.is(await status('A'), 'review');
  await approve(page);
  await isAt('B');
  await approve(page);
  await isAt('C');
  await eventually('A', async () => (await status('A')) === 'approved');
  assert.is(await status('B'), 'review');
  await lapse(page);
  await eventually('B', async () => (await status('B')) === 'approved');
  await undoButton(page).waitFor({ state: 'detached' });
  assert.is(await status('C'), 'review');
});

test('a key that is pressed twice sends one decision', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  const sent = approvalKeys(page);
  await fields(page).waitFor();
  await Promise.all([approve(page), approve(page)]);
  await undoButton(page).waitFor();
  assert.is(await page.getByRole('button', { name: 'Approve' }).count(), 0);
  assert.equal(sent, []);
  await lapse(page);
  await becomes(id, 'approved');
  assert.is(sent.length, 1);
});

test('a decision that is too large for a page that is closed is sent at once, and cannot be taken back', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  const sent = approvalKeys(page);
  await field(page, 'company').fill('x'.repeat(31_000));
  await approve(page);
  await undoButton(page).waitFor();
  assert.equal(sent, []);
  await undoButton(page).click();
  await undoButton(page).waitFor({ state: 'detached' });
  // Just above 32,000 bytes, with what is around it.
  await field(page, 'company').fill('x'.repeat(32_000));
  await approve(page);
  // Nothing has let its time lapse.
  await becomes(id, 'approved');
  assert.is(sent.length, 1);
  assert.is((await own.detail(id)).extractedData.company.length, 32_000);
  assert.is(await undoButton(page).count(), 0);
});

test('a page that is closed sends what it held', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  await field(page, 'company').fill('Closed');
  await approve(page);
  await undoButton(page).waitFor();
  await page.close({ runBeforeUnload: true });
  await becomes(id, 'approved');
  assert.is((await own.detail(id)).extractedData.company, 'Closed');
});

test('a page that is loaded again sends it once, and shows why it was refused', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  const keys = approvalKeys(page);
  await fields(page).waitFor();
  await approve(page);
  await undoButton(page).waitFor();
  await page.reload();
  await becomes(id, 'approved');
  await eventually(
    'nothing is kept',
    async () => String(await page.evaluate('Object.values({...sessionStorage})')) === '',
  );
  assert.is(await approvals(id), 1);
  assert.is(new Set(keys).size, 1);
  const { id: other } = await own.waiting();
  await page.goto(`/console/submissions/${other}`);
  await field(page, 'company').fill('Refused');
  await page.route('**/approve', (route) => route.fulfill(problem(409, 'conflict')));
  await approve(page);
  await undoButton(page).waitFor();
  await page.reload();
  await page.getByText('Not so.').first().waitFor();
  assert.is(await field(page, 'company').inputValue(), 'Refused');
});

test('a page that is hidden sends what it held', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  await fields(page).waitFor();
  await approve(page);
  await undoButton(page).waitFor();
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));`);
  await becomes(id, 'approved');
});

test('what is refused after the person has gone on is told, and comes back with the fault at its field', async () => {
  const { page, isAt, status } = await inQueue();
  const errors = [{ pointer: '/corrections/company', detail: 'must be one of ours' }];
  await page.route('**/approve', (route) => route.fulfill(problem(422, 'validation-failed', { errors })));
  await field(page, 'company').fill('Another');
  await approve(page);
  await isAt('B');
  await lapse(page);
  await page.getByRole('alert').filter({ hasText: 'was not done' }).waitFor();
  await assertAccessible(page, 'a decision that was refused');
  await page.keyboard.press('z');
  await isAt('A');
  await page.locator('.value .fault').filter({ hasText: 'must be one of ours' }).waitFor();
  assert.is(await field(page, 'company').inputValue(), 'Another');
  await page.unroute('**/approve');
  await approve(page);
  await isAt('B');
  await lapse(page);
  await eventually('A', async () => (await status('A')) === 'approved');
});

test('without an answer of the service the submission is offered again', async () => {
  const { page, isAt, status } = await inQueue();
  await page.route('**/approve', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: '{' }),
  );
  await approve(page);
  await isAt('B');
  await lapse(page);
  await page.getByRole('alert').filter({ hasText: 'was not done' }).waitFor();
  await page.unroute('**/approve');
  await page.getByRole('button', { name: 'Open it (z)' }).click();
  await isAt('A');
  assert.is(await status('A'), 'review');
  await approve(page);
  await lapse(page);
  await eventually('A', async () => (await status('A')) === 'approved');
});

test('what another tab decided first stays, and the person sees it', async () => {
  const { id } = await own.waiting();
  const { page, api } = await own.open(id);
  await field(page, 'company').fill('Mine');
  await approve(page);
  await undoButton(page).waitFor();
  assert.is((await api.post(`/api/v1/submissions/${id}/reject`, {})).status, 200);
  await lapse(page);
  await page.getByText('This was changed while you had it open').waitFor();
  assert.is(await statusOf(id), 'rejected');
});

test('a log-out sends what is held', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  await fields(page).waitFor();
  await approve(page);
  await undoButton(page).waitFor();
  await page.getByRole('button', { name: /@/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  assert.is(await statusOf(id), 'approved');
});

test('a rejection that was taken back keeps its reason', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  await fields(page).waitFor();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Reject this submission?' });
  await dialog.getByLabel('Pages are missing').check();
  await dialog.getByLabel('In your own words').fill('the second');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await undoButton(page).click();
  assert.is(await statusOf(id), 'review');
  await page.keyboard.press('r');
  assert.is(await dialog.getByLabel('Pages are missing').isChecked(), true);
  assert.is(await dialog.getByLabel('In your own words').inputValue(), 'the second');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await becomes(id, 'rejected');
});
