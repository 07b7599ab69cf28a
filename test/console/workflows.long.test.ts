import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { gate } from '../controls/stores.ts';
import { receiptDefinition } from '../support/definition.ts';
import { PASSWORD } from '../support/people.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: workflows');
const PATH = '/api/v1/workflow-definitions';
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

const [company, date, total] = receiptDefinition.outputSchema;
const tax = { name: 'tax', label: 'Tax', required: false, type: 'number' };

/** Two versions of a workflow of a new company. */
const twoVersions = async (slug: string) => {
  const { id } = await world.service.company({ ...receiptDefinition, slug });
  const changed = {
    ...receiptDefinition,
    ...{ slug, outputSchema: [date, { ...total, required: false }, tax], processing: { reviewBelow: 0.9 } },
  };
  await world.service.company(changed);
  return id;
};

test('people see the versions of their workflows, and what one changed of another, in words', async () => {
  const id = await twoVersions('seen');
  const { page } = await world.pageOf(id, 'auditor', '/console/workflows');
  await page.getByRole('link', { name: 'Receipt' }).waitFor();
  await accessible(page, 'workflows');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What changed from version 1 to 2' }).waitFor();
  const changes = await page.getByRole('list', { name: 'Changes' }).getByRole('listitem').allTextContents();
  assert.equal(changes.sort(), [
    'Added Tax field',
    'Changed  Doubtful below a confidence of: 0.5 → 0.9',
    'Changed Total required: yes → no',
    'Removed company field',
  ]);
  const rules = page.getByRole('region', { name: 'Files, review and fraud' });
  assert.is(await rules.getByRole('row').count(), 2, 'what is the same is folded');
  await rules.getByText(/^\d+ that are the same$/).click();
  await rules.getByRole('row').nth(2).waitFor();
  await accessible(page, 'workflow');
  await page.getByLabel('Compared with').selectOption('none');
  await page.getByRole('rowheader', { name: 'Tax' }).waitFor();
  assert.is(await page.getByRole('heading', { name: /What changed/ }).count(), 0);
  await page.getByLabel('Version', { exact: true }).selectOption('1');
  await page.getByRole('rowheader', { name: company.name }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Edit as a new version' }).count(), 0);
  await page.goto('/console/workflows/seen/edit');
  await page.getByRole('heading', { name: 'Not for your role' }).waitFor();
});

test('a super_admin has one drafted, is told that no model is there, and publishes it by keyboard', async () => {
  const { page } = await world.pageOf(null, 'super_admin', '/console/workflows');
  await page.getByRole('region', { name: 'Workflows' }).waitFor();
  await page.keyboard.press('n');
  const told = 'A workflow for parking tickets with place, date and amount';
  await page.getByLabel('What should the workflow do?').fill(told);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('No model wrote this draft').waitFor();
  await page.getByRole('tab', { name: 'JSON' }).click();
  const area = page.getByLabel('Definition (JSON)');
  assert.match(await area.inputValue(), /"slug": "parking-ticket"/);
  await accessible(page, 'editor');
  await area.focus();
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Publish Parking ticket, version 1?' });
  await dialog.getByText('is new').waitFor();
  await accessible(page, 'publish');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Parking ticket, version 1, is published.').waitFor();
  await page.getByRole('rowheader', { name: 'Place' }).waitFor();
  const { id } = await world.service.company({ ...receiptDefinition, slug: 'another' });
  await page.reload();
  await page.getByLabel('Let another company use it').selectOption(id);
  await page.getByRole('button', { name: 'Assign' }).click();
  await page.getByRole('button', { name: /^Unassign/ }).click();
  const asked = page.getByRole('dialog', { name: 'Unassign' });
  await assertAccessible(page, 'unassign');
  await asked.getByRole('button', { name: 'Unassign' }).click();
  await page.getByText('The company can open no new submissions.').waitFor();
  await page.getByRole('button', { name: /^Unassign/ }).waitFor({ state: 'detached' });
});

/** An editor of a new version, and the definition that it begins with. */
const editing = async (slug: string) => {
  await twoVersions(slug);
  const opened = await world.pageOf(null, 'super_admin', `/console/workflows/${slug}`);
  const { page } = opened;
  await page.getByRole('link', { name: 'Edit as a new version' }).waitFor();
  await page.keyboard.press('e');
  await page.getByRole('tab', { name: 'JSON' }).click();
  const area = page.getByLabel('Definition (JSON)');
  await area.waitFor();
  return { ...opened, area, definition: JSON.parse(await area.inputValue()) };
};
const write = (definition: object) => JSON.stringify(definition, null, 2);

/** Holds the answers of what matches until the function that it gives is called. */
const holding = async (page: Page, pattern: RegExp): Promise<() => void> => {
  const { opened, open } = gate();
  await page.route(pattern, async (route) => {
    await opened;
    await route.continue();
  });
  return open;
};

test('what is typed while a check runs is not published by it, and comes back after the agent', async () => {
  const { page, area, definition } = await editing('slow');
  const typed = write({ ...definition, name: 'Typed later' });
  const check = await holding(page, /definitions\/check/);
  await area.focus();
  await page.keyboard.press('Control+Enter');
  await area.fill(typed);
  check();
  await page.getByRole('button', { name: 'Check', disabled: false }).waitFor();
  assert.is(await page.getByRole('dialog').count(), 0);
  const agent = await holding(page, /workflow-agent/);
  await page.getByLabel('What should the workflow do?').fill('Add a field “tip”');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const later = write({ ...definition, name: 'Typed last' });
  await area.fill(later);
  agent();
  await page.getByRole('button', { name: 'Undo the draft' }).click();
  assert.is(await area.inputValue(), later);
});

test('a name in the address that has slashes leads to no other endpoint', async () => {
  const { id } = await world.service.company();
  const { page } = await world.pageOf(null, 'super_admin', '/console/workflows');
  await page.getByRole('region', { name: 'Workflows' }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/console/workflows/x%2F..%2F..%2Fcompanies%2F${id}%3F`);
  await page.locator('.notice.bad').first().waitFor();
  assert.ok(asked.some((path) => path.startsWith('/api/v1/workflow')));
  assert.equal(
    asked.filter((path) => path.includes(`/companies/${id}`)),
    [],
  );
});

test('each fault is shown with its line, and a click leads there; nothing is published until all are gone', async () => {
  const { page, area, definition, api } = await editing('faulty');
  await area.fill('{ "slug": ');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('alert').filter({ hasText: 'This is not JSON' }).waitFor();
  const [first, second] = definition.outputSchema;
  const broken = { ...definition, outputSchema: [first, { ...second, type: 'money' }, first], color: 'red' };
  await area.fill(write(broken));
  await page.keyboard.press('Control+Enter');
  const fault = page.getByRole('listitem').filter({ hasText: 'outputSchema › 1 › type' });
  await fault.waitFor();
  await accessible(page, 'faults');
  assert.is(await page.getByRole('dialog').count(), 0);
  await fault.getByRole('button').click();
  const selected = await area.evaluate(
    'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
  );
  assert.match(String(selected), /^"money"/);
  const line =
    write(broken)
      .split('\n')
      .findIndex((one) => one.includes('money')) + 1;
  assert.is(await fault.getByRole('button').textContent(), `Line ${line}`);
  await page.getByRole('listitem').filter({ hasText: 'color' }).waitFor();
  assert.is((await api.get(`${PATH}/faulty/versions`)).body.data.length, 2);
});

test('what somebody else published meanwhile is said, and shown before it is published again', async () => {
  const { page, area, definition, api } = await editing('raced');
  await area.fill(write({ ...definition, name: 'Bill' }));
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish Bill, version 3?' });
  await dialog.getByText('Receipt').waitFor();
  const other = await api.post(PATH, { definition: { ...definition, description: 'Theirs' } });
  assert.is(other.body.version, 3);
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await dialog.getByText('Somebody published a version meanwhile').waitFor();
  await dialog.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Publish…' }).click();
  const again = page.getByRole('dialog', { name: 'Publish Bill, version 4?' });
  await again.getByText('Theirs').waitFor();
  await again.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Bill, version 4, is published.').waitFor();
});

test('what was typed outlives an ended session, and a look at another screen', async () => {
  const { page, area, definition, api } = await editing('kept');
  const typed = write({ ...definition, name: 'What was typed' });
  await area.fill(typed);
  await page.getByRole('link', { name: 'Workflows' }).first().click();
  await page.getByRole('region', { name: 'Workflows' }).waitFor();
  await page.goBack();
  assert.is(await area.inputValue(), typed);
  await api.post('/api/auth/sessions/end-all');
  await page.getByRole('button', { name: 'Check' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing is wrong with it. It would be version 3.').waitFor();
  assert.is(await area.inputValue(), typed);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'What changed from version 1 to 2' }).waitFor();
});
