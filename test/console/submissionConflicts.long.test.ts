import * as assert from 'uvu/assert';
import { gate } from '../controls/stores.ts';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { PASSWORD } from '../support/people.ts';
import { assertAccessible, browserSuite } from './browser.ts';
import { field, fields, lapse, reviewed, type Submissions, startSubmissions } from './submissions.ts';

const test = browserSuite('console: a submission, and what others do to it');
let own: Submissions;
test.before(async () => {
  own = await startSubmissions();
});
test.after(() => own.world.close());

test('a submission that another has decided on meanwhile says who did what, and keeps what was typed', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  await field(page, 'company').fill('Mine');
  const other = await own.world.people.user(own.company.id, 'reviewer');
  const approved = await other.api.post(`/api/v1/submissions/${id}/approve`, {});
  assert.is(approved.status, 200, approved.text);
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  const notice = page.getByRole('status').filter({ hasText: 'This was changed while you had it open' });
  await notice.getByText(`Approved: ${other.userId}`).waitFor();
  assert.is(await field(page, 'company').inputValue(), 'Mine');
  await assertAccessible(page, 'meanwhile');
});

test('a log-in that has expired keeps the corrections, and the approval goes on', async () => {
  const { id } = await own.waiting();
  const { page, api } = await own.open(id);
  await field(page, 'company').fill('Kept');
  await api.post('/api/auth/sessions/end-all');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
  assert.is((await own.detail(id)).extractedData.company, 'Kept');
});

test('what one person typed is gone when another logs in, and so is what was asked', async () => {
  const { id } = await own.waiting();
  const bob = await own.world.people.user(own.company.id, 'reviewer');
  const { page } = await own.open(id);
  await field(page, 'company').fill('Ann’s');
  const { opened: held, open: release } = gate();
  await page.route('**/approve', async (route) => {
    await held;
    await route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{}' });
  });
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await page.getByRole('button', { name: /@/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.evaluate('lapse()');
  await page.getByLabel('E-mail').fill(bob.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await field(page, 'company').waitFor();
  const late = page.waitForResponse('**/approve');
  release();
  await late;
  await page.unroute('**/approve');
  assert.is.not(await field(page, 'company').inputValue(), 'Ann’s');
  assert.is(await page.getByRole('dialog').count(), 0);
  assert.is((await own.detail(id)).submissionStatus, 'review');
});

test('a log-out in one tab leaves nothing to read in another', async () => {
  const { id } = await own.waiting();
  const { page, context } = await own.open(id);
  const second = await context.newPage();
  await second.goto(`/console/submissions/${id}`);
  await fields(second).waitFor();
  await page.getByRole('button', { name: /@/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await second.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  assert.is(await fields(second).count(), 0);
});

test('somebody else who has it open is named', async () => {
  const { id } = await own.waiting();
  const other = await own.world.people.user(own.company.id, 'reviewer');
  assert.is((await other.api.post(`/api/v1/submissions/${id}/claim`, {})).status, 200);
  const { page } = await own.open(id);
  await page.getByText(`${other.userId} has this open too`).waitFor();
});

test('a rejection that comes too late says who decided what, and keeps its reason to be copied', async () => {
  const company = await own.world.service.company(reviewed);
  const { submissionId: id } = await company.api.process([receiptText()]);
  const { page, context } = await own.world.pageOf(company.id, 'reviewer', `/console/submissions/${id}`, {
    isHolding: true,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await fields(page).waitFor();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Reject this submission?' });
  await dialog.getByLabel('Not the right document').check();
  await dialog.getByLabel('In your own words').fill('a menu');
  const other = await own.world.people.user(company.id, 'reviewer');
  assert.is((await other.api.post(`/api/v1/submissions/${id}/approve`, {})).status, 200);
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await lapse(page);
  await page.getByText(`Approved: ${other.userId}`).waitFor();
  assert.is((await own.detail(id, company.api)).submissionStatus, 'approved');
  const notice = page.getByRole('status').filter({ hasText: 'This was changed while you had it open' });
  const reason = notice.getByLabel('The reason that you gave');
  assert.is(await reason.inputValue(), 'Not the right document: a menu');
  await notice.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied.').waitFor();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), 'Not the right document: a menu');
  await assertAccessible(page, 'meanwhile, with a reason');
});

test('two tabs of one person: the second one says what the first has done', async () => {
  const { id } = await own.waiting();
  const { page, context } = await own.open(id);
  const second = await context.newPage();
  await second.goto(`/console/submissions/${id}`);
  await field(second, 'company').fill('In the second tab');
  await fields(page).waitFor();
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
  await second.keyboard.press('Control+Enter');
  await second.getByText('This was changed while you had it open').waitFor();
  assert.is(await field(second, 'company').inputValue(), 'In the second tab');
});

test('the comment of the first of two people is quoted', async () => {
  const [slug, { id }] = ['pairs', own.company];
  await own.world.service.publish({
    ...reviewed,
    slug,
    processing: { review: 'always', fourEyes: ['approved'] },
  });
  await own.world.service.intake('workflow', 'assign', slug, '--company', id);
  const { api } = await own.world.service.key(id);
  const { submissionId } = await api.process([receiptText()], {}, slug);
  const first = await own.world.people.user(id, 'reviewer');
  const approved = await first.api.post(`/api/v1/submissions/${submissionId}/approve`, {
    comment: 'as ordered',
  });
  assert.is(approved.body.submissionStatus, 'review', approved.text);
  const { page } = await own.open(submissionId);
  assert.is(await page.locator('.notice q').textContent(), 'as ordered');
});

test('a key that is held down approves one submission, and takes one of the queue', async () => {
  const company = await own.world.service.company(reviewed);
  for (const name of ['A', 'B', 'C', 'D'])
    await company.api.process([receiptText({ company: name })], {
      clientSubmissionId: name,
    });
  const { page } = await own.world.pageOf(company.id, 'reviewer', '/console/queue', { isHolding: true });
  const hold = async (key: string): Promise<void> => {
    await page.keyboard.down(key);
    for (let repeats = 0; repeats < 30; repeats += 1) {
      await page.keyboard.down(key);
      await page.waitForTimeout(50);
    }
    await page.keyboard.up(key);
  };
  const isAt = (name: string) => page.getByRole('heading', { name: new RegExp(`^${name} · `) }).waitFor();
  await page.getByRole('link', { name: /^A/ }).waitFor();
  await hold('n');
  await isAt('A');
  await fields(page).waitFor();
  await page.keyboard.down('Control');
  await hold('Enter');
  await page.keyboard.up('Control');
  await isAt('B');
  await lapse(page);
  const approved = async (): Promise<readonly string[]> => {
    const { data } = (await company.api.get('/api/v1/submissions?status=approved')).body;
    return data.map((row: { clientSubmissionId: string }) => row.clientSubmissionId);
  };
  await eventually('the approval', async () => (await approved()).length > 0);
  assert.equal(await approved(), ['A']);
});

test('a next that comes after the person has gone elsewhere leads nowhere, and its claim ends', async () => {
  const company = await own.world.service.company(reviewed);
  for (const name of ['A', 'B'])
    await company.api.process([receiptText({ company: name, total: undefined })], {
      clientSubmissionId: name,
    });
  const { page, api } = await own.world.pageOf(company.id, 'reviewer', '/console/queue');
  await page.getByRole('link', { name: /^A/ }).click();
  await fields(page).waitFor();
  const { opened: held, open: answer } = gate();
  let claimed = null as string | null;
  await page.route('**/review-queue/next', async (route) => {
    const response = await route.fetch();
    claimed = (await response.json()).id;
    await held;
    await route.fulfill({ response });
  });
  await page.keyboard.press('n');
  await page.getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('heading', { name: 'Workflows' }).waitFor();
  await eventually('the claim', async () => claimed !== null);
  answer();
  await eventually('no claim', async () =>
    (await api.get('/api/v1/review-queue')).body.data.every((row: { claim: unknown }) => row.claim === null),
  );
  assert.ok(page.url().includes('/workflows'));
});
