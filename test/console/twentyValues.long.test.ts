import * as assert from 'uvu/assert';
import { pdfOf } from '../../scripts/samples/pdf.ts';
import { eventually, note } from '../harness.ts';
import { receiptDefinition } from '../support/definition.ts';
import { browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: twenty submissions with values from their pages');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const SIZE = 20;
const TAKEN = 8;

/** A page whose labelled total is wrong, and whose right one has no label. */
const paid = (amount: string) =>
  pdfOf([
    {
      ...{ width: 420, height: 300 },
      marks: [
        { text: 'Company: ACME', x: 30, y: 40 },
        { text: 'Date: 2026-05-12', x: 30, y: 60 },
        { text: 'Total 1.00', x: 30, y: 80 },
        { text: `Paid ${amount}`, x: 30, y: 160 },
      ],
    },
  ]);

test(
  'eight of twenty need a value that stands on the page: at most three keys for each decision',
  async () => {
    const { id, api } = await world.service.company({
      ...receiptDefinition,
      processing: { review: 'always' },
    });
    const ids: string[] = [];
    for (let n = 0; n < SIZE; n += 1) {
      const content = paid(`${n}7.25`);
      ids.push((await api.process([{ content, mimeType: 'application/pdf' }])).submissionId);
    }
    const page = (await world.pageOf(id, 'reviewer', '/console')).page;
    await eventually('the rows', async () => (await page.getByRole('row').count()) > SIZE);
    let keys = 0;
    const press = (key: string): Promise<void> => {
      keys += 1;
      return page.keyboard.press(key);
    };
    const [counts, times]: [number[], number[]] = [[], []];
    await page.keyboard.press('n');
    for (const [n, submissionId] of ids.entries()) {
      await page.waitForURL((url) => url.pathname.endsWith(`/submissions/${submissionId}`));
      await page.getByText(submissionId).first().waitFor();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      const isWrong = n < TAKEN;
      const last = page.locator('[data-word]').last();
      if (isWrong) await last.waitFor({ state: 'attached' });
      const started = performance.now();
      keys = 0;
      if (isWrong) {
        await page.locator('#field-total').click();
        const { x, y, width, height } = (await last.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
        await page.mouse.click(x + width / 2, y + height / 2);
        await page.getByRole('button', { name: 'Approve with 1 correction' }).waitFor();
      }
      await press('Control+Enter');
      if (!isWrong) continue;
      counts.push(keys);
      times.push(performance.now() - started);
    }
    await page.getByText('Nothing waits for a review').waitFor();
    const each = Math.round(times.reduce((sum, time) => sum + time, 0) / TAKEN);
    note(`${TAKEN} values taken from the page: ${Math.max(...counts)} keys and ${each} ms a decision`);
    assert.ok(Math.max(...counts) <= 3, `${counts}`);
    for (const [n, submissionId] of ids.entries()) {
      const { body } = await api.get(`/api/v1/submissions/${submissionId}`);
      assert.is(body.extractedData.total, n < TAKEN ? Number(`${n}7.25`) : 1, `number ${n}`);
    }
  },
  { timeoutMs: 240_000 },
);
