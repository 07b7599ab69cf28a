import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { startKeptDemo } from '../../scripts/demo/kept.ts';
import { assertAccessible, browserSuite, openBrowser } from './browser.ts';

const test = browserSuite('console: npm run demo -- --keep');

test(
  'a click logs a new user in, who decides a submission; it ends without a trace',
  async () => {
    const { address, data, stop } = await startKeptDemo();
    try {
      // Its log-in page is of another origin than the console.
      const { unwatched, close } = await openBrowser(address);
      const page = await (await unwatched()).newPage();
      assert.is((await page.goto(address.slice(0, -1)))?.status(), 404);
      await page.goto(address);
      await assertAccessible(page, 'log-in page of the demo');
      await page.getByRole('link', { name: 'accept an invitation' }).click();
      await page.getByText(/^You were invited as nora@/).waitFor();
      await page.goto(address);
      await page.getByRole('button', { name: 'Ann Meyer, reviewer' }).click();
      await page.waitForURL(/\/console/);
      const { origin } = new URL(page.url());
      await page.goto(`${origin}/console/submissions?status=review`);
      await page.getByRole('row').filter({ hasText: 'taxi.jpg' }).getByRole('link').first().click();
      const taxi = page.getByRole('heading', { level: 1, name: /Taxi/i });
      await taxi.waitFor();
      const { pathname } = new URL(page.url());
      await page.keyboard.press('Control+Enter');
      await taxi.waitFor({ state: 'detached' });
      await page.goto(`${origin}${pathname}?view=timeline`);
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Approved' })
        .getByText('Ann Meyer')
        .first()
        .waitFor();
      await close();
      assert.is(await stop(), 0);
      assert.not.ok(existsSync(data));
    } finally {
      await stop();
    }
  },
  { timeoutMs: 240_000 },
);
