import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { receiptDefinition } from '../support/definition.ts';
import { freePort } from '../support/freePort.ts';
import { startService, type TestService } from '../support/service.ts';
import { browserSuite, openBrowser } from './browser.ts';

const test = browserSuite('uploads from pages of other origins');
const LARGE = 105_000_000;
const mimeType = 'text/plain';
let service: TestService;
let api: Awaited<ReturnType<TestService['company']>>['api'];
let pages: Server;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let port: number;

test.before(async () => {
  pages = createServer((_request, response) => response.end('<!doctype html><title>a page</title>'));
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  port = (pages.address() as AddressInfo).port;
  const storagePort = await freePort();
  service = await startService({
    STORAGE_PORT: String(storagePort),
    STORAGE_ORIGINS: `http://app.test:${port}`,
  });
  const { upload } = receiptDefinition;
  ({ api } = await service.company({ ...receiptDefinition, upload: { ...upload, maxFileSizeMb: 200 } }));
  browser = await openBrowser(`http://app.test:${port}`);
});
test.after(async () => {
  await browser?.close();
  await service?.close();
  pages?.close();
});

/** A page of this host, which nothing watches: it asks the storage. */
const pageOf = async (host: string): Promise<Page> => {
  const page = await (await browser.unwatched()).newPage();
  await page.goto(`http://${host}:${port}/`);
  return page;
};

/**
 * What a page does with an upload; `bytes` is how large a file it sends. Gives the status, 0 where it may
 * not.
 */
const sending = `async ({ upload, bytes, mimeType }) => {
  const file = new Blob([new Uint8Array(bytes).fill(97)], { type: mimeType });
  const seen = [];
  const send = (method, url, headers, body) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded }) => seen.push(loaded);
    request.onload = () => resolve(request.status);
    request.onerror = () => resolve(0);
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
  });
  if (upload.parts) {
    const statuses = [];
    let start = 0;
    for (const { url, headers, size } of upload.parts) {
      const answer = await fetch(url, { method: 'PUT', headers, body: file.slice(start, start + size) });
      statuses.push(answer.status);
      start += size;
    }
    return { status: Math.max(...statuses), least: Math.min(...statuses), progress: statuses.length };
  }
  if (!upload.fields) {
    const status = await send('PUT', upload.url, upload.headers, file);
    return { status, least: status, progress: seen.at(-1) };
  }
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...upload.fields, 'Content-Type': mimeType })) form.append(name, value);
  form.append('file', file);
  const status = await send('POST', upload.url, upload.headers, form);
  return { status, least: status, progress: seen.at(-1) };
}`;

type Sent = Readonly<{ status: number; least: number; progress: number }>;
const sendFrom = (page: Page, upload: unknown, bytes: number): Promise<Sent> =>
  page.evaluate(`(${sending})(${JSON.stringify({ upload, bytes, mimeType })})`);
const open = async (bytes: number, more: object = {}) => {
  const session = await api.open([], { ...more, files: [{ mimeType, fileSize: bytes }] });
  return { session, upload: session.uploads[0] };
};

for (const [how, bytes, more] of [
  ['PUT', 300_000, {}],
  ['form', 300_000, { uploadMethod: 'POST' }],
  ['parts', LARGE, {}],
] as const)
  test(`a page of a listed origin uploads by ${how}, and sees progress; one of another origin can’t [uploads-27]`, async () => {
    const foreign = await open(bytes, more);
    const page = await pageOf('evil.test');
    const refused = await sendFrom(page, foreign.upload, bytes).catch(() => ({ status: 0 }));
    assert.is(refused.status, 0, 'the browser hides the answer');
    assert.is((await api.submit(foreign.session)).status, 422, 'nothing was stored');
    const own = await open(bytes, more);
    const sent = await sendFrom(await pageOf('app.test'), own.upload, bytes);
    assert.equal([sent.status, sent.least], [200, 200]);
    assert.ok(sent.progress >= (how === 'parts' ? 7 : bytes), `${sent.progress} were told of`);
    assert.is((await api.submit(own.session)).status, 202);
  });

test('a page without a script uploads by a form [uploads-26]', async () => {
  const text = 'Company: ACME';
  const { session, upload } = await open(text.length, { uploadMethod: 'POST' });
  const page = await pageOf('app.test');
  const inputs = Object.entries(upload.fields as Record<string, string>)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    .join('');
  await page.setContent(
    `<form method="post" enctype="multipart/form-data" action="${upload.url}">${inputs}<input type="file" name="file"><button>Send</button></form>`,
  );
  await page.setInputFiles('input[type=file]', { name: 'a.txt', mimeType, buffer: Buffer.from(text) });
  const answered = page.waitForResponse(upload.url);
  await page.click('button');
  assert.is((await answered).status(), 200);
  assert.is((await api.submit(session)).status, 202);
});
