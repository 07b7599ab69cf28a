import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { pdfOf } from '../../scripts/samples/pdf.ts';
import { eventually } from '../harness.ts';
import { assertAccessible, browserSuite, screenshot } from './browser.ts';
import { field, fields, lapse, type Submissions, startSubmissions } from './submissions.ts';

const test = browserSuite('console: the words of a page');
let own: Submissions;
test.before(async () => {
  own = await startSubmissions();
});
test.after(() => own.world.close());

/** What is read is labelled; what is to be taken instead is not. */
const content = pdfOf([
  {
    ...{ width: 420, height: 300 },
    marks: [
      { text: 'Company: ACME', x: 30, y: 40 },
      { text: 'Date: 2026-05-12', x: 30, y: 60 },
      { text: 'Total 42.50', x: 30, y: 80 },
      { text: 'Delivered 31.12.2026', x: 30, y: 140 },
      { text: 'Paid 1.234,50', x: 30, y: 160 },
      { text: 'Left', x: 30, y: 200 },
      { text: 'North Hardware', x: 200, y: 200 },
      { text: 'Beside', x: 30, y: 220 },
      { text: 'Limited', x: 200, y: 220 },
    ],
  },
]);

type Word = Readonly<{ text: string }>;

/** A page with the document beside its fields, and where each of its words is. */
const opened = async (prepare: (page: Page) => Promise<unknown> = async () => undefined) => {
  const { submissionId } = await own.company.api.process([{ content, mimeType: 'application/pdf' }]);
  const id = submissionId as string;
  const { page } = await own.open(id, 'reviewer', '?view=timeline');
  await prepare(page);
  await page.setViewportSize({ width: 1_366, height: 768 });
  await page.goto(`/console/submissions/${id}`);
  await page.locator('.sheet img').waitFor();
  const fileId = (await own.detail(id)).files[0].id;
  const { body } = await own.company.api.get(`/api/v1/submissions/${id}/files/${fileId}/pages/1/words`);
  const texts = (body.words as readonly Word[]).map(({ text }) => text);
  const word = async (text: string) => {
    assert.ok(texts.includes(text), `${text} in ${texts.join(' ')}`);
    const mark = page.locator(`[data-word="${texts.indexOf(text)}"]`);
    await mark.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await mark.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { x: x + width / 2, y: y + height / 2 };
  };
  const click = async (text: string): Promise<void> => {
    const { x, y } = await word(text);
    await page.mouse.click(x, y);
  };
  const drag = async (from: string, to: string): Promise<void> => {
    await word(from);
    const [end, start] = [await word(to), await word(from)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 4 });
    await page.locator('.reach').waitFor();
    await page.mouse.up();
    await page.locator('.reach').waitFor({ state: 'detached' });
  };
  return { id, page, click, drag, word };
};

const focused = (page: Page) => page.evaluate('document.activeElement.id');
const reads = (page: Page, name: string, text: string) =>
  eventually(`${name}: ${text}`, async () => (await field(page, name).inputValue()) === text);

test('a click on a word gives the field with the focus its value and its place, and keeps the focus there', async () => {
  const { id, page, click } = await opened();
  await field(page, 'total').focus();
  await click('1.234,50');
  await reads(page, 'total', '1.234,50');
  await fields(page).getByText('Understood as 1234.5').waitFor();
  assert.is(await focused(page), 'field-total');
  const box = page.getByRole('button', { name: 'Total: 1.234,50' });
  await box.waitFor();
  assert.match(String(await box.getAttribute('class')), /active/);
  await page.keyboard.press('Shift+Tab');
  await field(page, 'date').focus();
  await click('31.12.2026');
  await reads(page, 'date', '31.12.2026');
  await fields(page).getByText('Understood as 2026-12-31').waitFor();
  await page.getByRole('button', { name: 'date: 31.12.2026' }).waitFor();
  await page.keyboard.press('Enter');
  await reads(page, 'date', '2026-12-31');
  await page.getByRole('button', { name: 'date: 2026-12-31' }).waitFor();
  await screenshot(page, 'words-taken');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
  const { extractedData, corrections } = await own.detail(id);
  assert.equal([extractedData.total, extractedData.date], [1234.5, '2026-12-31']);
  for (const { field: name, place } of corrections)
    assert.ok(place.box.top > (name === 'total' ? 140 : 120), `${name} ${JSON.stringify(place)}`);
});

test('a decided submission shows a value where it was taken, and none that was typed', async () => {
  const { id, page, click } = await opened();
  await field(page, 'total').focus();
  await click('1.234,50');
  await field(page, 'company').fill('Others');
  await page.keyboard.press('Control+Enter');
  await lapse(page);
  await eventually('the approval', async () => (await own.detail(id)).submissionStatus === 'approved');
  const { place } = (await own.detail(id)).corrections.find(
    (one: { field: string }) => one.field === 'total',
  );
  await page.goto(`/console/submissions/${id}`);
  const box = page.getByRole('button', { name: 'Total: 1234.5' });
  await box.waitFor();
  const top = /top: ([\d.]+)%/.exec(String(await box.getAttribute('style')))?.[1];
  assert.ok(Math.abs(Number(top) - (100 * place.box.top) / place.size.height) < 0.01, `${top}%`);
  await page.getByRole('button', { name: /^date: / }).waitFor();
  assert.is(await page.getByRole('button', { name: /^company: / }).count(), 0);
});

test('a drag takes the words between its ends in reading order, and none of the column beside them', async () => {
  const { page, drag } = await opened();
  await field(page, 'company').focus();
  await drag('North', 'Hardware');
  await reads(page, 'company', 'North Hardware');
  await drag('Limited', 'Hardware');
  await reads(page, 'company', 'North Hardware Limited');
  assert.is(await focused(page), 'field-company');
  assert.is(await page.evaluate('getSelection().toString().includes("Left")'), false);
  await page.getByRole('button', { name: 'company: North Hardware Limited' }).waitFor();
  await page.reload();
  await reads(page, 'company', 'North Hardware Limited');
  await page.getByRole('button', { name: 'company: North Hardware Limited' }).waitFor();
  await field(page, 'company').fill('Others');
  await page.getByRole('button', { name: 'company: ACME' }).waitFor();
});

test('a word is where it is on a page that is larger and turned', async () => {
  const { page, click, drag } = await opened();
  const width = async () => (await page.locator('.frame').boundingBox())?.width ?? 0;
  const before = await width();
  await page.keyboard.press('+');
  await eventually('the larger page', async () => (await width()) > before * 1.4);
  for (const turn of [90, 180, 270, 0]) {
    await page.keyboard.press('t');
    await page.locator(`.sheet[style*="rotate(${turn}deg)"]`).waitFor();
    await field(page, 'company').focus();
    await click('Left');
    await reads(page, 'company', 'Left');
    await drag('Hardware', 'North');
    await reads(page, 'company', 'North Hardware');
    await page.keyboard.press('Escape');
  }
});

test('a click on the place of another field leads there, and a drag over it takes its words', async () => {
  const { page, click, drag } = await opened();
  await field(page, 'company').focus();
  await click('42.50');
  await eventually('the other field', async () => (await focused(page)) === 'field-total');
  assert.is(await field(page, 'company').inputValue(), 'ACME');
  await field(page, 'company').focus();
  await drag('Total', '42.50');
  await reads(page, 'company', 'Total 42.50');
  assert.is(await focused(page), 'field-company');
});

test('words are taken by key: near the old place by three keys, joined with Shift, and Escape changes nothing', async () => {
  const { page } = await opened();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const says = (text: string) =>
    page.locator('.document [role=status]').getByText(text, { exact: true }).waitFor();
  await field(page, 'total').focus();
  await press('Alt+ArrowDown');
  await says('42.50');
  await page.locator('.walked').waitFor();
  await page.getByText('Arrows go from word to word').waitFor();
  await press('ArrowLeft', 'Enter');
  await reads(page, 'total', 'Total');
  assert.is(await page.locator('.walked').count(), 0);
  assert.is(await focused(page), 'field-total');
  await press('Alt+ArrowDown');
  await says('Total');
  await press('ArrowDown', 'ArrowRight', 'ArrowDown');
  await says('1.234,50');
  await press('Enter');
  await reads(page, 'total', '1.234,50');
  await field(page, 'company').focus();
  await press('Alt+ArrowDown');
  await says('ACME');
  await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight');
  await says('North');
  await press('Shift+ArrowRight', 'Shift+ArrowDown');
  await says('North Hardware Limited');
  await press('Shift+ArrowUp');
  await says('North Hardware');
  await assertAccessible(page, 'a walk over words');
  await screenshot(page, 'words-walk');
  await press('Escape');
  await page.locator('.walked').waitFor({ state: 'detached' });
  assert.is(await field(page, 'company').inputValue(), 'ACME');
  assert.is(await focused(page), 'field-company');
  await press('Alt+ArrowDown');
  await says('ACME');
  await press('Tab');
  await page.locator('.walked').waitFor({ state: 'detached' });
  assert.is(await page.locator('.document [role=status]').textContent(), '');
});

test('nothing is taken without a field that has the focus, nor by who may not decide', async () => {
  const { id, page, click } = await opened();
  await click('Left');
  assert.is(await page.locator('.taking').count(), 0);
  assert.is(await field(page, 'company').inputValue(), 'ACME');
  const auditor = (await own.open(id, 'auditor')).page;
  await auditor.locator('.sheet img').waitFor();
  await field(auditor, 'company').focus();
  await auditor.locator('button.box.active').waitFor();
  assert.is(await auditor.locator('.taking').count(), 0);
});

test('without a field that has the focus words are selected, and copied line by line', async () => {
  const { page, word, click } = await opened();
  const over = async (from: string, to: string): Promise<void> => {
    await word(from);
    const [end, start] = [await word(to), await word(from)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 4 });
    await page.mouse.up();
  };
  const copied = async (): Promise<string> => {
    await page.keyboard.press('Control+c');
    await field(page, 'company').focus();
    await page.keyboard.press('Control+v');
    const text = await field(page, 'company').inputValue();
    await page.keyboard.press('Escape');
    return text;
  };
  await over('2026-05-12', '42.50');
  assert.is(await page.locator('.reach').count(), 0);
  assert.is(await focused(page), '');
  await screenshot(page, 'words-selected');
  assert.is(await copied(), '2026-05-12\nTotal 42.50');
  await over('42.50', 'Total');
  assert.is(await copied(), 'Total 42.50');
  await page.mouse.dblclick(...(Object.values(await word('Delivered')) as [number, number]));
  assert.is(await copied(), 'Delivered');
  await field(page, 'company').focus();
  await click('Left');
  await reads(page, 'company', 'Left');
  assert.is(await page.evaluate('getSelection().toString()'), '');
});

test('where no words are kept, or they can’t be read, values are typed, and nothing is said of it', async () => {
  for (const [status, body] of [
    [200, '{"words":[]}'],
    [404, '{"code":"not-found","status":404,"title":"Not found","detail":"There is no such page."}'],
  ] as const) {
    let asked = 0;
    const { page } = await opened((opening) =>
      opening.route('**/pages/1/words', (route) => {
        asked += 1;
        return route.fulfill({ status, body, contentType: 'application/json' });
      }),
    );
    await eventually('the question', async () => asked > 0);
    await field(page, 'company').fill('Typed');
    await page.getByRole('button', { name: 'Approve with 1 correction' }).waitFor();
    assert.is(await page.locator('[data-word]').count(), 0);
    assert.is(await page.getByText('There is no such page.').count(), 0);
  }
});

test('pages with words are accessible in both themes, also while words are dragged over', async () => {
  const { page, word } = await opened();
  await field(page, 'company').focus();
  const [from, to] = [await word('North'), await word('Limited')];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.locator('.reach').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `words, ${colorScheme}`);
    await screenshot(page, `words-${colorScheme}`);
  }
});
