import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { consolePages } from '../../http/routes/console.ts';
import { note, suite } from '../harness.ts';
import { sharedService } from '../support/service.ts';
import { startFixture } from './engine/fixture.ts';

const TEXTS = '{"product":"Intake","noScript":"JavaScript","pageFailed":"Failed"}';
const FILES: Readonly<Record<string, string>> = {
  'frame/main-MAINMAIN.js': 'import{a}from"../modules/part.js";import("../modules/later.js");\n',
  'modules/later.js': 'import{a}from"./part.js";import{b}from"./other.js";\n',
  'modules/part.js': 'import"./deeper.js";export const a=["refused from","now on"];\n',
  'modules/deeper.js': '',
  'modules/other.js': 'export const b=1;\n',
  'app/early-EARLYEAR.js': '\n',
  'style-STYLESTY.css': 'a { color: red; }\n',
  'style-STYLESTY.css.br': 'not looked into',
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'texts.en-ENGLISHE.json': TEXTS,
  'texts.en-ENGLISHE.json.br': 'not looked into, too',
  'texts.de-DEUTSCHD.json': TEXTS.replace('JavaScript', 'Skripte'),
  'notes.txt': 'not served\n',
};

const test = suite('console: what is served');
const folder = mkdtempSync(join(tmpdir(), 'intake-console-'));
let fixture: Awaited<ReturnType<typeof startFixture>>;
test.before(async () => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  fixture = await startFixture({ pages: pagesIn(folder, 'https://intake.example.com/work/') });
});
test.after(async () => {
  await fixture?.close();
  rmSync(folder, { recursive: true, force: true });
});

const missed = (): never => {
  throw new Error('the folder has a console');
};
const pagesIn = (at: string, publicUrl: string | null) =>
  consolePages({ folder: at, publicUrl, missing: missed });

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${fixture.port}${path}`, init);

test('/console, every path below it and /invite are one page [console-1]', async () => {
  const first = await (await get('/console')).text();
  assert.match(first, /^<!doctype html>/);
  for (const path of [
    '/console/',
    '/console/submissions/sub_1',
    '/console/a.b/c?x=1',
    '/invite?token=secret',
  ]) {
    const answer = await get(path);
    assert.equal(
      [answer.status, answer.headers.get('content-type')],
      [200, 'text/html; charset=utf-8'],
      path,
    );
    assert.is(await answer.text(), first, path);
  }
  for (const path of [
    '/consoles',
    '/console.js',
    '/Console',
    '/invite/x',
    '/console/gone.js',
    '/console/texts.en.json',
    '/console/texts.en-GONEGONE.json',
    '/console/notes.css',
  ])
    assert.is((await get(path)).status, 404, path);
  for (const path of ['/console/..%2f..%2fpackage.json', '/console/frame'])
    assert.is(await (await get(path)).text(), first, path);
});

test('the page is asked for again only when it has changed [console-1]', async () => {
  for (const path of ['/console', '/console/icon.svg']) {
    const answer = await get(path);
    const tag = answer.headers.get('etag') ?? '';
    assert.match(tag, /^"[\w-]{22}"$/);
    assert.is(answer.headers.get('cache-control'), 'no-cache');
    assert.is((await get(path, { headers: { 'if-none-match': tag } })).status, 304);
    const head = await get(path, { method: 'HEAD' });
    assert.equal([head.status, await head.text()], [200, '']);
    assert.is(head.headers.get('content-length'), String(Buffer.byteLength(await answer.text())));
    const post = await get(path, { method: 'POST' });
    const { code } = (await post.json()) as { code: string };
    assert.equal([post.status, post.headers.get('allow'), code], [405, 'GET, HEAD', 'method-not-allowed']);
  }
});

test('a file whose name tells what is in it stays in caches; a browser gets brotli that takes it [console-4]', async () => {
  const [style, texts] = ['style-STYLESTY.css', 'texts.en-ENGLISHE.json'];
  const tags = new Set<unknown>();
  for (const [path, accepted, coding, text] of [
    [style, 'gzip, br', 'br', 'not looked into'],
    [style, 'gzip, br;q=0', undefined, FILES[style]],
    [texts, 'gzip, br', 'br', 'not looked into, too'],
    [texts, 'gzip', undefined, FILES[texts]],
  ] as const) {
    const ask = (accept: string, more: Readonly<Record<string, string>> = {}) =>
      fixture.pool.request({
        method: 'GET',
        path: `/console/${path}`,
        headers: { 'accept-encoding': accept, ...more },
      });
    const { statusCode, headers, body } = await ask(accepted);
    assert.equal(
      [statusCode, headers['content-encoding'], headers.vary, await body.text()],
      [200, coding, 'Accept-Encoding', text],
    );
    assert.is(headers['cache-control'], 'public, max-age=31536000, immutable');
    tags.add(headers.etag);
    const again = await ask(accepted, { 'if-none-match': String(headers.etag) });
    assert.equal(
      [again.statusCode, again.headers.vary, await again.body.text()],
      [304, 'Accept-Encoding', ''],
    );
  }
  assert.is(tags.size, 4);
});

test('a page of the console and of /docs can use no camera, microphone or place [pages-10]', async () => {
  const { url } = await sharedService();
  for (const path of ['/console', '/invite', '/docs', '/docs/guides/people', '/problems/not-found']) {
    const { status, headers } = await fetch(`${url}${path}`);
    const policy = headers.get('permissions-policy') ?? '';
    for (const what of ['camera', 'microphone', 'geolocation'])
      assert.ok(policy.split(', ').includes(`${what}=()`), `${path}: ${status} ${policy}`);
  }
});

test('the page lets in scripts and styles of the service alone, and can be framed by none [console-2]', async () => {
  const { headers, ...page } = await get('/console');
  const policy = headers.get('content-security-policy') ?? '';
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types workers',
  ])
    assert.ok(policy.split('; ').includes(part), part);
  assert.not.match(policy, /unsafe|\*|data:|https?:/);
  assert.is(headers.get('referrer-policy'), 'no-referrer');
  assert.is(headers.get('x-content-type-options'), 'nosniff');
  const text = await (await get('/console')).text();
  assert.not.match(text, /<style|style=|<script(?![^>]* src=)| on\w+=/, String(page));
  assert.equal(
    new Set([...text.matchAll(/(?:src|href)="(\/work\/console)?/g)].map(([, own]) => own)).size,
    1,
  );
});

test('the page names each module that its start needs [console-2]', async () => {
  const page = await (await get('/console')).text();
  const preloaded = [...page.matchAll(/modulepreload" href="\/work\/console\/([^"]+)"/g)];
  assert.equal(
    preloaded.map(([, path]) => path),
    ['frame/main-MAINMAIN.js', 'modules/part.js', 'modules/deeper.js'],
  );
});

test('the page loads the texts beside its modules, by the request that they make [console-2]', async () => {
  const page = await (await get('/console')).text();
  const [, path = '', more] =
    /<link rel="preload" as="fetch"[^>]* href="\/work([^"]+)"([^>]*)>/.exec(page) ?? [];
  assert.equal([path, more], ['/console/texts.en-ENGLISHE.json', ' crossorigin']);
  const answer = await get(path);
  assert.equal([answer.status, answer.headers.get('content-type')], [200, 'application/json']);
  assert.is(await answer.text(), TEXTS);
  assert.match(page, / data-texts="texts\.en-ENGLISHE\.json"\s+data-languages="\w\w \w\w"/);
});

test('the page is in the language that its reader chose, else in the one that the browser likes best [console-1]', async () => {
  const ask = (headers: Readonly<Record<string, string>>) =>
    fixture.pool.request({ method: 'GET', path: '/console/people', headers });
  const tags = new Map<string, unknown>();
  const cases: readonly (readonly [expected: string, accepted: string | null, cookie?: string])[] = [
    ['en', null],
    ['en', '*'],
    ['en', 'ja'],
    ['de', 'de'],
    ['de', 'DE-at,de;q=0.9,en;q=0.8'],
    ['de', 'ja,en;q=0.4,de;q=0.5'],
    ['en', 'en-GB,de;q=0.9'],
    ['en', 'de;q=0'],
    ['de', 'en', 'a=b; intake-language=de'],
    ['en', 'de', 'intake-language=en'],
    ['de', 'de', 'intake-language=ja'],
    ['de', 'de', 'intake-language=en; intake-language=en'],
  ];
  for (const [expected, accepted, cookie] of cases) {
    const { statusCode, headers, body } = await ask({
      ...(accepted !== null && { 'accept-language': accepted }),
      ...(cookie !== undefined && { cookie }),
    });
    const page = await body.text();
    const what = `${accepted} ${cookie}`;
    assert.equal([statusCode, /<html lang="(\w+)"/.exec(page)?.[1]], [200, expected], what);
    assert.is(headers.vary, 'Accept-Language, Cookie, Accept-Encoding', what);
    assert.is(/"preload" as="fetch"[^>]*texts\.(\w+)/.exec(page)?.[1], expected, what);
    assert.ok(page.includes(expected === 'de' ? '<noscript>Skripte<' : '<noscript>JavaScript<'), what);
    assert.is(tags.get(expected) ?? headers.etag, headers.etag, what);
    tags.set(expected, headers.etag);
  }
  assert.is(new Set(tags.values()).size, 2);
});

test('where nothing was compiled there is no console, which is told', () => {
  const told: string[] = [];
  const pages = consolePages({
    folder: join(folder, 'none'),
    publicUrl: null,
    missing: () => told.push('missing'),
  });
  assert.equal([pages('/console'), told], [null, ['missing']]);
});

test('paths of the console are logged without what a client put there', async () => {
  fixture.lines.length = 0;
  await get('/console/batches/secret-name');
  const [line] = fixture.lines;
  assert.equal([line?.path, line?.endpoint], ['/console', 'getConsole']);
});

/** `needs`: the scripts that are loaded with it. */
type Script = Readonly<{ size: number; needs: readonly string[]; loads: readonly string[] }>;

/** Every script that a page may load, by its path. */
const scriptsFrom = async (url: string, first: readonly string[]): Promise<ReadonlyMap<string, Script>> => {
  const found = new Map<string, Script>();
  const load = async (path: string): Promise<void> => {
    if (found.has(path)) return;
    const answer = await fetch(`${url}/console/${path}`);
    const media = answer.headers.get('content-type');
    assert.equal([answer.status, media], [200, 'text/javascript; charset=utf-8'], path);
    const text = await answer.text();
    const workers = [...text.matchAll(/"([\w/]+Worker\.js)"/g)].map(([, worker = '']) => worker);
    const imports = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, to = '']) => {
        assert.ok(to.startsWith('.'), `${path} imports ${to}`);
        return new URL(to, `http://console/${path}`).pathname.slice(1);
      });
    const needs = imports(/(?:from|import)\s*["']([\w@./-]+)["']/g);
    const loads = [...workers, ...needs, ...imports(/import\s*\(\s*["']([\w@./-]+)["']/g)];
    found.set(path, { size: Buffer.byteLength(text), needs, loads });
    for (const one of loads) await load(one);
  };
  for (const path of first) await load(path);
  return found;
};

/** What every screen loads, what the screens load that ask for it, and what these share: limits in bytes. */
const LIMITS = {
  main: 105_000,
  shared: 20_000,
  submission: 45_000,
  administration: 75_000,
  trial: 6_000,
  privacy: 15_000,
  evaluations: 15_000,
  verify: 45_000,
};
type Part = keyof typeof LIMITS;
const partOf = (path: string): Part => {
  const name = /^modules\/([a-z]+)-\w+\.js$/.exec(path)?.[1] ?? '';
  return Object.hasOwn(LIMITS, name) ? (name as Part) : 'shared';
};

/** Scripts, and all that is loaded with them. */
const neededBy = (paths: readonly string[], scripts: ReadonlyMap<string, Script>): ReadonlySet<string> => {
  const found = new Set(paths);
  for (const path of found) for (const one of scripts.get(path)?.needs ?? []) found.add(one);
  return found;
};

test('the service serves the whole console that npm run build compiled, in scripts of limited size [console-3]', async () => {
  assert.ok(existsSync('dist/console/app'), 'npm run build compiles the console');
  const { url } = await sharedService();
  const page = await (await fetch(`${url}/console`)).text();
  const first = [...page.matchAll(/<script [^>]*src="\/console\/([^"]+)"/g)].map(([, path = '']) => path);
  const scripts = await scriptsFrom(url, first);
  const sizes: Record<Part, number> = {
    ...{ main: 0, shared: 0, submission: 0, administration: 0 },
    ...{ trial: 0, privacy: 0, evaluations: 0, verify: 0 },
  };
  const main = neededBy(first, scripts);
  for (const [path, { size }] of scripts) sizes[main.has(path) ? 'main' : partOf(path)] += size;
  note(`the console's ${scripts.size} scripts, in bytes before compression: ${JSON.stringify(sizes)}`);
  assert.ok(scripts.size > 5 && Object.values(sizes).every((size) => size > 1_000));
  for (const [part, limit] of Object.entries(LIMITS))
    assert.ok(sizes[part as Part] < limit, `${part}: ${JSON.stringify(sizes)}`);
  assert.equal(
    scripts.get('screens/submission/patternWorker.js')?.loads,
    [],
    'a worker loads nothing of the page',
  );
  assert.match(page, /as="fetch"[^>]* href="\/console\/texts\.en-[A-F0-9]{8}\.json"/);
});
