import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import { field, fields, lapse, reviewed, type Submissions, startSubmissions } from './submissions.ts';

const test = browserSuite('console: matches of files, and what was typed');
let own: Submissions;
test.before(async () => {
  own = await startSubmissions();
});
test.after(() => own.world.close());

/** A company whose workflow blocks what has a file, or data, of an earlier submission. */
const guarded = () =>
  own.world.service.company({
    ...reviewed,
    processing: { review: 'always', fraud: { ...reviewed.processing.fraud, checks: ['duplicate_file'] } },
  });

test('a match of second files opens these on both sides, which turn and zoom together', async () => {
  const company = await guarded();
  const [first, shared, last] = [
    receiptText({ company: 'A' }),
    receiptText({ company: 'B' }),
    receiptText({ company: 'C' }),
  ];
  await company.api.process([first, shared], { clientSubmissionId: 'earlier' });
  const { submissionId } = await company.api.process([last, shared]);
  const address = `/console/submissions/${submissionId}`;
  const { page } = await own.world.pageOf(company.id, 'reviewer', `${address}?view=matches`);
  const files = page.getByRole('combobox', { name: 'File' });
  await page.getByRole('region', { name: 'The earlier one: back' }).getByText('"B"').waitFor();
  await page.getByRole('region', { name: 'This submission: back' }).getByText('"B"').waitFor();
  assert.is(await files.count(), 2);
  await page.keyboard.press('[');
  await page.getByRole('region', { name: 'The earlier one: front' }).getByText('"A"').waitFor();
  await page.getByRole('region', { name: 'This submission: front' }).getByText('"C"').waitFor();
  await accessible(page, 'matches of files');
});

test('an approval that open matches block leads to them, and all are dismissed at once', async () => {
  const company = await guarded();
  const file = receiptText({ company: 'Again' });
  for (const name of ['one', 'two', 'three']) await company.api.process([file], { clientSubmissionId: name });
  const { submissionId } = await company.api.process([file], { clientSubmissionId: 'four' });
  const { page } = await own.world.pageOf(company.id, 'reviewer', `/console/submissions/${submissionId}`);
  await field(page, 'total').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('It cannot be approved while a match that blocks it is open.').waitFor();
  assert.not.match(String(await page.locator('main').textContent()), /POST|api\/v1/);
  await page.getByRole('button', { name: 'Dismiss all 3 open matches of this kind' }).waitFor();
  const matches = async () => (await own.detail(submissionId, company.api)).fraudMatches;
  const [, second] = await matches();
  const refused = `**/fraud-matches/${second.id}/resolve`;
  const problem = { title: 'No', detail: 'Not this one.', code: 'conflict', status: 409, retryable: false };
  const body = JSON.stringify(problem);
  await page.route(refused, (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', body }),
  );
  await page.keyboard.press('Shift+D');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Comment').fill('sent again');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText(/was not dismissed: Not this one\./).waitFor();
  await assertAccessible(page, 'one was refused');
  const resolutions = async () =>
    (await matches()).map(({ resolution }: { resolution: unknown }) => resolution);
  assert.equal(await resolutions(), ['dismissed', null, 'dismissed']);
  await page.unroute(refused);
  await dialog.getByRole('button', { name: 'Dismiss 1 open match of this kind' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await resolutions(), ['dismissed', 'dismissed', 'dismissed']);
  await page.keyboard.press('Control+Enter');
  await eventually('the approval', async () => {
    const { submissionStatus } = await own.detail(submissionId, company.api);
    return submissionStatus === 'approved';
  });
});

test('what was typed is there after a reload, and gone when it is sent, or its person has left', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  const kept = () => page.evaluate('Object.values({ ...sessionStorage })');
  const reloaded = page.getByText('What you typed before the page was loaded again');
  await field(page, 'company').fill('Typed');
  await page.reload();
  await reloaded.waitFor();
  assert.is(await field(page, 'company').inputValue(), 'Typed');
  await assertAccessible(page, 'typed before');
  await page.getByRole('button', { name: 'Discard it' }).click();
  await reloaded.waitFor({ state: 'detached' });
  assert.equal(await kept(), []);
  await field(page, 'company').fill('Sent');
  await page.reload();
  await page.getByRole('button', { name: 'Approve with 1 correction' }).click();
  await lapse(page);
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
  assert.is((await own.detail(id)).extractedData.company, 'Sent');
  await eventually('nothing is kept', async () => String(await kept()) === '');
  const { id: other } = await own.waiting();
  await page.goto(`/console/submissions/${other}`);
  await field(page, 'company').fill('Left');
  // Where nothing of the submission is loaded.
  await page.goto('/console/sessions');
  assert.match(String(await kept()), /Left/);
  await page.getByRole('button', { name: /@/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  assert.equal(await kept(), []);
});

test('an optional field without a value is not doubtful, and a date that none may type has no form', async () => {
  const { id } = await own.waiting({ date: undefined });
  const { page } = await own.open(id, 'auditor');
  await fields(page).waitFor();
  await fields(page).getByText('No value, and none is required').waitFor();
  assert.is(await fields(page).locator('.value.none').count(), 1);
  assert.is(await field(page, 'date').getAttribute('placeholder'), '');
});

test('what could not be read or sent says so only as long as the service can’t be reached', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  await page.locator('pre').waitFor();
  // As an answer that breaks off: what fails otherwise is an error of the page too.
  const broken = { status: 200, contentType: 'application/json', body: '{' };
  let approvals = 0;
  await page.route('**/api/**', (route) => {
    approvals += Number(route.request().url().endsWith('/approve'));
    return route.fulfill(broken);
  });
  await page.route('**/api/auth/methods', (route) => route.fulfill({ status: 502 }));
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await lapse(page);
  const lost = page.getByText('The service could not be reached.');
  await eventually('the approval was sent as often as it is', () => approvals === 3);
  await lost.first().waitFor();
  await page.keyboard.press('u');
  await eventually('both', async () => (await lost.count()) === 2);
  await page.unroute('**/api/**');
  await page.unroute('**/api/auth/methods');
  await page.getByText('The service can be reached again.').waitFor();
  await eventually('no such words', async () => (await lost.count()) === 0);
});

test('selected matches are dismissed together, and the others stay open', async () => {
  const company = await guarded();
  const file = receiptText({ company: 'Selected' });
  for (const name of ['one', 'two', 'three']) await company.api.process([file], { clientSubmissionId: name });
  const { submissionId } = await company.api.process([file]);
  const address = `/console/submissions/${submissionId}?view=matches`;
  const { page } = await own.world.pageOf(company.id, 'reviewer', address);
  const boxes = page.getByRole('checkbox', { name: /^Select The same file: / });
  await boxes.nth(2).waitFor();
  await boxes.nth(0).click();
  await boxes.nth(1).click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Dismiss 2 selected matches' }).waitFor();
  await accessible(page, 'selected matches');
  await page.keyboard.press('D');
  const asked = page.getByRole('dialog', { name: 'Dismiss 2 selected matches' });
  await asked.waitFor();
  await page.keyboard.press('Control+Enter');
  await asked.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Dismiss 2 selected matches' }).waitFor({ state: 'detached' });
  assert.is(await boxes.count(), 1);
  const { fraudMatches } = await own.detail(submissionId, company.api);
  const resolutions = fraudMatches.map(({ resolution }: { resolution: string | null }) => resolution);
  assert.equal(resolutions.filter(Boolean), ['dismissed', 'dismissed']);
  assert.is(resolutions.length, 3);
});
