import type { Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { pdfOf } from '../../scripts/samples/pdf.ts';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { madeUpReceipt } from '../support/receipts.ts';
import { accessible, assertAccessible, browserSuite } from './browser.ts';
import {
  approveWithout,
  field,
  fields,
  lapse,
  reviewed,
  type Submissions,
  startSubmissions,
} from './submissions.ts';

const test = browserSuite('console: a submission');
let own: Submissions;
test.before(async () => {
  own = await startSubmissions();
});
test.after(() => own.world.close());

test('the document is beside its fields, with a box for each value, and each side marks the other', async () => {
  const picture = { content: await madeUpReceipt(1, 'other'), mimeType: 'image/jpeg' };
  const { submissionId } = await own.company.api.process([picture]);
  const { page } = await own.open(submissionId);
  const box = page.getByRole('button', { name: /^Total: / });
  await box.waitFor();
  assert.is(await page.locator('button.box').count(), 3);
  await field(page, 'total').focus();
  assert.match(String(await box.getAttribute('class')), /active/);
  await field(page, 'date').hover();
  assert.match(String(await page.getByRole('button', { name: /^date: / }).getAttribute('class')), /active/);
  await page.getByRole('button', { name: /^company: / }).click();
  assert.is(await page.evaluate('document.activeElement.id'), 'field-company');
  await page.keyboard.press('Escape');
  const width = async () => (await page.locator('.sheet').boundingBox())?.width ?? 0;
  const before = await width();
  await page.keyboard.press('+');
  await eventually('the larger page', async () => (await width()) > before * 1.4);
  await page.keyboard.press('t');
  assert.match(String(await page.locator('.sheet').getAttribute('style')), /rotate\(90deg\)/);
  await page.keyboard.press('t');
  await page.keyboard.press('t');
  await page.keyboard.press('t');
  await accessible(page, 'submission');
});

test('doubtful fields come first, and a correction is checked before it is sent', async () => {
  const { id } = await own.waiting({ date: undefined });
  const { page, userId } = await own.open(id);
  await fields(page).waitFor();
  assert.match(String(await fields(page).locator('label').first().textContent()), /^date/);
  await page.keyboard.press('f');
  await page.keyboard.type('12.3.2018');
  await page.getByText('This can be 2018-03-12 or 2018-12-03. Type the one that is meant.').waitFor();
  await page.keyboard.press('Control+Enter');
  assert.is(await page.evaluate('document.activeElement.id'), 'field-date');
  assert.is((await own.detail(id)).submissionStatus, 'review');
  await field(page, 'date').fill('2018-03-12');
  await page.getByText('The machine read').waitFor();
  assert.is(await page.getByRole('button', { name: 'Take it' }).count(), 0, 'nothing can’t be taken');
  await assertAccessible(page, 'with a correction');
  await page.getByRole('button', { name: 'Approve with 1 correction' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await page.locator('.mark').getByText('Approved').waitFor();
  const { submissionStatus, corrections, extractedData } = await own.detail(id);
  assert.equal([submissionStatus, extractedData.date], ['approved', '2018-03-12']);
  const [{ machineValue, humanValue, actor }] = corrections;
  assert.equal([machineValue, humanValue, actor], [null, '2018-03-12', `user:${userId}`]);
  await page.goto(`/console/submissions/${id}`);
  await fields(page).getByText('Corrected').waitFor();
  assert.is(await fields(page).getByText('A required value is missing.').count(), 0);
});

test('an approval without required values is asked for twice, and the history names them', async () => {
  const { id } = await own.waiting({ date: undefined });
  const { page } = await own.open(id);
  await field(page, 'total').waitFor();
  await field(page, 'total').fill('');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Required, and without a value: date, Total. Approve again to accept that.').waitFor();
  assert.is(await page.evaluate('document.activeElement.id'), 'field-date');
  assert.is((await own.detail(id)).submissionStatus, 'review');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await page.locator('.mark').getByText('Approved').waitFor();
  const { events, extractedData } = await own.detail(id);
  assert.equal([events.at(-1).details.missing, extractedData.total], [['date', 'total'], null]);
});

test('a value that can’t be sent comes first, and what is typed behind it is not missing', async () => {
  const { id } = await own.waiting({ company: undefined, date: undefined });
  const { page } = await own.open(id);
  await field(page, 'date').waitFor();
  await field(page, 'company').fill('12/05/2026');
  await field(page, 'date').fill('12/05/2026');
  await field(page, 'total').fill('none');
  await page.keyboard.press('Control+Enter');
  assert.is(await page.evaluate('document.activeElement.id'), 'field-date');
  assert.is(await page.getByText('Approve again to accept that.').count(), 0);
  assert.is((await own.detail(id)).submissionStatus, 'review');
});

test('fields that are named as what every object inherits are shown, typed and sent', async () => {
  const outputSchema = ['constructor', 'toString', 'hasOwnProperty'].map((name) => ({
    ...{ name, required: true, type: 'string', description: 'a text' },
  }));
  const inherited = { ...reviewed, slug: 'inherited', outputSchema, processing: { review: 'always' } };
  const company = await own.world.service.company(inherited);
  const file = { content: Buffer.from('{"toString":"read"}'), mimeType: 'application/json' };
  const { submissionId } = await company.api.process([file], {}, 'inherited');
  const { page } = await own.world.pageOf(company.id, 'reviewer', `/console/submissions/${submissionId}`, {
    isHolding: true,
  });
  await field(page, 'toString').waitFor();
  assert.is(await field(page, 'toString').inputValue(), 'read');
  await field(page, 'constructor').fill('typed');
  await approveWithout(page);
  await lapse(page);
  await page.locator('.mark').getByText('Approved').waitFor();
  const { extractedData } = await own.detail(submissionId, company.api);
  assert.equal(extractedData, { constructor: 'typed', toString: 'read', hasOwnProperty: null });
});

test('a date that can be read in one way only is taken in many forms, and sent in one', async () => {
  const { id } = await own.waiting({ date: undefined });
  const { page } = await own.open(id);
  const date = field(page, 'date');
  await date.waitFor();
  const refusal = page.getByText(/Type a date as YYYY-MM-DD|This can be 2026-05-12 or 2026-12-05/);
  for (const text of [
    '12/05/2026',
    '31 June 2026',
    '2026/13/01',
    '12 Ma 2026',
    '12 May 26',
    '2026-05-12 x',
  ]) {
    await date.fill(text);
    await refusal.waitFor();
  }
  const forms = ['12 May 2026', 'May 12, 2026', '12. may 2026', '2026/5/12', '2026.05.12', '2026-05-12'];
  for (const text of forms) {
    await date.fill('');
    await date.fill(text);
    await refusal.waitFor({ state: 'detached' });
    await date.blur();
    await eventually(text, async () => (await date.inputValue()) === '2026-05-12');
  }
  await date.fill('31.12.2026');
  await fields(page).getByText('Understood as 2026-12-31').waitFor();
  await date.fill('3 Jan 2026');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
  assert.is((await own.detail(id)).extractedData.date, '2026-01-03');
});

test('a number is taken as it is printed, shown as it was understood, and asked for where it has two readings', async () => {
  const { id } = await own.waiting({});
  const { page } = await own.open(id);
  const total = field(page, 'total');
  await total.waitFor();
  await total.fill('1.234');
  await page.getByText('This can be 1.234 or 1234. Type 1234, or 1.2340.').waitFor();
  await page.keyboard.press('Control+Enter');
  assert.is(await page.evaluate('document.activeElement.id'), 'field-total');
  assert.is((await own.detail(id)).submissionStatus, 'review');
  await total.fill('1.2340');
  await fields(page).getByText('Understood as 1.234').waitFor();
  await total.fill('1.234,50');
  await fields(page).getByText('Understood as 1234.5').waitFor();
  await assertAccessible(page, 'with a number as it is printed');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
  assert.is((await own.detail(id)).extractedData.total, 1234.5);
});

test('a long value is shown whole, and its key goes on to the next field', async () => {
  const company = 'A company of many words, '.repeat(8).trim();
  const { id } = await own.waiting({ company });
  const { page } = await own.open(id);
  const height = async (name: string) => (await field(page, name).boundingBox())?.height ?? 0;
  await field(page, 'company').waitFor();
  assert.ok((await height('company')) > 2 * (await height('code')), `${await height('company')}`);
  await field(page, 'company').focus();
  await page.keyboard.press('Enter');
  assert.is.not(await page.evaluate('document.activeElement.id'), 'field-company');
  assert.is(await field(page, 'company').inputValue(), company);
  const said = String(await page.locator('.summary').textContent());
  assert.match(said, /· \d of \d fields found\.$/);
  assert.not.match(said, /A company of many words/);
  await page.getByText('? shows all keys').waitFor();
});

test('what its pattern refuses is said at the field, and not sent', async () => {
  const { id } = await own.waiting({ code: 'AB-1' });
  const { page } = await own.open(id);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await field(page, 'code').fill('ab');
  await page.getByText('This does not match the format of the field: two letters and a number.').waitFor();
  await field(page, 'total').focus();
  await page.keyboard.press('Control+Enter');
  await eventually(
    'the field',
    async () => (await page.evaluate('document.activeElement.id')) === 'field-code',
  );
  assert.not.ok(asked.some((one) => one.endsWith('/approve')));
  await field(page, 'code').fill('AB-2');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
});

test('the pages of a PDF are turned by key', async () => {
  const page = (text: string) => ({ width: 320, height: 200, marks: [{ text, x: 40, y: 60 }] });
  const content = pdfOf([page('North Hardware, 2018-03-12'), page('Total 42.50')]);
  const { submissionId } = await own.company.api.process([{ content, mimeType: 'application/pdf' }]);
  const { page: shown } = await own.open(submissionId);
  await shown.getByText('Page 1 of 2').waitFor();
  const pictureOf = (number: number) => shown.locator(`[data-page="${number}"] img`);
  await pictureOf(1).waitFor();
  const first = await pictureOf(1).getAttribute('src');
  await shown.keyboard.press(']');
  await shown.getByText('Page 2 of 2').waitFor();
  await pictureOf(2).waitFor();
  assert.is.not(await pictureOf(2).getAttribute('src'), first);
  await shown.keyboard.press('[');
  await shown.getByText('Page 1 of 2').waitFor();
});

test('a field that is pointed at moves its document and not the page, and its box has the whole letters', async () => {
  const marks = [
    { text: 'Company: Gypsy Jogging', x: 40, y: 60 },
    { text: 'Total 42.50', x: 40, y: 560 },
  ];
  const content = pdfOf([{ width: 320, height: 600, marks }]);
  const { submissionId } = await own.company.api.process([{ content, mimeType: 'application/pdf' }]);
  const { page } = await own.open(submissionId);
  const box = page.getByRole('button', { name: /^Total: / });
  await box.waitFor();
  const { place } = (await own.company.api.get(`/api/v1/submissions/${submissionId}/result`)).body.result
    .fields.total;
  const edges = async (of: Locator) => (await of.boundingBox()) ?? { y: 0, height: 0 };
  const bottom = async (of: Locator) => {
    const { y, height } = await edges(of);
    return y + height;
  };
  const [sheet, region] = [page.locator('.sheet'), page.locator('.page')];
  assert.ok((await bottom(box)) > (await bottom(region)));
  const { y, height } = await edges(sheet);
  const baseline = y + (height * place.box.bottom) / place.size.height;
  const letters = ((place.box.bottom - place.box.top) * height) / place.size.height;
  // The letters that reach below the line, inside the border.
  assert.ok((await bottom(box)) - 2 > baseline + letters / 5);
  await field(page, 'total').hover();
  await eventually('the box', async () => (await bottom(box)) <= (await bottom(region)));
  assert.is(await page.evaluate('scrollY'), 0);
  assert.ok((await bottom(region)) <= 720);
});

test('what the service refuses is said at its field', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  await page.route('**/approve', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      json: {
        ...{
          type: '/problems/validation-failed',
          title: 'Validation failed',
          status: 422,
          code: 'validation-failed',
        },
        ...{
          detail: 'The corrections break the schema.',
          instance: null,
          requestId: 'r-1',
          retryable: false,
        },
        errors: [{ pointer: '/corrections/company', detail: 'must be one of ours' }],
      },
    }),
  );
  await field(page, 'company').fill('Another');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await page.locator('.value .fault').filter({ hasText: 'must be one of ours' }).waitFor();
  await page.getByText('Request r-1').waitFor();
  assert.is(await field(page, 'company').inputValue(), 'Another');
});

test('a rejection asks once, with reasons from a list', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id);
  await fields(page).waitFor();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Reject this submission?' });
  await dialog.getByLabel('Pages are missing').check();
  await dialog.getByLabel('In your own words').fill('the second one');
  await assertAccessible(page, 'reject');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await lapse(page);
  await eventually('the rejection', async () => (await own.detail(id)).submissionStatus === 'rejected');
  assert.is((await own.detail(id)).rejectReason, 'Pages are missing: the second one');
});

test('what could not be read is processed again, or its values are typed, each by a key', async () => {
  const { submissionId: id } = await own.company.api.process([
    { content: '{', mimeType: 'application/json' },
  ]);
  const { page, userId } = await own.open(id);
  await page.getByRole('button', { name: 'Process again' }).waitFor();
  await page.keyboard.press('a');
  const again = page.getByRole('dialog', { name: 'Process this submission again?' });
  await again.getByRole('button', { name: 'Process again' }).click();
  const typesOf = async (): Promise<readonly string[]> =>
    (await own.detail(id)).events.map(({ type }: { type: string }) => type);
  await eventually('the second round', async () => {
    const types = await typesOf();
    return types.includes('submission.reprocessing_requested') && types.at(-1)?.endsWith('failed');
  });
  await page.keyboard.press('u');
  await page.getByRole('button', { name: 'Type the values' }).waitFor();
  await page.keyboard.press('v');
  const dialog = page.getByRole('dialog', { name: 'Type the values of this submission?' });
  const enter = dialog.getByRole('button', { name: 'Type the values' });
  assert.is(await enter.isDisabled(), true, 'without a reason');
  await dialog.getByLabel('It can be read by eye').check();
  await assertAccessible(page, 'type the values');
  await enter.click();
  await field(page, 'company').waitFor();
  for (const [name, value] of Object.entries({ company: 'ACME', date: '2026-11-20', total: '9' })) {
    assert.is(await field(page, name).inputValue(), '');
    await field(page, name).fill(value);
  }
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
  const { extractedData, corrections, events } = await own.detail(id);
  assert.equal(extractedData, { company: 'ACME', date: '2026-11-20', total: 9, code: null });
  assert.is(corrections[0].actor, `user:${userId}`);
  const { details } = events.find(({ type }: { type: string }) => type === 'submission.opened_for_entry');
  assert.is(details.reason, 'It can be read by eye');
  await page.goto(`/console/submissions/${id}?view=timeline`);
  await page.getByText('Its values are to be typed').first().waitFor();
});

test('an auditor sees all and can change nothing', async () => {
  const { id } = await own.waiting();
  const { page } = await own.open(id, 'auditor');
  await fields(page).waitFor();
  assert.is(await page.getByRole('button', { name: /Approve|Reject|Cancel/ }).count(), 0);
  assert.is(await field(page, 'company').isEditable(), false);
});

test('markup that a client or a document brings is text', async () => {
  const mark = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
  const { id } = await own.waiting(
    { company: mark },
    { clientSubmissionId: mark.slice(0, 128), metadata: { note: mark }, files: undefined },
  );
  const { page } = await own.open(id);
  page.on('dialog', () => own.world.browser.faults.push('a script ran'));
  await fields(page).waitFor();
  assert.is(await field(page, 'company').inputValue(), mark);
  await page.getByRole('heading', { name: '<img src=x' }).waitFor();
  await page.locator('pre').filter({ hasText: 'onerror' }).waitFor();
  assert.is(await page.locator('main img').count(), 0);
  for (const key of ['2', '3']) {
    await page.keyboard.press('Escape');
    await page.keyboard.press(key);
    await page.locator('.views [aria-current]', { hasText: key === '2' ? 'Matches' : 'Timeline' }).waitFor();
  }
});

test('in a list of all statuses who decides goes on to what waits, and others to the next', async () => {
  const company = await own.world.service.company(reviewed);
  const ids: string[] = [];
  for (const name of ['A', 'B', 'C']) {
    const job = await company.api.process([receiptText({ company: name })], { clientSubmissionId: name });
    ids.push(job.submissionId);
  }
  assert.is((await company.api.post(`/api/v1/submissions/${ids[1]}/approve`, {})).status, 200);
  const list = '/console/submissions';
  const isAt = (page: Page, name: string) =>
    page.getByRole('heading', { name: new RegExp(`^${name} · `) }).waitFor();
  const first = async (page: Page): Promise<void> => {
    await page.getByRole('link', { name: /^C · / }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await isAt(page, 'C');
  };
  const { page } = await own.world.pageOf(company.id, 'reviewer', list);
  await page.getByRole('link', { name: /^C · / }).waitFor();
  const [rows, count] = [page.locator('.rows'), page.getByText('3 rows')];
  const [above, below] = [await rows.boundingBox(), await count.boundingBox()];
  assert.ok((above?.height ?? 0) < 40 * 5, 'a short list leaves nothing empty below it');
  assert.ok((below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0)) < 40);
  await first(page);
  assert.is(await page.title(), 'C · 2018-03-12 · 80.90 · Intake');
  await page.getByText('1 of 3', { exact: true }).waitFor();
  await page.keyboard.press('n');
  await isAt(page, 'A');
  await page.getByText('3 of 3', { exact: true }).waitFor();
  await page.keyboard.press('p');
  await isAt(page, 'C');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Approved: C · 2018-03-12 · 80.90').waitFor();
  await isAt(page, 'A');
  const { page: auditors } = await own.world.pageOf(company.id, 'auditor', list);
  await first(auditors);
  await auditors.keyboard.press('n');
  await isAt(auditors, 'B');
});
