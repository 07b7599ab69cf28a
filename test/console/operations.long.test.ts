import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { Recorded } from '../../kernel/event.ts';
import { QUARANTINE } from '../../projections/engine/quarantine.ts';
import { setAside } from '../../reactors/engine/setAside.ts';
import type { Core } from '../../runtime/wire.ts';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { openCore } from '../support/core.ts';
import { appendForeign } from '../support/foreign.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: operations');
let world: World;
let core: Core;
let submissionId: string;
test.before(async () => {
  const answer = ({ path }: { path: string }) => ({ status: path === '/failing' ? 500 : 200 });
  world = await startWorld({ WEBHOOK_RETRY_DELAYS: '20ms' }, { answer });
  core = await openCore(world.service.config);
  const { api } = await world.service.company();
  ({ submissionId } = await api.process([receiptText()]));
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await core.close();
  await world.close();
});

/** Shows the screen to a super_admin; closed afterwards, since a page in view asks on and on. */
const onScreen = (body: (page: Page) => Promise<void>) => async (): Promise<void> => {
  const { page, context } = await world.pageOf(null, 'super_admin', '/console/operations');
  await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
  await row(page, 'Read models', 'submissions').waitFor();
  await body(page);
  await context.close();
};
const row = (page: Page, table: string, name: string) =>
  page
    .getByRole('table')
    .and(page.locator(`section[aria-label="${table}"] table`))
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });

/** Does `body` while another process holds the lease of rebuilds. */
const whileRebuilding = async (body: () => Promise<void>): Promise<void> => {
  const { leases } = core.documents;
  const fence = await eventually('no other rebuild runs', () =>
    leases.acquire('rebuild', 'the command line', 120_000),
  );
  await body().finally(() => leases.release(fence));
};

test(
  'a super_admin sees how the service runs, in both schemes and when narrow',
  onScreen(async (page) => {
    await page.getByRole('link', { name: 'Operations' }).and(page.locator('[aria-current]')).waitFor();
    await row(page, 'Read models', 'submissions').getByText('Live').waitFor();
    await row(page, 'Queues', 'Processing').waitFor();
    await row(page, 'Read models', 'reviewQueue').getByText('The queue of reviews').waitFor();
    await row(page, 'Parts', 'Event log').getByText('Usable').waitFor();
    await page.getByText('All is well.').waitFor();
    await page.getByRole('region', { name: 'Processes' }).getByText('Running').first().waitFor();
    await page.getByRole('region', { name: 'Leases' }).getByText('reactor:requestDeliveries').waitFor();
    await accessible(page, 'operations');
  }),
);

test(
  'plots say in words and in a table what they draw [operations-21]',
  onScreen(async (page) => {
    const plot = page.locator('figure').filter({ has: page.getByRole('heading', { name: 'Submissions' }) });
    await plot
      .getByRole('img', { name: /^Submissions submitted: \d+ in the last minute, 1 at most\./ })
      .waitFor();
    assert.is(await page.getByRole('img').count(), 6);
    await page.locator('figure').last().locator('li').nth(4).waitFor();
    const lines =
      (await page.evaluate(`[...[...document.querySelectorAll('figure')].at(-1).querySelectorAll('li path')]
      .map((line) => getComputedStyle(line).stroke + ' ' + getComputedStyle(line).strokeDasharray)`)) as string[];
    assert.is(new Set(lines).size, lines.length, lines.join('; '));
    await plot.locator('summary').focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('region', { name: 'Submissions, minute by minute' });
    await table.waitFor();
    assert.is(await table.getByRole('row').count(), 61);
    assert.equal(await table.getByRole('columnheader').allTextContents(), [
      ...['Minute', 'submitted', 'processed', 'decided'],
    ]);
    await assertAccessible(page, 'values');
  }),
);

test('a rebuild is asked for once, shows how far it is, and says how it ended [operations-17]', () =>
  whileRebuilding(
    onScreen(async (page) => {
      await page.getByRole('button', { name: 'Rebuild submissions', exact: true }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Rebuild this read model?' });
      await dialog.getByLabel('Begin at the first event').check();
      await assertAccessible(page, 'rebuild');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await core.tasks.list(), []);
      await page.getByRole('button', { name: 'Rebuild submissions', exact: true }).click();
      await dialog.getByRole('button', { name: 'Rebuild' }).click();
      const progress = row(page, 'Read models', 'submissions');
      await progress.getByText('waits for another rebuild').waitFor();
      assert.is(await progress.getByRole('button').count(), 0);
      await assertAccessible(page, 'a rebuild under way');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('status').getByText('Rebuild: Cancelled').waitFor();
      await page.getByRole('button', { name: 'Rebuild submissions', exact: true }).waitFor();
    }),
  ));

test(
  'all read models are rebuilt, and what was compared is shown',
  onScreen(async (page) => {
    await page.getByRole('button', { name: 'Rebuild all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
    await page.getByRole('status').getByText('Rebuild: Done').waitFor({ timeout: 60_000 });
    const done = page.getByRole('region', { name: 'Rebuilds and retries' }).getByRole('row').nth(1);
    await done.getByText('the same as before').waitFor();
  }),
);

test(
  'a parked event that can be read by now offers the rebuild that it waits for, and no other one does',
  onScreen(async (page) => {
    const parked = {
      type: 'SubmissionBlessed',
      version: 1,
      stream: 'submission-x',
      revision: 1,
      position: '1',
    };
    const [known, unknown] = ['01hv6x3m8q2r5t7w9y0a1b2c3d', '01hv6x3m8q2r5t7w9y0a1b2c3e'];
    const data = [
      { ...parked, eventId: known, reason: 'awaits-rebuild' },
      { ...parked, eventId: unknown, reason: 'unknown-type' },
    ];
    const json = { data, pagination: { hasMore: false, nextCursor: null } };
    await page.route('**/operations/parked*', (route) => route.fulfill({ json }));
    await page.reload();
    const other = page.getByRole('row').filter({ hasText: unknown });
    await other.waitFor();
    assert.is(await other.getByRole('button').count(), 0);
    await page.getByRole('button', { name: `Rebuild ${known}` }).click();
    const dialog = page.getByRole('dialog', { name: /^Rebuild \d+ read models\?$/ });
    await accessible(page, 'a rebuild of what waits');
    const asked = page.waitForRequest((request) => request.url().endsWith('/projections/rebuild'));
    await dialog.getByRole('button', { name: 'Rebuild' }).click();
    assert.ok((await asked).postDataJSON().projections.includes('submissions'));
    await page.getByRole('status').getByText('Rebuild: Done').waitFor({ timeout: 60_000 });
  }),
);

test('a rebuild that somebody else has begun meanwhile is named, with what to do', () =>
  whileRebuilding(
    onScreen(async (page) => {
      const { api } = await world.people.user();
      await page.getByRole('button', { name: 'Rebuild users' }).click();
      const { body } = await api.post('/api/v1/operations/projections/rebuild', { projections: ['users'] });
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Rebuild' }).click();
      const problem = dialog.getByRole('alert');
      await problem.getByText(body.taskId).waitFor();
      await problem.getByText('Wait for the one under way, or cancel it.').waitFor();
      await api.post(`/api/v1/operations/tasks/${body.taskId}/cancel`);
    }),
  ));

test(
  'what stands still is shown with its reason, and retried [operations-18]',
  onScreen(async (page) => {
    const { events } = await core.log.load(submissionStream(submissionId));
    const event = events.find(({ type }) => type === 'SubmissionProcessed') as Recorded;
    const { tables, models } = core.documents;
    const gone = core.ids.event();
    await setAside(tables, 'requestDeliveries', event, new Error('away'));
    await setAside(tables, 'finishInvitations', { ...event, id: gone }, new Error('away'));
    const collection = await models.alias('submissions');
    await tables.insert(QUARANTINE, `${collection}/${submissionId}`, {
      ...{ projection: 'submissions', collection, eventId: event.id, after: null, key: submissionId },
      ...{ position: event.position, error: 'Error: no total' },
    });
    await appendForeign(core, submissionStream(submissionId), { type: 'SubmissionPraised', data: {} });
    await row(page, 'Parked events', 'SubmissionPraised, version 1').getByText('newer release').waitFor();
    await row(page, 'Read models', 'submissions').getByText('1 quarantined').waitFor();
    await assertAccessible(page, 'with what stands still');
    await page.getByRole('button', { name: '1 event is parked.' }).waitFor();
    await page.getByRole('button', { name: '1 document is quarantined.' }).click();
    await page
      .locator(':focus')
      .and(page.getByRole('heading', { name: 'Quarantined documents' }))
      .waitFor();
    await page.getByRole('button', { name: `Retry ${submissionId}` }).press('Enter');
    await page.getByText('No document is quarantined.').waitFor();
    await page.getByText('1 released, 0 failed again').waitFor();
    await page.getByRole('button', { name: `Retry requestDeliveries ${event.id}` }).click();
    await page.getByText('It was done, and is set aside no longer.').waitFor();
    await page.getByRole('button', { name: `Retry finishInvitations ${gone}` }).click();
    await page
      .getByRole('alert')
      .getByText(`It failed again: Error: the log gives no event ${gone}`)
      .waitFor();
  }),
);

test(
  'a part that can’t be used is shown at once, and its outage afterwards [operations-20]',
  onScreen(async (page) => {
    await page.getByText('There was none.').waitFor();
    const folder = join(world.service.dataDir, 'objects');
    renameSync(folder, `${folder}.away`);
    await row(page, 'Parts', 'Files')
      .getByText('Unusable')
      .waitFor()
      .then(() => page.getByRole('button', { name: '1 part can’t be used.' }).waitFor())
      .finally(() => renameSync(`${folder}.away`, folder));
    await row(page, 'Parts', 'Files').getByText('Usable').waitFor();
    await row(page, 'Outages', 'Files').waitFor();
  }),
);

test(
  'nothing is asked for while nobody looks; without an answer the last one stays, and why',
  onScreen(async (page) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const show = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
    await show('hidden');
    await eventually('silence', async () => {
      const before = asked.length;
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      return asked.length === before;
    });
    const detail = 'The read models can’t be used now.';
    const json = { code: 'unavailable', title: 'Unavailable', detail, retryable: true, requestId: '' };
    await page.route('**/operations/queues*', (route) => route.fulfill({ status: 503, json }));
    await show('visible');
    const problem = page.getByRole('alert').filter({ hasText: detail });
    await problem.waitFor();
    assert.is(await row(page, 'Queues', 'Processing').count(), 1);
    await page.unroute('**/operations/queues*');
    await problem.waitFor({ state: 'detached' });
  }),
);

test('it is for super_admins alone [operations-15]', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(id, 'org_admin', '/console/operations');
  await page.getByRole('heading', { name: 'Not for your role' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Operations' }).count(), 0);
});

test('receivers at which webhooks of a company fail lead to its deliveries [deliveries-21]', async () => {
  const { id, api } = await world.service.company();
  const { receiver } = world.service;
  await api.process([receiptText()], { webhookUrl: `${receiver.url}/failing` });
  const { page, context } = await world.pageOf(null, 'super_admin', '/console/operations');
  const failing = row(page, 'Failing receivers', new URL(receiver.url).host);
  await failing.getByRole('link').click();
  await page.waitForURL((url) => url.searchParams.get('company') === id);
  await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
  await page.getByRole('row').getByText('Failed').waitFor();
  await context.close();
});
