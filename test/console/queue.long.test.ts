import type { Page, Request } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import { approveWithout } from './submissions.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: queue');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const fraud = { checks: ['duplicate_data'], businessKey: ['company', 'total'], flagAt: 0.1, blockAt: 0.95 };
const always = { ...receiptDefinition, processing: { review: 'always', fraud } };

/** A company of its own, with what waits in its queue, and people who look at it. */
const newCompany = async (members: readonly object[] = []) => {
  const { id, api } = await world.service.company(always);
  const put = async (data: object, slug = 'receipt'): Promise<string> => {
    const { submissionId, submissionStatus } = await api.process([receiptText({ ...data })], {}, slug);
    assert.is(submissionStatus, 'review');
    return submissionId;
  };
  const ids: string[] = [];
  for (const data of members) ids.push(await put(data));
  const open = async (name: string, { role = 'reviewer', at = '/console', ...more }: Opening = {}) => {
    const opened = await world.pageOf(id, role, at, { name, ...more });
    return { ...opened, rows: rowsOf(opened.page) };
  };
  const lease = (submissionId: string): string => `claim/${id} live/${submissionId}`;
  const holders = async () => (await world.people.leases.held(`claim/${id} live/`)).map(({ owner }) => owner);
  return { id, api, ids, put, open, lease, holders };
};
type Opening = Readonly<{ role?: 'reviewer' | 'auditor'; at?: string; clock?: boolean; isHolding?: boolean }>;

/** The rows of the queue as they are read: the first cell, and who has it. */
const rowsOf = (page: Page) => async (): Promise<readonly (readonly string[])[]> => {
  const heads = await page.getByRole('region', { name: 'Queue' }).getByRole('columnheader').allTextContents();
  const found = await page.getByRole('region', { name: 'Queue' }).locator('tbody tr').all();
  const cells = await Promise.all(found.map((row) => row.getByRole('cell').allTextContents()));
  // Before those with a heading there may be one to select the row by.
  return cells
    .map((row) => row.slice(-heads.length))
    .map((row) => [row[0]?.split(' · ')[0] ?? '', row[heads.indexOf('With')] ?? '']);
};
const shows = (what: string, page: Page, expected: readonly (readonly string[])[]) =>
  eventually(what, async () => JSON.stringify(await rowsOf(page)()) === JSON.stringify(expected), 20_000);
const isOpen = (page: Page, id: string) =>
  page.waitForURL((url) => url.pathname.endsWith(`/submissions/${id}`));
const claimed = async (
  what: string,
  { holders }: { holders(): Promise<readonly string[]> },
  by: readonly string[],
) => eventually(what, async () => JSON.stringify(await holders()) === JSON.stringify(by));

test('who reviews begins at the queue: what waits, in two orders, filtered in the address, with counts', async () => {
  const { open } = await newCompany([{ company: 'A' }, { company: 'B', total: undefined }, { company: 'A' }]);
  const { page } = await open('Ann');
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  await page.getByRole('link', { name: 'Queue' }).click();
  await shows('all', page, [
    ['A', ''],
    ['B', ''],
    ['A', ''],
  ]);
  const options = async (label: string) =>
    (await page.getByLabel(label).getByRole('option').allTextContents()).join(', ');
  assert.is(await options('Why'), 'Any (3), Value missing (1), Resembles another (1), Always reviewed (3)');
  assert.is(await options('Fraud'), 'Any (3), No match (2), Flagged (1)');
  assert.is(await options('Workflow'), 'Any (3), Receipt (3)');
  assert.is(await options('Who has it open'), 'Any (3), Nobody (3), You (0), Somebody else (0)');
  await page.keyboard.press('o');
  await page.waitForURL('**/queue?order=riskiest');
  await page.getByLabel('Why').selectOption('missing_required');
  await page.waitForURL('**/queue?order=riskiest&reason=missing_required');
  await shows('one', page, [['B', '']]);
  await page.reload();
  await shows('the same after a reload', page, [['B', '']]);
  await page.goto('/console/queue?fraudStatus=blocked');
  await page.getByText('3 submissions wait, but none like this.').waitFor();
  await assertAccessible(page, 'nothing fits');
  await page.getByRole('link', { name: 'Show all that wait' }).click();
  await shows('all again', page, [
    ['A', ''],
    ['B', ''],
    ['A', ''],
  ]);
});

test('it has no fault of accessibility in both schemes and when narrow', async () => {
  const { open, api, ids } = await newCompany([{ company: 'A' }, { company: 'A' }]);
  const { page } = await open('Ann');
  const other = await open('Bob', { at: `/console/submissions/${ids[0]}` });
  await shows('a claim', page, [
    ['A', 'Bob'],
    ['A', ''],
  ]);
  await accessible(page, 'queue');
  await other.page.close();
  for (const id of ids) await api.post(`/api/v1/submissions/${id}/reject`);
  await page.getByText('Nothing waits for a review').waitFor();
  await assertAccessible(page, 'nothing waits');
});

test('two people see live who has what open, and no two get the same next one', async () => {
  const company = await newCompany([{ company: 'A' }, { company: 'B' }, { company: 'C' }]);
  const { ids, open, put } = company;
  const [ann, bob] = [await open('Ann'), await open('Bob')];
  for (const { page } of [ann, bob])
    await shows('all', page, [
      ['A', ''],
      ['B', ''],
      ['C', ''],
    ]);
  // By key alone: the second row, and open it.
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'j']) await ann.page.keyboard.press(key);
  await ann.page.locator('tr:focus-within', { hasText: 'B' }).waitFor();
  await ann.page.keyboard.press('Enter');
  await isOpen(ann.page, ids[1] ?? '');
  await shows('Ann’s claim', bob.page, [
    ['A', ''],
    ['B', 'Ann'],
    ['C', ''],
  ]);
  await bob.page.keyboard.press('n');
  await isOpen(bob.page, ids[0] ?? '');
  await bob.page.getByRole('button', { name: 'Approve' }).waitFor();
  await bob.page.keyboard.press('n');
  await isOpen(bob.page, ids[2] ?? '');
  await bob.page.getByRole('heading', { level: 1 }).waitFor();
  await claimed('Bob left the first one', company, [ann.userId, bob.userId]);
  await ann.page.keyboard.press('l');
  await shows('Bob’s claim', ann.page, [
    ['A', ''],
    ['B', ''],
    ['C', 'Bob'],
  ]);
  await ann.page.getByLabel('Who has it open').selectOption('others');
  await shows('what others have', ann.page, [['C', 'Bob']]);
  // Whoever opens what another one has is told so.
  await ann.page.keyboard.press('j');
  await ann.page.keyboard.press('Enter');
  await ann.page.getByText('Bob has this open too').waitFor();
  await bob.page.keyboard.press('p');
  await isOpen(bob.page, ids[0] ?? '');
  await bob.page.keyboard.press('l');
  await shows('what Ann has', bob.page, [
    ['A', ''],
    ['B', ''],
    ['C', ''],
  ]);
  await put({ company: 'D' });
  await shows('what has arrived', bob.page, [
    ['A', ''],
    ['B', ''],
    ['C', ''],
    ['D', ''],
  ]);
});

test('a row that somebody decides goes, and leaves the focus to the next', async () => {
  const { api, ids, open } = await newCompany([{ company: 'A' }, { company: 'B' }, { company: 'C' }]);
  const { page } = await open('Ann');
  await shows('all', page, [
    ['A', ''],
    ['B', ''],
    ['C', ''],
  ]);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.locator('tr:focus-within', { hasText: 'B' }).waitFor();
  await api.post(`/api/v1/submissions/${ids[1]}/approve`);
  await page.locator('tr:focus-within', { hasText: 'C' }).waitFor();
});

test('the next one is of the order and filters that one came with, and at the end the queue is shown', async () => {
  const { ids, open } = await newCompany([
    { company: 'A' },
    { company: 'B', total: undefined },
    { company: 'A' },
    { company: 'C', total: undefined },
  ]);
  const { page } = await open('Ann', { at: '/console/queue?reason=missing_required&order=riskiest' });
  await page.getByRole('button', { name: 'Review the next one' }).waitFor();
  await page.keyboard.press('n');
  await isOpen(page, ids[1] ?? '');
  await page.reload();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await approveWithout(page);
  await isOpen(page, ids[3] ?? '');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await approveWithout(page);
  await page.waitForURL('**/queue?order=riskiest&reason=missing_required');
  await page.getByText('2 submissions wait, but none like this.').waitFor();
  await page.keyboard.press('n');
  await page.getByText('Nothing is left to take').waitFor();
});

test('next and back go in the queue’s own order, from wherever a submission was opened', async () => {
  const { ids, open, api } = await newCompany([
    { company: 'A' },
    { company: 'B', total: undefined },
    { company: 'C', total: undefined },
    { company: 'D' },
    { company: 'E', total: undefined },
  ]);
  const [a = '', b = '', c = '', d = '', e = ''] = ids;
  const { page } = await open('Ann');
  const headed = (id: string) =>
    page.getByRole('heading', { name: new RegExp(`^${'ABCDE'[ids.indexOf(id)]} · `) });
  const go = async (key: string, id: string): Promise<void> => {
    await page.keyboard.press(key);
    await headed(id).waitFor();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
  };
  /** Where a page begins with the submission its order is read beside it, and later: back to the first. */
  const back = (id: string) =>
    eventually('the one before it', async () => {
      if ((await headed(id).count()) > 0) return true;
      await page.keyboard.press('p');
      return false;
    });
  // From the queue: C, what is behind it, what is before it, and at the end the first that was not looked at.
  await page.getByRole('link', { name: /^C/ }).click();
  await isOpen(page, c);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await go('n', d);
  await go('p', c);
  await go('p', b);
  for (const id of [c, d, e, a]) await go('n', id);
  await page.keyboard.press('n');
  await page.waitForURL('**/queue');
  // Under the filters, also where the page begins with the submission, and where it is decided.
  await page.goto(`/console/submissions/${c}?queue=order%3Doldest%26reason%3Dmissing_required`);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await back(b);
  await go('n', c);
  await approveWithout(page);
  await headed(e).waitFor();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.keyboard.press('n');
  await page.waitForURL('**/queue?order=oldest&reason=missing_required');
  // By an address alone: the whole queue, oldest first, once it is read.
  await page.goto(`/console/submissions/${b}`);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await back(a);
  await go('n', b);
  await go('n', d);
  await go('p', b);
  // From the list of submissions: its own order.
  assert.is((await api.post(`/api/v1/submissions/${d}/approve`)).status, 200);
  await page.goto('/console/submissions');
  await page.getByRole('link', { name: /^E · / }).click();
  await isOpen(page, e);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await go('n', b);
  await go('p', e);
});

test('a claim is renewed while the page is open, ends when it is left, and its loss is told', async () => {
  const company = await newCompany([{ company: 'A' }]);
  const [id = ''] = company.ids;
  const bob = await world.people.user(company.id, 'reviewer', 'Bob');
  const { page, userId } = await company.open('Ann', { at: `/console/submissions/${id}`, clock: true });
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await claimed('the claim', company, [userId]);
  const remaining = async (): Promise<number> =>
    (await world.people.leases.held(company.lease(id)))[0]?.remainingMs ?? 0;
  const before = await remaining();
  // A renewal is left out while the page awaits the answer to the one before.
  const afterRenewals = (what: string, holds: () => Promise<boolean>) =>
    eventually(what, async () => {
      await page.clock.runFor(41_000);
      for (let tries = 0; tries < 30; tries += 1) {
        if (await holds()) return true;
        await page.waitForTimeout(100);
      }
      return false;
    });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await afterRenewals('the renewal', async () => (await remaining()) > before - 500);
  await world.people.leases.take(company.lease(id), bob.userId, 120_000);
  await afterRenewals('the loss is told', () =>
    page.getByText('Bob has this open now: your claim had ended').isVisible(),
  );
  await assertAccessible(page, 'a lost claim');
  await bob.api.call('DELETE', `/api/v1/submissions/${id}/claim`);
  await afterRenewals('the claim is free', () => page.getByText('Bob has this open now').isHidden());
  await claimed('the claim again', company, [userId]);
  // Who is away for a quarter of an hour has nothing open; who comes back has.
  await page.clock.fastForward('16:00');
  await claimed('nobody is there', company, []);
  const back = page.waitForResponse((answer) => answer.url().endsWith('/claim'));
  await page.mouse.move(10, 10);
  await back;
  await claimed('back again', company, [userId]);
  await page.goto('about:blank');
  await claimed('the page was left', company, []);
});

test('a claim ends with the log-out', async () => {
  const company = await newCompany([{ company: 'A' }]);
  const [id = ''] = company.ids;
  const { page, userId } = await company.open('Ann', { at: `/console/submissions/${id}` });
  await claimed('the claim', company, [userId]);
  await page.getByRole('button', { name: 'Ann' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  await claimed('the log-out', company, []);
});

test('of two tabs of a person the one that closes leaves the claim to the other', async () => {
  const company = await newCompany([{ company: 'A' }]);
  const [id = ''] = company.ids;
  const { page, userId, context } = await company.open('Ann', { at: `/console/submissions/${id}` });
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  const second = await context.newPage();
  await second.goto(`/console/submissions/${id}`);
  await second.getByRole('button', { name: 'Approve' }).waitFor();
  await claimed('the claim', company, [userId]);
  const released = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/claim'),
  );
  await second.goto('about:blank');
  await released;
  await claimed('the other tab has it', company, [userId]);
  // What one tab decides the other one says, instead of deciding again.
  await second.goto(`/console/submissions/${id}`);
  await second.getByRole('button', { name: 'Approve' }).waitFor();
  await second.keyboard.press('Control+Enter');
  await second.getByText('Nothing else waits').waitFor();
  await page.getByText('Approved: Ann').waitFor();
});

test('it is read again by itself after an outage, which is told, and not while nobody looks', async () => {
  const { open, put } = await newCompany([{ company: 'A' }]);
  const { page } = await open('Ann');
  await shows('one', page, [['A', '']]);
  const waiting = new Set<Request>();
  let most = 0;
  page.on('request', (request) => {
    if (request.url().includes('wait=')) waiting.add(request);
    most = Math.max(most, waiting.size);
  });
  page.on('requestfinished', (request) => void waiting.delete(request));
  page.on('requestfailed', (request) => void waiting.delete(request));
  await page.route('**/api/v1/review-queue?*', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' }),
  );
  await put({ company: 'B' });
  await page.getByText('The queue is not up to date: it is read again by itself').waitFor();
  await assertAccessible(page, 'an outage');
  await page.unroute('**/api/v1/review-queue?*');
  await shows('it is back', page, [
    ['A', ''],
    ['B', ''],
  ]);
  await page.getByText('The queue is not up to date').waitFor({ state: 'detached' });
  const turn = (state: string) =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
       document.dispatchEvent(new Event('visibilitychange'))`,
    );
  await eventually('it waits', async () => waiting.size === 1);
  await turn('hidden');
  await eventually('it waits no more', async () => waiting.size === 0);
  await put({ company: 'C' });
  assert.is((await rowsOf(page)()).length, 2);
  await turn('visible');
  await shows('what came meanwhile', page, [
    ['A', ''],
    ['B', ''],
    ['C', ''],
  ]);
  assert.is(most, 1, 'one poll at once');
});

test('an auditor sees what waits, and can take nothing', async () => {
  const { open } = await newCompany([{ company: 'A' }]);
  const { page } = await open('Eve', { role: 'auditor' });
  await page.getByRole('heading', { name: 'Submissions' }).waitFor();
  await page.getByRole('link', { name: 'Queue' }).click();
  await eventually('the row', async () => (await rowsOf(page)()).length === 1);
  assert.is(await page.getByRole('button', { name: 'Review the next one' }).count(), 0);
  assert.is(await page.getByLabel('Who has it open').count(), 0);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Queue' }).waitFor({ state: 'detached' });
  await page.getByText('Total').first().waitFor();
  assert.is(await page.getByRole('button', { name: 'Approve' }).count(), 0);
});

test('two people must decide: the first is told before, and the second what the first decided', async () => {
  const company = await newCompany();
  await world.service.publish({
    ...always,
    slug: 'pairs',
    name: 'Pairs',
    processing: { review: 'always', fourEyes: ['approved', 'rejected'] },
  });
  await world.service.intake('workflow', 'assign', 'pairs', '--company', company.id);
  const id = await company.put({ company: 'A' }, 'pairs');
  const [ann, bob] = [await company.open('Ann'), await company.open('Bob')];
  await shows('it waits', ann.page, [['A', '']]);
  await ann.page.keyboard.press('n');
  await isOpen(ann.page, id);
  await ann.page.getByText('Two people must make an approval or a rejection here').waitFor();
  await ann.page.keyboard.press('r');
  await ann.page.getByText('A second person must reject it too').waitFor();
  await ann.page.keyboard.press('Escape');
  await ann.page.keyboard.press('Control+Enter');
  await ann.page.waitForURL('**/queue');
  await shows('it waits for another', ann.page, [['A', 'Waits for a second person']]);
  await ann.page.keyboard.press('n');
  await ann.page.getByText('Nothing is left to take').waitFor();
  await shows('it waits for Bob', bob.page, [['A', 'First decision made']]);
  await bob.page.keyboard.press('n');
  await isOpen(bob.page, id);
  await bob.page.getByText('Approved by Ann, as the first of two people').waitFor();
  await bob.page.getByText('Decide the same to complete it').waitFor();
  await assertAccessible(bob.page, 'a second decision');
  await bob.page.keyboard.press('Control+Enter');
  await bob.page.getByText('Nothing waits for a review').waitFor();
  const { body } = await company.api.get(`/api/v1/submissions/${id}`);
  assert.equal([body.submissionStatus, body.firstDecision.by], ['approved', `user:${ann.userId}`]);
});
