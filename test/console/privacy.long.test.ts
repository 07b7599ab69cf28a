import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { roles } from '../../cli/runtime.ts';
import { openPackage } from '../../evidence/package/open.ts';
import { serve } from '../../runtime/serve.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { eventually } from '../harness.ts';
import { client, receiptText } from '../support/client.ts';
import { keptReader } from '../support/keptReader.ts';
import { testSettings } from '../support/service.ts';
import { createTenant } from '../support/tenant.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: privacy');
const DAY_MS = 86_400_000;
const dataDir = mkdtempSync(join(tmpdir(), 'intake-privacy-'));
let world: World;
let tenant: Awaited<ReturnType<typeof createTenant>>;
let old: string;

test.before(async () => {
  const settings = testSettings(dataDir);
  tenant = await createTenant(settings);
  // What is due: a hundred days before now.
  const clock = { now: () => new Date(Date.now() - 100 * DAY_MS) };
  const before = await serve(readConfig(settings), roles, undefined, keptReader, clock);
  const api = client(before.url ?? '', tenant.key);
  old = (await api.process([receiptText()])).submissionId;
  await before.close();
  world = await startWorld({ DATA_DIR: dataDir, SWEEP: '1s' });
});
test.after(async () => {
  await world.close();
  rmSync(dataDir, { recursive: true });
});

const api = () => client(world.service.url, tenant.key);
const redactionOf = async (id: string) => (await api().get(`/api/v1/submissions/${id}`)).body.redaction;
const admin = (query = '') => world.pageOf(tenant.companyId, 'org_admin', `/console/privacy${query}`);

test('an administrator finds what belongs to a person, exports it, and redacts all but what is held', async () => {
  const made: string[] = [];
  for (const customer of ['4711', '4711', '4712'])
    made.push((await api().process([receiptText()], { metadata: { customer } })).submissionId);
  const [gone = '', held = '', foreign = ''] = made;
  const hold = `/api/v1/submissions/${held}/legal-hold`;
  assert.is((await api().post(hold, { reason: 'proceedings' })).status, 200);
  const { page } = await admin();
  await page.getByLabel('Member of the metadata').fill('customer');
  const find = page.getByRole('button', { name: 'Find' });
  assert.is(await find.isEnabled(), false);
  await page.getByLabel('Its value').fill('4711');
  await find.click();
  const found = page.getByRole('region', { name: 'Submissions of this person' });
  await found.getByText('Legal hold').waitFor();
  assert.is(await found.locator('[data-row]').count(), 2);
  assert.not.match(page.url(), '4711');
  await accessible(page, 'a person');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export all' }).click();
  const source = await openPackage(await (await saved).path());
  const names = [...source.entries, ...source.unexpected].map(({ path }) => path);
  await source.close();
  const wanted = [gone, held].flatMap((id) =>
    ['submission.json', 'events.json', 'evidence.zip'].map((name) => `${id}/${name}`),
  );
  assert.equal(names.sort(), wanted.sort());

  await page.getByRole('button', { name: 'Redact all' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Erasure request, article 17');
  await dialog.getByLabel('Asked for by').fill('ticket 4712');
  const act = dialog.getByRole('button', { name: 'Redact for ever' });
  await dialog.getByLabel('Type customer=4711 to confirm').fill('customer=471');
  assert.is(await act.isEnabled(), false);
  await assertAccessible(page, 'the redaction of a person');
  await dialog.getByLabel('Type customer=4711 to confirm').fill('customer=4711');
  await act.click();
  const job = page.getByRole('region', { name: 'The redaction', exact: true });
  await job.getByText('Done', { exact: true }).waitFor();
  await job.getByText('1 of 2').waitFor();
  await job.getByText('ticket 4712').waitFor();
  await job.getByRole('link', { name: held }).waitFor();
  await accessible(page, 'a redaction of a person');
  assert.equal(
    [await redactionOf(gone), await redactionOf(held), await redactionOf(foreign)],
    ['done', null, null],
  );
  const before = page.getByRole('region', { name: 'Redactions of persons' });
  await before.getByText('ticket 4712').waitFor();
  await page.getByRole('link', { name: 'A person' }).click();
  await page.getByLabel('Member of the metadata').fill('customer');
  await page.getByLabel('Its value').fill('4711');
  await page.getByRole('button', { name: 'Find' }).click();
  await found.getByText('Legal hold').waitFor();
  assert.is(await found.locator('[data-row]').count(), 1);
});

test('retention is set, what is due is counted and listed first, and then redacted', async () => {
  const { page, api: own } = await admin('?view=retention');
  await page.getByText('0 are due.').waitFor();
  await page.getByLabel('Days for submissions').fill('none');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await page.locator('.faulty').waitFor();
  await page.getByLabel('Days for submissions').fill('365');
  await page.getByLabel('Days for Receipt').fill('90');
  await page.getByLabel('Redacted at most in a day of UTC').fill('5');
  await save.click();
  await page.getByText('1 is due.').waitFor();
  await page.getByText('Nothing of it is redacted').waitFor();
  await page.getByRole('link', { name: old }).waitFor();
  await accessible(page, 'retention');
  assert.is(await redactionOf(old), null);
  await page.getByLabel('Redact what is due').check();
  await save.click();
  const dialog = page.getByRole('dialog');
  await assertAccessible(page, 'retention that is to be enforced');
  await dialog.getByRole('button', { name: 'Redact what is due' }).click();
  await page.getByText('The service redacts at most 5 in a day of UTC.').waitFor();
  await eventually('it is redacted', async () => (await redactionOf(old)) === 'done');
  const { body } = await own.get(`/api/v1/companies/${tenant.companyId}/retention`);
  assert.equal(body, {
    ...{ submissionDays: 365, sessionDays: null, workflows: { receipt: 90 } },
    ...{ perDay: 5, isEnforced: true },
  });
});

test('who may not redact has no such screen', async () => {
  const { page } = await world.pageOf(tenant.companyId, 'auditor', '/console/submissions');
  await page.getByRole('link', { name: 'People' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Privacy' }).count(), 0);
  await page.goto('/console/privacy');
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.is(await page.getByLabel('Member of the metadata').count(), 0);
});
