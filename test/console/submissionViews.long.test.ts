import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { PASSWORD } from '../support/people.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import { field, type Submissions, startSubmissions } from './submissions.ts';

const test = browserSuite('console: matches, timeline and evidence');
let own: Submissions;
test.before(async () => {
  own = await startSubmissions();
});
test.after(() => own.world.close());

test('a match is shown beside what it resembles, and judged there', async () => {
  const { name } = await own.waiting({ company: 'Twin', total: 77, date: '2018-01-01' });
  const { id } = await own.waiting({ company: 'Twin', total: 77, date: '2018-01-02' });
  const { page } = await own.open(id, 'reviewer', '?view=matches');
  await page.getByRole('row', { name: /^date 2018-01-02 2018-01-01 Differs/ }).waitFor();
  await page.getByRole('row', { name: /^company compared Twin Twin Same/ }).waitFor();
  await page.getByRole('button', { name: new RegExp(`^The same data: Twin · .* ${name}`) }).waitFor();
  await page.getByRole('region', { name: 'The earlier one' }).getByText('2018-01-01').waitFor();
  await accessible(page, 'matches');
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByLabel('Comment').fill('a new purchase');
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss the match' }).click();
  await page.locator('.choices').getByText('Dismissed').waitFor();
  assert.is((await own.detail(id)).fraudMatches[0].resolution, 'dismissed');
});

test('a match that another judged meanwhile says so, and is judged on what is known then', async () => {
  await own.waiting({ company: 'Twice', total: 78, date: '2018-01-01' });
  const { id } = await own.waiting({ company: 'Twice', total: 78, date: '2018-01-02' });
  const { page } = await own.open(id, 'reviewer', '?view=matches');
  await page.getByRole('button', { name: 'Confirm as fraud' }).waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Confirm as fraud' });
  await dialog.getByLabel('Comment').fill('the same receipt');
  const other = await own.world.people.user(own.company.id, 'reviewer');
  const [{ id: match }] = (await own.detail(id)).fraudMatches;
  const path = `/api/v1/submissions/${id}/fraud-matches/${match}/resolve`;
  assert.is((await other.api.post(path, { resolution: 'dismissed' })).status, 200);
  await dialog.getByRole('button', { name: 'Confirm as fraud' }).click();
  await dialog.getByText(`A match was judged: ${other.userId}`).waitFor();
  await dialog.getByText('Somebody changed it meanwhile').waitFor();
  await assertAccessible(page, 'judged meanwhile');
  assert.is((await own.detail(id)).fraudMatches[0].resolution, 'dismissed');
  assert.is(await dialog.getByLabel('Comment').inputValue(), 'the same receipt');
  await dialog.getByRole('button', { name: 'Confirm as fraud' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.is((await own.detail(id)).fraudMatches[0].resolution, 'confirmed');
});

test('the timeline shows who did what, and the submission as it was then', async () => {
  const { id } = await own.waiting();
  const email = own.world.people.newEmail();
  const { token } = await own.world.people.invite(email, own.company.id, 'reviewer');
  const completed = await own.world.people.complete(token, PASSWORD, { name: 'Ada Lovelace' });
  assert.is(completed.status, 201, completed.text);
  const { page } = await own.world.logInAs(email);
  await page.goto(`/console/submissions/${id}`);
  await field(page, 'company').fill('Now');
  await page.keyboard.press('Control+Enter');
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
  await page.goto(`/console/submissions/${id}?view=timeline`);
  const slider = page.getByRole('slider', { name: 'As it was after' });
  await slider.waitFor();
  const approved = page.getByRole('listitem').filter({ hasText: 'Approved' });
  await approved.getByText('Ada Lovelace').waitFor();
  await page.getByText('front, application/json', { exact: true }).waitFor();
  await approved.getByText(/company: Company \d+ → Now/).waitFor();
  await approved.getByText('Request and cause').click();
  await approved.getByText(/request req_|request [\w-]{8,}/).waitFor();
  await page.getByRole('row', { name: /company Now/ }).waitFor();
  assert.is(await slider.getAttribute('aria-valuetext'), '6: Approved');
  await page.goto(`/console/submissions/${id}?view=timeline&at=6`);
  await page.getByRole('row', { name: /company Now was Company \d+/ }).waitFor();
  await page.getByText('was To review').waitFor();
  await accessible(page, 'timeline, as it was');
  await slider.focus();
  for (const revision of [5, 4, 3]) {
    await page.keyboard.press('ArrowLeft');
    await page.getByText(`as it was after event ${revision}`).waitFor();
    assert.is(await page.evaluate('document.activeElement.type'), 'range', 'the slider keeps the focus');
  }
  await page.getByText('Processing', { exact: true }).first().waitFor();
  for (const _ of [4, 5]) await page.keyboard.press('ArrowRight');
  await page.getByRole('row', { name: /company Company/ }).waitFor();
  assert.is(await page.getByRole('button', { name: /^Approve( with|$)/ }).count(), 0);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByRole('row', { name: /company Now/ }).waitFor();
  await accessible(page, 'timeline');
});

test('a past that can’t be read is not shown as what is now; a key leads back to what can be decided', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  const past = /submissions\/[^/]+(\/result)?\?at=/;
  const body = JSON.stringify({ title: 'Unavailable', detail: 'Not now.', code: 'unavailable', status: 503 });
  await page.route(past, (route) => route.fulfill({ status: 503, contentType: 'application/json', body }));
  await page.goto(`/console/submissions/${id}?view=timeline&at=1`);
  await page.getByRole('alert').filter({ hasText: 'Not now.' }).waitFor();
  assert.is(await page.getByRole('row').count(), 0);
  await page.unroute(past);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row').first().waitFor();
  await page.keyboard.press('1');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
});

test('deliveries are shown with their attempts, and sent again by those who may', async () => {
  const webhookUrl = `${own.world.service.receiver.url}/told`;
  const { id } = await own.waiting({}, { webhookUrl });
  const told = () => own.world.service.receiver.requests.filter(({ path }) => path === '/told').length;
  await eventually('the delivery', () => told() === 1);
  const { page } = await own.open(id, 'org_admin', '?view=timeline');
  const item = page.getByRole('listitem').filter({ hasText: 'session.review_required' });
  await item.getByText('accepted (200)').waitFor();
  await accessible(page, 'deliveries');
  await item.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await eventually('the second one', () => told() === 2);
  const { page: readers } = await own.open(id, 'auditor', '?view=timeline');
  await readers.getByText('session.review_required').waitFor();
  assert.is(await readers.getByRole('button', { name: 'Send again' }).count(), 0);
});

test('evidence is saved, holds by the public key, and its export is told', async () => {
  const { id } = await own.waiting();
  const { page, userId } = await own.open(id, 'auditor', '?view=timeline');
  await page.getByText('Nobody has exported it yet.').waitFor();
  const saved = page.waitForEvent('download');
  await page.keyboard.press('e');
  const download = await saved;
  assert.is(download.suggestedFilename(), `evidence-${id}.zip`);
  assert.equal(await own.verified(readFileSync(await download.path())), []);
  const exports = page.getByRole('region', { name: 'Exports of the evidence' });
  await exports.getByRole('listitem').getByText(userId).waitFor();
  await accessible(page, 'exports');
  const { page: reviewers } = await own.open(id, 'reviewer', '?view=timeline');
  await reviewers.getByRole('heading', { name: 'What receivers were told' }).waitFor();
  assert.is(await reviewers.getByText(/the evidence/).count(), 0);
});
