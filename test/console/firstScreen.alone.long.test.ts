import { availableParallelism, loadavg } from 'node:os';
import type { BrowserContext, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { note } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: first screen');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const TRIES = 5;
const row = (page: Page) => page.getByRole('region', { name: 'Queue' }).getByRole('link').first();

/** A poor connection by phone: 400 kbit/s, 300 ms. */
const SLOW = { offline: false, latency: 300, downloadThroughput: 50_000, uploadThroughput: 50_000 };

const coldStart = async (context: BrowserContext, isSlow = false): Promise<number> => {
  const cold = await context.newPage();
  const debuggerOf = await context.newCDPSession(cold);
  await debuggerOf.send('Network.clearBrowserCache');
  if (isSlow) {
    await debuggerOf.send('Network.enable');
    await debuggerOf.send('Network.emulateNetworkConditions', SLOW);
  }
  const asked: string[] = [];
  cold.on('request', (request) => asked.push(request.url()));
  const started = performance.now();
  await cold.goto('/console');
  await row(cold).waitFor();
  const took = performance.now() - started;
  const rows = asked.filter(
    (url) => url.includes('/api/v1/review-queue?limit=100&') && !url.includes('wait='),
  );
  assert.is(rows.length, 1, 'the rows are asked for once, by the script before the modules');
  await cold.close();
  return took;
};

test('the first screen of a reviewer, which is the queue, is usable in a second on a cold cache', async () => {
  const { id, api } = await world.service.company({ ...receiptDefinition, processing: { review: 'always' } });
  await api.process([receiptText()]);
  const { page, context } = await world.pageOf(id, 'reviewer', '/console');
  await row(page).waitFor();
  await page.close();
  const times: number[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) times.push(await coldStart(context));
  // What others do on the machine is none of the page's time: then the fastest says what the page takes.
  const isQuiet = (loadavg()[0] ?? 0) < availableParallelism();
  while (!isQuiet && Math.min(...times) >= 1_000 && times.length < 2 * TRIES)
    times.push(await coldStart(context));
  const [fastest = 0, , median = 0] = times.toSorted((one, other) => one - other);
  const judged = isQuiet ? median : fastest;
  note(
    `the queue on a cold cache: ${fastest.toFixed(0)} ms at the fastest of ${times.length}, ${median.toFixed(0)} ms the third; ${isQuiet ? 'the median of five is judged' : 'the machine is busy, and the fastest is judged'}`,
  );
  assert.ok(judged < 1_000, `${times.map((ms) => ms.toFixed(0))} ms`);
});

test('the queue is usable in two and a half seconds at 400 kbit/s and 300 ms, on a cold cache', async () => {
  const { id, api } = await world.service.company({ ...receiptDefinition, processing: { review: 'always' } });
  await api.process([receiptText()]);
  const { page, context } = await world.pageOf(id, 'reviewer', '/console');
  await row(page).waitFor();
  await page.close();
  const times: number[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) times.push(await coldStart(context, true));
  const fastest = Math.min(...times);
  note(`the queue at 400 kbit/s and 300 ms: ${fastest.toFixed(0)} ms at the fastest of ${times.length}`);
  assert.ok(fastest <= 2_500, `${times.map((ms) => ms.toFixed(0))} ms`);
});
