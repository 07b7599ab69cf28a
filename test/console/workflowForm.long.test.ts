import * as assert from 'uvu/assert';
import { documentReads } from '../../domain/formats.ts';
import { fraudCheckTypes } from '../../domain/fraud/checks.ts';
import { fraudAnswers } from '../../domain/workflow.ts';
import { plainTypeNames } from '../../fieldTypes/all.ts';
import { accessible, browserSuite } from './browser.ts';
import { definitionIn, described, editing, fill, focused, namesOf, onPhone, tab } from './workflowEditor.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: the form of a workflow');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(async () => {
  assert.equal(world.browser.faults, []);
  await world.close();
});

test('a workflow is made in the form alone, and the JSON is what the form says', async () => {
  const { page } = await world.pageOf(null, 'super_admin', '/console/new-workflow');
  await page.getByLabel('Name in addresses').fill('made');
  await page.getByLabel('Name', { exact: true }).fill('Made');
  await page.getByRole('button', { name: 'Add a field' }).click();
  await focused(page.getByLabel('Name of 1'));
  await page.keyboard.type('total');
  await page.getByLabel('Label of total').fill('Total');
  await page.getByLabel('Type of total').selectOption({ label: 'number' });
  await page.getByLabel('Required of total').check();
  await page.getByLabel('In lists of total').check();
  await page.getByLabel('Doubtful below a confidence of').fill('0,75');
  await page.getByLabel('People look at').selectOption({ label: 'every submission' });
  await page.getByLabel('No approval without the required values').selectOption({ label: 'yes' });
  await page.getByRole('group', { name: 'Two people decide' }).getByLabel('approved').check();
  await page.getByRole('group', { name: 'Fraud checks' }).getByLabel('The same data').check();
  await page.getByRole('group', { name: 'Fields that identify a case' }).getByLabel('total').check();
  await page.getByLabel('Matches of the same data').selectOption('2');
  await page.getByLabel('Names of the files').fill('front\n');
  await page.getByRole('button', { name: 'More of total' }).click();
  await page.getByLabel('description', { exact: true }).fill('amount paid');
  await accessible(page, 'workflow-form');
  await onPhone(page);
  const definition = await definitionIn(page);
  assert.equal(definition, {
    slug: 'made',
    name: 'Made',
    upload: {
      minFiles: 1,
      maxFiles: 1,
      acceptedFormats: ['image/jpeg', 'image/png', 'application/pdf'],
      fileLabels: ['front'],
      maxFileSizeMb: 10,
    },
    outputSchema: [
      { name: 'total', type: 'number', required: true, label: 'Total', description: 'amount paid' },
    ],
    list: ['total'],
    processing: {
      reviewBelow: 0.75,
      review: 'always',
      requireComplete: true,
      fourEyes: ['approved'],
      fraud: { checks: ['duplicate_data'], businessKey: ['total'], policy: { duplicate_data: 'allow' } },
    },
  });
  await page.getByLabel('Name', { exact: true }).press('Control+Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Made, version 1, is published.').waitFor();
});

test('what one view changes the other shows; what the form has no control for stays as it is', async () => {
  const { page, definition } = await editing(world, 'both');
  const [first, ...others] = definition.outputSchema;
  const unknown = {
    ...definition,
    note: { of: [1, { x: null }] },
    outputSchema: [{ ...first, hint: 7 }, ...others],
  };
  await fill(page, unknown);
  await tab(page, 'JSON');
  await page.getByRole('tab', { name: 'JSON' }).press('ArrowLeft');
  assert.is(await page.getByRole('tab', { name: 'Form' }).getAttribute('aria-selected'), 'true');
  await page.getByLabel('Name', { exact: true }).fill('Bill');
  await page.getByLabel('Label of company').fill('Seller');
  assert.equal(await definitionIn(page), {
    ...unknown,
    name: 'Bill',
    outputSchema: [{ ...first, hint: 7, label: 'Seller' }, ...others],
  });
  await fill(page, '{ "name": ');
  await page.getByText('This is no JSON of an object').waitFor();
  assert.is(await page.getByRole('button', { name: 'Add a field' }).count(), 0);
  await fill(page, '{ "upload": 5, "outputSchema": [null], "processing": { "reviewBelow": "often" } }');
  assert.is(await page.getByLabel('Doubtful below a confidence of').inputValue(), 'often');
  await page.getByLabel('Name of 1').fill('total');
  assert.equal(await definitionIn(page), {
    upload: 5,
    outputSchema: [{ name: 'total' }],
    processing: { reviewBelow: 'often' },
  });
});

test('each fault is shown at its control until that is changed, and the first has the focus', async () => {
  const { page, definition } = await editing(world, 'faults');
  const [company, date, total] = definition.outputSchema;
  const broken = {
    ...definition,
    ...{ name: '', color: 'red', note: 1 },
    upload: { ...definition.upload, minFiles: 9, acceptedFormats: ['image/png', 'text/html'] },
    outputSchema: [company, { ...date, type: 'money' }, { ...total, validation: { pattern: '(' } }],
  };
  await fill(page, broken);
  await page.keyboard.press('Control+Enter');
  await page.getByText('6 things must be corrected.').waitFor();
  await focused(page.getByText('note is not a known member'));
  await accessible(page, 'workflow-form-faults');
  const type = page.getByLabel('Type of date');
  assert.match(await described(type), /must be/);
  assert.match(await described(page.getByLabel('Colour')), /hexadecimal/);
  assert.match(await described(page.getByRole('group', { name: 'Formats' })), /can't be read/);
  await type.selectOption('date');
  await page.getByText('5 things must be corrected.').waitFor();
  assert.is(await type.getAttribute('aria-invalid'), 'false');
  assert.is(await page.getByLabel('Colour').getAttribute('aria-invalid'), 'true');
  await tab(page, 'JSON');
  await page.getByRole('listitem').filter({ hasText: 'color' }).waitFor();
  const { note: _, ...known } = broken;
  const readable = broken.outputSchema.with(1, date);
  await fill(page, { ...known, outputSchema: readable });
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('5 things must be corrected.').waitFor();
  const pattern = page.getByLabel('pattern', { exact: true });
  await focused(pattern);
  assert.match(await described(pattern), /regular expression/);
});

test('fields are moved by keys and by dragging, renamed wherever they are named, and removed', async () => {
  const fraud = { checks: ['duplicate_data'], businessKey: ['company', 'total'] };
  const { page } = await editing(world, 'moved', { list: ['total', 'date'], processing: { fraud } });
  const handle = (name: string) => page.getByRole('button', { name: new RegExp(`^Move ${name}`) });
  await handle('total').press('ArrowUp');
  await page.getByText('total is at place 2 of 3.').waitFor();
  await focused(handle('total'));
  await page.keyboard.press('ArrowUp');
  await page.getByText('total is at place 1 of 3.').waitFor();
  await page.keyboard.press('ArrowUp');
  assert.equal(namesOf(await definitionIn(page)), ['total', 'company', 'date']);
  await handle('total').hover();
  await page.mouse.down();
  const last = await handle('date').boundingBox();
  assert.ok(last);
  await page.mouse.move(last.x + 4, last.y + last.height, { steps: 8 });
  await page.mouse.up();
  assert.equal(namesOf(await definitionIn(page)), ['company', 'date', 'total']);
  await page.getByLabel('Name of total').fill('sum');
  await page.getByRole('button', { name: 'Remove date' }).click();
  await focused(handle('sum'));
  const renamed = await definitionIn(page);
  assert.equal([renamed.list, renamed.processing.fraud.businessKey], [['sum'], namesOf(renamed)]);
  await page.getByLabel('In lists of sum').uncheck();
  assert.is((await definitionIn(page)).list, undefined);
});

test('a pattern is tried with a text as it is typed, and one that does not end stops nothing', async () => {
  const { page } = await editing(world, 'pattern');
  await page.getByRole('button', { name: 'More of company' }).click();
  await page.getByLabel('pattern', { exact: true }).fill('^[A-Z]{2}\\d+$');
  const text = page.getByLabel('A text to try the pattern with');
  await text.fill('AB12');
  await page.getByText('It matches.').waitFor();
  await text.fill('AB');
  await page.getByText('It does not match.').waitFor();
  await page.getByLabel('pattern', { exact: true }).fill('^(a+)+$');
  await text.fill(`${'a'.repeat(40)}!`);
  await page.getByText('This pattern takes too long').waitFor();
  await page.getByLabel('pattern', { exact: true }).fill('(');
  await text.fill('x');
  await page.getByText('no regular expression').waitFor();
});

test('the form offers what the service knows, each with words of its own', async () => {
  const { page } = await editing(world, 'offered', { processing: { fraud: { checks: ['duplicate_file'] } } });
  const offered = (name: string) => page.getByRole('group', { name }).locator('label').allTextContents();
  const trimmed = async (name: string) => (await offered(name)).map((text) => text.trim()).sort();
  assert.equal(await trimmed('Formats'), documentReads.split(', ').sort());
  assert.is((await offered('Fraud checks')).length, fraudCheckTypes.length);
  const choices = (label: string) => page.getByLabel(label).locator('option').count();
  assert.is(await choices('Type of company'), plainTypeNames.length);
  assert.is(await choices('Matches of the same file'), fraudAnswers.length + 1);
  const labels = await page.locator('label, legend').allTextContents();
  assert.equal(
    labels.filter((label) => /^\w+\.\w/.test(label)),
    [],
  );
});
