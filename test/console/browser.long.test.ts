import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { accessibilityFaults, accessible, browserSuite, openBrowser } from './browser.ts';

const test = browserSuite('console: the watch over pages');

const PAGES: Readonly<Record<string, string>> = {
  '/': '<h1>Good</h1>',
  '/inline': '<h1>Bad</h1><p style="color: red">x</p>',
  '/host': '<h1>Bad</h1><img alt="" src="http://other.example/x.png">',
  '/throws': '<h1>Bad</h1><script src="/throws.js"></script>',
  '/control': '<h1>Bad</h1><input>',
  '/wide': `<h1>Bad</h1><pre>${'x'.repeat(100)}</pre>`,
};
let server: Server;
let url: string;
test.before(async () => {
  server = createServer(({ url: path = '' }, response) => {
    const isScript = path.endsWith('.js');
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.setHeader('Content-Security-Policy', "default-src 'self'; img-src *");
    const head = '<!doctype html><html lang="en"><title>A page</title>';
    response.end(
      isScript ? "throw new Error('thrown')" : `${head}<body><main>${PAGES[path] ?? ''}</main></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.after(() => void server.close());

for (const [path, fault] of [
  ['/inline', /policy: style-src-attr inline/],
  ['/host', /request to http:\/\/other\.example\/x\.png/],
  ['/throws', /error: .*thrown/],
] as const)
  test(`${path} is a fault that no test overlooks`, async () => {
    const browser = await openBrowser(url);
    const page = await (await browser.context()).newPage();
    await page.goto(path);
    await eventually('the fault', () => browser.faults.some((text) => fault.test(text)));
    await browser.close().then(
      () => assert.unreachable('it closed without a word'),
      (error) => assert.match(error.message, 'what no page may do'),
    );
  });

test('a page without a fault is none, and one that people can not use is found', async () => {
  const browser = await openBrowser(url);
  const page = await (await browser.context()).newPage();
  await page.goto('/');
  await accessible(page, 'good');
  await page.goto('/control');
  assert.match((await accessibilityFaults(page)).join(), /label: <input>/);
  await page.goto('/wide');
  await accessible(page, 'wide').then(
    () => assert.unreachable('it is not too wide'),
    (error) => assert.match(error.message, /wide, narrow: \d+ px wide/),
  );
  await browser.close();
});
