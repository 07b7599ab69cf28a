import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import { field, fields, lapse, reviewed, type Submissions, startSubmissions } from './submissions.ts';

const test = browserSuite('console: what reviewers share of a submission');
let own: Submissions;
test.before(async () => {
  own = await startSubmissions();
});
test.after(() => own.world.close());

const team = (page: Page) => page.getByRole('region', { name: 'Team' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const NOTE = 'Write a note on this submission';
const ASSIGN = 'Who is to review this submission?';
const LATER = 'Put this review off?';

test('a note is written by a key, others see it, and the next decision is made on what is there then', async () => {
  const { id } = await own.waiting();
  const { page, userId } = await own.open(id);
  await field(page, 'company').fill('Typed before');
  await fields(page).press('Escape');
  await page.locator('h1').focus();
  await page.keyboard.press('i');
  await dialog(page, NOTE).getByLabel('Note').fill('The branch sends\nthe second page');
  await assertAccessible(page, 'a note that is written');
  await page.keyboard.press('Control+Enter');
  await dialog(page, NOTE).waitFor({ state: 'detached' });
  await page.getByRole('list', { name: 'Notes' }).getByText('the second page').waitFor();
  const { notes } = await own.detail(id);
  assert.equal(
    notes.map(({ actor, text }: { actor: string; text: string }) => [actor, text]),
    [[`user:${userId}`, 'The branch sends\nthe second page']],
  );
  await accessible(page, 'a submission with a note');
  assert.is(await field(page, 'company').inputValue(), 'Typed before');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await eventually('approved', async () => (await own.detail(id)).submissionStatus === 'approved');
  const { page: other } = await own.open(id, 'auditor');
  await team(other).getByText('the second page').waitFor();
  assert.is(await team(other).getByRole('button').count(), 0);
  await other.keyboard.press('?');
  const keys = dialog(other, 'Keys');
  await keys.waitFor();
  assert.is(await keys.getByText('Write a note').count(), 0);
});

test('a review is given to the person, to a colleague who may decide, and to nobody', async () => {
  const company = await own.world.service.company(reviewed);
  const { submissionId } = await company.api.process([receiptText()]);
  const bea = await own.world.people.user(company.id, 'reviewer', 'Bea');
  await own.world.people.user(company.id, 'auditor', 'Carl');
  const address = `/console/submissions/${submissionId}`;
  const { page, userId } = await own.world.pageOf(company.id, 'reviewer', address, { name: 'Ann' });
  await fields(page).waitFor();
  const assignee = async () => (await own.detail(submissionId, company.api)).assignee;
  await page.keyboard.press('g');
  await page.keyboard.press('Control+Enter');
  await team(page).getByText('Assigned to: You').waitFor();
  assert.is(await assignee(), userId);
  await page.keyboard.press('g');
  const choice = dialog(page, ASSIGN).getByLabel('Assigned to');
  await choice.locator('option', { hasText: 'Bea' }).waitFor({ state: 'attached' });
  assert.equal(await choice.locator('option').allTextContents(), ['Nobody in particular', 'You', 'Bea']);
  await assertAccessible(page, 'a review that is assigned');
  assert.is(await dialog(page, ASSIGN).getByRole('button', { name: 'Assign' }).isDisabled(), true);
  await choice.selectOption({ label: 'Bea' });
  await dialog(page, ASSIGN).getByRole('button', { name: 'Assign' }).click();
  await team(page).getByText('Assigned to: Bea').waitFor();
  assert.is(await assignee(), bea.userId);
  await team(page).getByRole('button', { name: 'Assign' }).click();
  assert.is(await choice.inputValue(), bea.userId);
  await choice.selectOption('');
  await page.keyboard.press('Control+Enter');
  await team(page).getByText('Assigned to: Bea').waitFor({ state: 'detached' });
  assert.is(await assignee(), null);
});

test('a review that is put off opens the next, says until when and why, and is made due', async () => {
  const company = await own.world.service.company(reviewed);
  const ids: string[] = [];
  for (const clientSubmissionId of ['A', 'B'])
    ids.push(
      (await company.api.process([receiptText({ company: clientSubmissionId })], { clientSubmissionId }))
        .submissionId,
    );
  const [first = '', second = ''] = ids;
  const { page } = await own.world.pageOf(company.id, 'reviewer', `/console/submissions/${first}`);
  await field(page, 'company').fill('Typed');
  await page.locator('h1').focus();
  await page.keyboard.press('s');
  const later = dialog(page, LATER);
  assert.is(await later.getByRole('button', { name: 'Put it off' }).isDisabled(), true);
  await later.getByLabel('Why, for others who review').fill('The branch is closed');
  await later.getByLabel('Another time').check();
  assert.is(await later.getByRole('button', { name: 'Put it off' }).isDisabled(), true);
  await later.getByLabel('Time, at most 90 days ahead').fill('2026-01-01T08:00');
  await assertAccessible(page, 'a review that is put off');
  await later.getByRole('button', { name: 'Put it off' }).click();
  await later.getByRole('alert').waitFor();
  await later.getByLabel('Tomorrow, 8:00').check();
  const until = await later
    .locator('label', { hasText: 'Tomorrow' })
    .locator('time')
    .getAttribute('datetime');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(`**/${second}*`);
  const postponed = async () => (await own.detail(first, company.api)).postponed;
  assert.is((await postponed()).until, until);
  await page.goto(`/console/submissions/${first}`);
  await team(page).getByText('The branch is closed').waitFor();
  assert.is(await field(page, 'company').inputValue(), 'Typed');
  await accessible(page, 'a submission that is put off');
  await team(page).getByRole('button', { name: 'Due now' }).click();
  await team(page).getByText('The branch is closed').waitFor({ state: 'detached' });
  assert.is(await postponed(), null);
});

test('the navigation counts what is due, and what is for the person, on every screen while it is in view', async () => {
  const company = await own.world.service.company(reviewed);
  const ids: string[] = [];
  for (const name of ['A', 'B', 'C'])
    ids.push((await company.api.process([receiptText({ company: name })])).submissionId);
  const [first, second] = ids;
  const { page, userId } = await own.world.pageOf(company.id, 'reviewer', '/console/queue');
  const entry = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Queue' });
  await entry.getByText('3 wait', { exact: true }).waitFor();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const share = (id = '', what: string, body: object) =>
    company.api.call('PUT', `/api/v1/submissions/${id}/${what}`, { body });
  assert.is((await share(first, 'postponement', { until, reason: 'Closed' })).status, 200);
  assert.is((await share(second, 'assignee', { assignee: userId })).status, 200);
  await entry.getByText('2 wait, 1 for you').waitFor();
  await assertAccessible(page, 'counts in the navigation');
  await page.clock.install();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const polls = (): number => asked.filter((url) => /\/review-queue\?limit=1&/.test(url)).length;
  await page.goto('/console/batches');
  await entry.getByText('2 wait, 1 for you').waitFor();
  assert.is(polls(), 1);
  const show = (state: string) =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await show('hidden');
  await page.clock.runFor(300_000);
  await show('visible');
  assert.is((await company.api.post(`/api/v1/submissions/${second}/approve`, {})).status, 200);
  await page.clock.runFor(61_000);
  await entry.getByText('1 waits', { exact: true }).waitFor();
  assert.is(polls(), 2);
});

test('the navigation counts what the person decided today, in the zone of their times', async () => {
  const company = await own.world.service.company(reviewed);
  const ids: string[] = [];
  for (const name of ['A', 'B', 'C'])
    ids.push((await company.api.process([receiptText({ company: name })])).submissionId);
  const [first, second, third] = ids;
  const { page, api } = await own.world.pageOf(company.id, 'reviewer', '/console/queue');
  const entry = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Queue' });
  await entry.getByText('3 wait', { exact: true }).waitFor();
  assert.is((await api.post(`/api/v1/submissions/${first}/approve`, {})).status, 200);
  await entry.getByText('2 wait, 1 decided today', { exact: true }).waitFor();
  assert.is((await company.api.post(`/api/v1/submissions/${second}/approve`, {})).status, 200);
  await entry.getByText('1 waits, 1 decided today', { exact: true }).waitFor();
  assert.is((await api.post(`/api/v1/submissions/${third}/reject`, {})).status, 200);
  await entry.getByText('2 decided today', { exact: true }).waitFor();
  await assertAccessible(page, 'decisions in the navigation');
  // Where it is tomorrow already, nothing was decided yet.
  const asked = page.waitForRequest((request) => /limit=1&.*decidedSince=/.test(request.url()));
  await page.clock.setFixedTime(Date.now() + 86_400_000);
  await page.goto('/console/batches');
  const since = new URL((await asked).url()).searchParams.get('decidedSince') ?? '';
  assert.ok(Date.parse(since) > Date.now(), since);
  await entry.waitFor();
  await entry.getByText('decided today').waitFor({ state: 'detached' });
});
