import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: tables');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const column = (name: string, type: string, label: string) => ({ name, type, label, required: true });
const bill = {
  ...receiptDefinition,
  slug: 'bill',
  outputSchema: [
    {
      ...{ name: 'items', label: 'Items', required: true, type: 'table' },
      columns: [column('description', 'string', 'Description'), column('amount', 'number', 'Amount')],
    },
  ],
  processing: { review: 'always' },
};
const content = ['Description', 'Steel bolts', 'Brass nuts']
  .map((text, row) => text.padEnd(30) + ['Amount', '9.50', '3.00'][row])
  .join('\n');

const open = async () => {
  const { id: companyId, api } = await world.service.company(bill);
  const { submissionId } = await api.process([{ content, mimeType: 'text/plain' }], {}, 'bill');
  const { page } = await world.pageOf(companyId, 'reviewer', `/console/submissions/${submissionId}`);
  const data = async () => (await api.get(`/api/v1/submissions/${submissionId}`)).body;
  await cell(page, 'Description', 1).waitFor();
  return { page, data };
};

const cell = (page: Page, label: string, row: number) => page.getByLabel(`${label}, row ${row}`);

/** What a spreadsheet puts on the clipboard. */
const paste = (page: Page, text: string): Promise<unknown> =>
  page.evaluate(
    `((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.activeElement.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })(${JSON.stringify(text)})`,
  );

test('rows are corrected, added, deleted and pasted, by keyboard, and approved [tables-4]', async () => {
  const { page, data } = await open();
  await accessible(page, 'a table');
  await cell(page, 'Amount', 1).fill('10,50');
  await page.keyboard.press('ArrowDown');
  assert.is(await page.evaluate('document.activeElement.ariaLabel'), 'Amount, row 2');
  await page.getByRole('button', { name: 'Delete row 2' }).click();
  await cell(page, 'Amount', 2).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add a row' }).click();
  await cell(page, 'Description', 2).focus();
  await paste(page, 'Washers\t1.25\nScrews\t2.5\n');
  await cell(page, 'Amount', 3).waitFor();
  await page.keyboard.press('Control+Enter');
  await eventually('the approval', async () => (await data()).submissionStatus === 'approved');
  assert.equal((await data()).extractedData.items, [
    { description: 'Steel bolts', amount: 10.5 },
    { description: 'Washers', amount: 1.25 },
    { description: 'Screws', amount: 2.5 },
  ]);
});

test('a cell that can’t be so is named by its row and column, and keeps what was typed [tables-4]', async () => {
  const { page, data } = await open();
  await cell(page, 'Amount', 2).fill('many');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/^Row 2, Amount: /).waitFor();
  assert.is(await cell(page, 'Amount', 2).inputValue(), 'many');
  assert.is((await data()).submissionStatus, 'review');
  await accessible(page, 'a table with a fault');
});
