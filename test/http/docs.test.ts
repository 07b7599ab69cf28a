import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { problemTypes } from '../../http/engine/problems/problemTypes.ts';
import type { OpenApi } from '../../http/openapi/types.ts';
import { suite } from '../harness.ts';
import { type Client, client } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

import { articlesIn } from './docsPage.ts';

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
/** All that a page links or loads. */
const targets = (text: string): readonly string[] =>
  [...text.matchAll(/ (?:href|src|srcset)="([^"]+)"/g)].map(([, target = '']) => target);
const links = (text: string): readonly string[] =>
  [...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, target = '']) => target);

/** Pages of the README's table that are for those who have the source. */
const OF_THE_SOURCE = ['architecture', 'development', 'performance', 'glossary', 'dependencies'];

/** The operations of the page, without webhooks and schemas. */
const operationsIn = (text: string) => {
  const ids = new Set(
    Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId)),
  );
  return articlesIn(text).filter(({ id }) => ids.has(id));
};

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

/** The addresses of the guides, as the README lists them. */
const guides = [...readFileSync('README.md', 'utf8').matchAll(/\]\(docs\/([\w-]+)\.md\)/g)]
  .map(([, name = '']) => name)
  .filter((name) => !OF_THE_SOURCE.includes(name))
  .map((name) => `/docs/guides/${name}`);

test('the pages load what this service has, run nothing inline, and say so in their policy [pages-3]', async () => {
  for (const path of ['/', '/docs', '/docs/search?q=webhook', '/problems/not-found', ...guides]) {
    const { text, headers } = await anybody.get(path);
    assert.not.match(
      text,
      /<(iframe|object|embed|style)|<script(?! type="module" src=)|@import| on\w+=| style=/i,
    );
    for (const [, target = ''] of text.matchAll(/ (?:src|srcset)="([^"]*)"|<link [^>]*href="([^"]*)"/g))
      assert.not.match(target, /^(\w+:|\/\/)/, target);
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; (?!.*unsafe)(?!.*http)/);
    assert.is(headers.get('content-type'), 'text/html; charset=utf-8');
  }
});

test('a page that has not changed is a 304', async () => {
  for (const path of ['/', '/docs', '/problems/not-found', '/docs/guides/webhooks', '/docs/style.css']) {
    const { headers } = await fetch(`${service.url}${path}`);
    const again = await fetch(`${service.url}${path}`, {
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });
    assert.is(again.status, 304, path);
  }
});

test('every page of docs/ that the README lists for readers without the source is a guide [pages-6]', async () => {
  assert.ok(guides.length > 10);
  for (const path of guides) {
    const { status, text } = await anybody.get(path);
    assert.is(status, 200, path);
    assert.match(text, /<h1 id="/, path);
    assert.ok(page.includes(`href="${path.slice(1)}"`), `/docs links ${path}`);
  }
  for (const name of [...OF_THE_SOURCE, 'nothing', 'README'])
    assert.is((await anybody.get(`/docs/guides/${name}`)).status, 404, name);
});

test('each operation links a guide, and guides link the operations that they name [pages-6]', async () => {
  assert.ok(operationsIn(page).length > 80);
  for (const { id, html } of operationsIn(page)) assert.match(html, /href="docs\/guides\/[\w-]+/, id);
  const { text } = await anybody.get('/docs/guides/webhooks');
  assert.match(text, '<a href="../../docs#listDeliveries"><code>GET /api/v1/webhook-deliveries?');
  const [deliveries] = operationsIn(page).filter(({ id }) => id === 'listDeliveries');
  assert.match(deliveries?.html ?? '', 'href="docs/guides/webhooks#list-and-send-again"');
});

test('/ leads to the document, the page and the health, for people and for programs [pages-4]', async () => {
  const { status, text, headers } = await anybody.get('/');
  assert.equal([status, headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.equal(links(text), ['console', 'docs', 'openapi.json', 'health/ready']);
  const related = [...(headers.get('link') ?? '').matchAll(/<\/([^>]+)>; rel="[\w-]+"/g)].map(([, to]) => to);
  assert.equal(related, links(text).slice(1)); // the console is for people
  // Without projections an engine's log is ahead of the read models: what is asked for is there, and not
  // ready.
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
  assert.is(await meant('GET', '/api/v1/api/v1/jobs/secret'), 'GET /api/v1/jobs/{sessionId}');
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

test('every link, anchor and file of every page leads somewhere [pages-6]', async () => {
  const found = new Map<string, Promise<ReadonlySet<string>>>();
  const idsOf = async (path: string) => {
    const answer = await fetch(`${service.url}${path}`);
    assert.is(answer.status, 200, path);
    return ids(await answer.text());
  };
  const idsAt = (path: string): Promise<ReadonlySet<string>> => {
    const known = found.get(path) ?? idsOf(path);
    found.set(path, known);
    return known;
  };
  for (const path of ['/', '/docs', '/docs/search?q=webhook', '/problems/not-found', ...guides])
    for (const target of targets((await anybody.get(path)).text)) {
      const { origin, pathname, hash } = new URL(target, `${service.url}${path}`);
      if (origin !== service.url) continue;
      const there = await idsAt(pathname);
      if (hash) assert.ok(there.has(hash.slice(1)), `${path} leads to ${target}`);
    }
});

test('every tag that is opened is closed', async () => {
  for (const path of ['/docs', '/docs/search?q=webhook', ...guides]) {
    const open: string[] = [];
    for (const [, closing, name = ''] of (await anybody.get(path)).text.matchAll(
      /<(\/?)([a-z0-9]+)[^>]*>/g,
    )) {
      if (['meta', 'br', 'link', 'img', 'source', 'input'].includes(name)) continue;
      if (closing) assert.is(open.pop(), name, path);
      else open.push(name);
    }
    assert.equal(open, [], path);
  }
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

test('a search finds operations, guides and problems that have every word [pages-9]', async () => {
  const found = async (question: string): Promise<readonly string[]> => {
    const { status, text } = await anybody.get(`/docs/search?q=${encodeURIComponent(question)}`);
    assert.is(status, 200);
    const [, list = ''] = /<ul id="found">([\s\S]*?)<\/ul>/.exec(text) ?? [];
    return links(list).map((target) =>
      new URL(target, `${service.url}/docs/search`).href.slice(service.url.length),
    );
  };
  assert.ok((await found('approve submission')).includes('/docs#approveSubmission'));
  assert.ok((await found('WEBHOOK retry')).includes('/docs/guides/webhooks#retries'));
  assert.is((await found('idempotency-key-reused'))[0], '/problems/idempotency-key-reused');
  assert.ok((await found('jobs/{sessionId}')).includes('/docs#getJob'));
  assert.ok((await found('approv submis')).includes('/docs#approveSubmission'));
  assert.equal(await found('approve nonexistentword'), []);
  assert.equal(await found('   '), []);
  for (const target of await found('webhook'))
    assert.is((await fetch(`${service.url}${target}`)).status, 200);
});

test('a question is text, whatever it holds [pages-9]', async () => {
  for (const question of ['<script>alert(1)</script>', '"><img src=x>', '(((', '\\', '.*', '\u0000']) {
    const { text } = await anybody.get(`/docs/search?q=${encodeURIComponent(question)}`);
    assert.not.match(text, /<script>|<img src=x/);
  }
  assert.is((await anybody.get(`/docs/search?q=${'x'.repeat(201)}`)).status, 400);
});

test('the script of the pages is small, and there [pages-8]', async () => {
  const answer = await fetch(`${service.url}/docs/page.js`);
  assert.is(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
  const { length } = await answer.text();
  assert.ok(length > 1_000 && length < 20_000, `${length} bytes`);
});
