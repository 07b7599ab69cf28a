import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { pdfOf } from '../../scripts/samples/pdf.ts';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { madeUpReceipt } from '../support/receipts.ts';
import { assertAccessible, browserSuite, screenshot } from './browser.ts';
import { field, fields, reviewed, type Submissions, startSubmissions } from './submissions.ts';

const test = browserSuite('console: the desk of a submission');
let own: Submissions;
test.before(async () => {
  own = await startSubmissions();
});
test.after(() => own.world.close());

const LAPTOP = { width: 1_366, height: 768 };

const pdf = (count: number, height = 400) =>
  pdfOf(
    Array.from({ length: count }, (_, index) => ({
      ...{ width: 320, height },
      marks: [
        { text: index === 0 ? 'Company: North Hardware' : `Page number ${index + 1}`, x: 40, y: 60 },
        ...(index === count - 1 ? [{ text: 'Total 42.50', x: 40, y: height - 40 }] : []),
      ],
    })),
  );

const openFile = async (content: Buffer, mimeType = 'application/pdf') => {
  const { submissionId } = await own.company.api.process([{ content, mimeType }]);
  const { page } = await own.open(submissionId);
  await page.setViewportSize(LAPTOP);
  await page.locator('.sheet img').first().waitFor();
  return { page, id: submissionId as string };
};

const boxOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

const isAbout = (one: number, other: number, within = 3): boolean => Math.abs(one - other) <= within;

test('one bar of 44 px stays, the document has the rest, and twelve fields need no scrolling', async () => {
  const outputSchema = Array.from({ length: 12 }, (_, index) => ({
    ...{
      name: `field${index}`,
      required: true,
      type: index % 2 ? 'number' : 'string',
      description: 'a value',
    },
  }));
  const company = await own.world.service.company({
    ...reviewed,
    slug: 'twelve',
    outputSchema,
    processing: { review: 'always' },
  });
  const values = Object.fromEntries(
    outputSchema.map(({ name, type }) => [name, type === 'number' ? 12 : 'x']),
  );
  const file = { content: Buffer.from(JSON.stringify(values)), mimeType: 'application/json' };
  const { submissionId } = await company.api.process([file], { clientSubmissionId: 'order-12' }, 'twelve');
  const { page } = await own.world.pageOf(company.id, 'reviewer', `/console/submissions/${submissionId}`);
  await page.setViewportSize(LAPTOP);
  await fields(page).waitFor();
  await screenshot(page, 'desk-twelve');
  const bar = await boxOf(page, '.docked');
  assert.ok(bar.height <= 46, `${bar.height} px of bar`);
  const last = await boxOf(page, '#field-field11');
  assert.ok(last.y + last.height <= LAPTOP.height, `the last field ends at ${last.y + last.height} px`);
  const isScrolled = 'document.documentElement.scrollHeight > innerHeight';
  assert.is(await page.evaluate(isScrolled), false);
  const region = await boxOf(page, '.page');
  assert.ok(region.height > LAPTOP.height - 180, `${region.height} px of document`);
  for (const [colorScheme, width] of [
    ['light', 1_366],
    ['dark', 1_440],
    ['light', 390],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await assertAccessible(page, `${colorScheme}, ${width} px`);
    await screenshot(page, `desk-${colorScheme}-${width}`);
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `${width} px`);
  }
});

test('on a phone the bar is one row that stays, and a button shows the rest of it', async () => {
  const { submissionId } = await own.company.api.process([receiptText({ company: 'North' })]);
  const { page } = await own.open(submissionId);
  await page.setViewportSize({ width: 390, height: 844 });
  await field(page, 'company').fill('North Hardware');
  const bar = page.locator('.docked');
  const top = await boxOf(page, '.docked');
  assert.ok(top.height <= 46, `${top.height} px of bar`);
  assert.is(await bar.getByRole('button', { name: 'Reject' }).isVisible(), false);
  assert.is(await bar.getByRole('link', { name: 'Timeline' }).isVisible(), false);
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await eventually('the bar stays', async () => (await boxOf(page, '.docked')).y === 0);
  for (const name of ['Next submission', 'Approve with 1 correction']) {
    const box = await bar.getByRole('button', { name }).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, name);
  }
  await assertAccessible(page, 'the bar on a phone');
  await bar.getByRole('button', { name: 'More' }).click();
  await bar.getByRole('button', { name: 'Reject' }).waitFor();
  await bar.getByRole('link', { name: 'Timeline' }).waitFor();
  await assertAccessible(page, 'the whole bar on a phone');
  await screenshot(page, 'desk-phone-more');
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 390);
  await bar.getByRole('button', { name: 'More' }).click();
  await bar.getByRole('button', { name: 'Reject' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await page.locator('h1').focus();
  await page.keyboard.press('r');
  await page.getByRole('dialog', { name: 'Reject this submission?' }).waitFor();
});

test('a page is as wide or as high as its place, larger by wheel where the pointer is, and moved by dragging', async () => {
  const { page } = await openFile(await madeUpReceipt(1, 'other'), 'image/jpeg');
  const [sheet, region] = [() => boxOf(page, '.sheet'), () => boxOf(page, '.page')];
  await eventually('the width', async () => {
    const room = Number(await page.evaluate('document.querySelector(".page").clientWidth'));
    return isAbout((await sheet()).width, room);
  });
  await page.keyboard.press('h');
  await eventually('the height', async () => isAbout((await sheet()).height, (await region()).height));
  await page.keyboard.press('w');
  await eventually('the width again', async () => (await sheet()).width > (await region()).width - 24);
  const before = await sheet();
  const at = { x: (await region()).x + 200, y: (await region()).y + 200 };
  const share = (at.y - before.y) / before.height;
  await page.mouse.move(at.x, at.y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await eventually('the larger page', async () => (await sheet()).width > before.width * 1.5);
  const after = await sheet();
  assert.ok(isAbout(after.y + share * after.height, at.y, 4), 'what is below the pointer stays there');
  await page.mouse.down();
  await page.mouse.move(at.x - 60, at.y - 40, { steps: 4 });
  await page.mouse.up();
  await eventually('the moved page', async () => isAbout((await sheet()).x, after.x - 60, 4));
  assert.ok(isAbout((await sheet()).y, after.y - 40, 4));
  await page.keyboard.press('b');
  await page.locator('.page.strong').waitFor();
});

test('pages follow each other, and small pictures, keys and fields lead to them', async () => {
  const { page } = await openFile(pdf(6));
  await page.getByText('Page 1 of 6').waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).locator('img').first().waitFor();
  await page.evaluate('document.querySelector(".page").scrollTo(0, 1e6)');
  await page.getByText('Page 6 of 6').waitFor();
  await page.getByRole('button', { name: 'Page 2 of 6' }).click();
  await page.getByText('Page 2 of 6').waitFor();
  const place = await boxOf(page, '[data-page="2"]');
  assert.ok(isAbout(place.y, (await boxOf(page, '.page')).y, 4), 'the page begins at the top');
  await page.keyboard.press(']');
  await page.getByText('Page 3 of 6').waitFor();
  await field(page, 'total').focus();
  await page.getByText('Page 6 of 6').waitFor();
  await eventually('the place', async () => {
    const [mark, outer] = [await boxOf(page, '.box.active'), await boxOf(page, '.page')];
    return mark.y >= outer.y && mark.y + mark.height <= outer.y + outer.height;
  });
  await screenshot(page, 'desk-pages');
  await assertAccessible(page, 'pages and small pictures');
});

test('the place of a field with the focus is large enough to read', async () => {
  const marks = [{ text: 'Total 42.50', x: 400, y: 1_500 }];
  const { page } = await openFile(pdfOf([{ width: 1_600, height: 2_000, marks }]));
  const height = async () => (await boxOf(page, 'button.box')).height;
  await page.locator('button.box').waitFor();
  assert.ok((await height()) < 16, `${await height()} px`);
  await field(page, 'total').focus();
  await eventually('letters that can be read', async () => (await height()) >= 16);
});

test('the divider is moved by key and pointer, and stays where it is for the next time', async () => {
  const { page } = await openFile(pdf(1));
  const width = async () => (await boxOf(page, '.document')).width;
  const before = await width();
  const divider = page.getByRole('separator', { name: 'Width of the document' });
  await divider.focus();
  await page.keyboard.press('ArrowLeft');
  await eventually('the narrower document', async () => (await width()) < before);
  const { x, y, height } = await boxOf(page, '.divider');
  await page.mouse.move(x + 4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 96, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await eventually('the document by pointer', async () => (await width()) < before - 80);
  const chosen = await width();
  await page.reload();
  await page.locator('.sheet img').first().waitFor();
  assert.ok(isAbout(await width(), chosen));
});

test('who comes to a field by key types over its value, and a click has its own place in it', async () => {
  const { id } = await own.waiting({ company: 'North Hardware' });
  const { page } = await own.open(id);
  const selected = () =>
    page.evaluate(
      'getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
    );
  await field(page, 'company').waitFor();
  await field(page, 'total').focus();
  await page.keyboard.press('Shift+Tab');
  const name = await page.evaluate('document.activeElement.value');
  assert.is(await selected(), name);
  await page.keyboard.press('Escape');
  await field(page, 'company').click();
  assert.is(await selected(), '');
});
