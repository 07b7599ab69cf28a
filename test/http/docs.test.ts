import { hash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { problemTypes } from '../../http/engine/problems/problemTypes.ts';
import type { OpenApi } from '../../http/openapi/types.ts';
import { suite } from '../harness.ts';
import { type Client, client } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('pages to read');
let service: TestService;
let anybody: Client;
let page: string;
let document: OpenApi;
test.before(async () => {
  service = await startService({}, {}, ['api']);
  anybody = client(service.url, null);
  page = (await anybody.get('/docs')).text;
  document = (await anybody.get('/openapi.json')).body;
});
test.after(() => service.close());

const ids = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
const links = (text: string): readonly string[] =>
  [...text.matchAll(/ href="([^"]+)"/g)].map(([, target = '']) => target);

test('/docs shows every operation, webhook, schema and problem of the document [pages-3]', () => {
  const here = ids(page);
  const operations = [
    ...Object.values(document.paths).flatMap((methods) => Object.values(methods)),
    ...Object.values(document.webhooks).map(({ post }) => post),
  ];
  for (const { operationId } of operations) assert.ok(here.has(operationId), operationId);
  for (const name of Object.keys(document.components.schemas)) assert.ok(here.has(`schema-${name}`), name);
  for (const code of Object.keys(problemTypes)) assert.ok(page.includes(`href="problems/${code}"`), code);
});

test('the pages load nothing, run nothing, and are styled by their own hash alone [pages-3]', async () => {
  for (const path of ['/', '/docs', '/problems/not-found']) {
    const { text, headers } = await anybody.get(path);
    assert.not.match(text, /<(script|link|img|iframe|object|form)|url\(|@import| on\w+="|src=/i);
    for (const target of links(text)) assert.not.match(target, /^(\w+:|\/\/)/, target);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
    const policy = headers.get('content-security-policy') ?? '';
    assert.ok(
      policy.startsWith(`default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}';`),
    );
    assert.is(headers.get('content-type'), 'text/html; charset=utf-8');
  }
});

test('/ leads to the document, the page and the health, for people and for programs [pages-4]', async () => {
  const { status, text, headers } = await anybody.get('/');
  assert.equal([status, headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.equal(links(text), ['console', 'docs', 'openapi.json', 'health/ready']);
  const related = [...(headers.get('link') ?? '').matchAll(/<\/([^>]+)>; rel="[\w-]+"/g)].map(([, to]) => to);
  assert.equal(related, links(text).slice(1)); // the console is for people
  // Without projections an engine's log is ahead of the read models: what is asked for is there, and not ready.
  for (const target of links(text))
    assert.is.not((await fetch(`${service.url}/${target}`)).status, 404, target);
});

test('a route that there is not is told so, with the one that was probably meant [problems-3]', async () => {
  const meant = async (method: 'GET' | 'POST' | 'DELETE', path: string): Promise<string | undefined> => {
    const { status, body } = await anybody.call(method, path);
    assert.equal([status, body.code], [404, 'not-found'], path);
    assert.match(body.detail, /^There is no such route\..* GET \/docs lists them all\.$/);
    assert.not.ok(body.detail.includes('secret'), body.detail);
    return /Did you mean `(.*)`\?/.exec(body.detail)?.[1];
  };
  assert.is(await meant('GET', '/api/v1/workflows/'), 'GET /api/v1/workflows');
  assert.is(await meant('GET', '/api/v1//workflows'), 'GET /api/v1/workflows');
  assert.is(await meant('GET', '/API/v1/Workflows'), 'GET /api/v1/workflows');
  assert.is(await meant('GET', '/workflows'), 'GET /api/v1/workflows');
  assert.is(await meant('GET', '/v1/workflows/secret'), 'GET /api/v1/workflows/{slug}');
  assert.is(await meant('GET', '/api/jobs/secret'), 'GET /api/v1/jobs/{sessionId}');
  assert.is(await meant('GET', '/api/v2/jobs/secret'), 'GET /api/v1/jobs/{sessionId}');
  assert.is(await meant('GET', '/workflows/secret/sessions'), 'POST /api/v1/workflows/{slug}/sessions');
  assert.is(await meant('POST', '/api/v1/auth/sessions'), 'POST /api/auth/sessions');
  assert.is(await meant('GET', '/Docs/'), 'GET /docs');
  assert.is(await meant('GET', '/secret'), undefined);
  assert.is(await meant('GET', '/api/v1/secret/%zz'), undefined);
});

test('a path with another method is a 405 that names both', async () => {
  const { status, body, headers } = await anybody.call('DELETE', '/api/v1/workflows');
  assert.equal([status, headers.get('allow')], [405, 'GET, HEAD']);
  assert.is(body.detail, 'This path takes GET, HEAD, not DELETE.');
});

test('every link of the page leads somewhere', async () => {
  const here = ids(page);
  const within = links(page).flatMap((target) => (target.startsWith('#') ? [target.slice(1)] : []));
  assert.equal(
    within.filter((id) => id !== 'top' && !here.has(id)),
    [],
  );
  for (const target of new Set(links(page).filter((one) => !one.startsWith('#'))))
    assert.is((await anybody.get(`/${target}`)).status, 200, target);
});

test('every tag that is opened is closed', () => {
  const open: string[] = [];
  for (const [, closing, name = ''] of page.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (['meta', 'br'].includes(name)) continue;
    if (closing) assert.is(open.pop(), name);
    else open.push(name);
  }
  assert.equal(open, []);
});

test('/problems/<code> tells what each problem means, and whether to try again [pages-5]', async () => {
  for (const [code, { status, title, retryable }] of Object.entries(problemTypes)) {
    const { text } = await anybody.get(`/problems/${code}`);
    assert.ok(text.includes(`<h1>${title}</h1>`) && text.includes(`<b>${status}</b>`), code);
    assert.ok(text.includes(`retryable</code> is ${retryable}`) || text.includes(`is ${retryable}.`), code);
  }
});

test('a code that no problem has is a 404', async () => {
  for (const code of ['teapot', 'Not-Found', 'constructor', 'not-found%00'])
    assert.is((await anybody.get(`/problems/${code}`)).body.code, 'not-found', code);
});
