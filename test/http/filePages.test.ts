import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { nestedForms } from '../processing/hostileFiles.ts';
import { type Client, client } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('pages of files over HTTP');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: Awaited<ReturnType<TestService['company']>>;
const samples = new URL('../../../scripts/samples/', import.meta.url);
const photo = { content: readFileSync(new URL('receipt.jpg', samples)), mimeType: 'image/jpeg' };
const pdf = { content: readFileSync(new URL('receipt.pdf', samples)), mimeType: 'application/pdf' };
const html = {
  content: '<!doctype html><script>document.title = "ran"</script><svg onload="alert(1)"/>',
  mimeType: 'text/html',
};

const settings = { EXTRACTOR_SECRET: 'secret of the extractor' };
/** Without workers: files are shown whatever becomes of them. */
const roles = ['api', 'projections', 'reactors'] as const;
const { upload } = receiptDefinition;
/** Its extractor reads all formats, so that a file of any may be submitted. */
const definition = {
  ...receiptDefinition,
  upload: { ...upload, acceptedFormats: [...upload.acceptedFormats, 'text/html', 'image/svg+xml'] },
  processing: { extractor: { http: { url: 'https://receiver.example/', secretEnv: 'EXTRACTOR_SECRET' } } },
};

test.before(async () => {
  // Without workers: files are shown whatever becomes of them.
  service = await startService(settings, {}, roles);
  people = await peopleOf(service);
  company = await service.company(definition);
});
test.after(async () => {
  await people.close();
  await service.close();
});

type File = Readonly<{ content: string | Uint8Array; mimeType: string }>;

/** The address of the pages of each file of a submission that was just made. */
const submitted = async (files: readonly File[], { api } = company) => {
  const session = await api.open(files);
  assert.is((await api.submit(session)).status, 202);
  const detail = await api.get(`/api/v1/submissions/${session.submissionId}`);
  const of = (id: string): string => `/api/v1/submissions/${session.submissionId}/files/${id}/pages`;
  return {
    submissionId: session.submissionId,
    paths: detail.body.files.map(({ id }: { id: string }) => of(id)),
  };
};
const one = async (file: File, by = company): Promise<string> => (await submitted([file], by)).paths[0];

const pictureOf = async (api: Client, path: string) => {
  const { key } = company;
  const response = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.is(response.status, 200, bytes.toString().slice(0, 300));
  assert.is((await api.get(path)).status, 200);
  return { headers: response.headers, bytes, ...(await sharp(bytes).metadata()) };
};

test('the pages of a PDF and a photo: their sizes, and pictures of the width asked for [file-pages-1, file-pages-3]', async () => {
  const { paths } = await submitted([pdf, photo]);
  const [first, second] = paths;
  const listed = await company.api.get(first);
  assert.equal(
    [listed.status, listed.body],
    [200, { mediaType: 'image/jpeg', pages: [{ page: 1, size: { width: 320, height: 600 } }] }],
  );
  const { width: wide = 0, height: high = 0 } = await sharp(photo.content).metadata();
  assert.equal((await company.api.get(second)).body.pages, [
    { page: 1, size: { width: wide, height: high } },
  ]);
  for (const [query, width] of [
    ['', 1_200],
    ['?width=400', 400],
    ['?width=1', 64],
    ['?width=99999', 2_400],
  ] as const) {
    const picture = await pictureOf(company.api, `${first}/1${query}`);
    assert.equal([picture.format, picture.width], ['jpeg', width], query);
    assert.is(Math.round((picture.height ?? 0) / (width / 320)), 600);
  }
  assert.is((await pictureOf(company.api, `${second}/1?width=2400`)).width, Math.min(2_400, wide));
  for (const query of ['?width=wide', '?width=-1', '?width=1.5', '?width=400&width=500', '?width='])
    assert.is((await company.api.get(`${first}/1${query}`)).status, 400, query);
});

test('no such page, file or submission is one 404', async () => {
  const { submissionId, paths } = await submitted([pdf]);
  const other = await submitted([photo]);
  const ids = [paths[0], other.paths[0]].map((path: string) => path.split('/')[6]);
  for (const path of [
    `${paths[0]}/2`,
    `${paths[0]}/0`,
    `${paths[0]}/-1`,
    `${paths[0]}/1.0`,
    `${paths[0]}/x`,
    `${paths[0]}/99999999999999999999`,
    `/api/v1/submissions/${submissionId}/files/${ids[1]}/pages`,
    `/api/v1/submissions/${submissionId}/files/${ids[1]}/pages/1`,
    `/api/v1/submissions/${submissionId}/files/..%2f..%2f/pages/1`,
  ])
    assert.equal([(await company.api.get(path)).status, path], [404, path]);
  const session = await company.api.open([pdf]);
  assert.is(
    (await company.api.get(`/api/v1/submissions/${session.submissionId}/files/${ids[0]}/pages`)).status,
    404,
  );
});

test('markup is text: its type is fixed, nothing sniffs it, and nothing in it runs [file-pages-4]', async () => {
  const declared = await Promise.all(
    ['text/html', 'text/plain', 'application/json'].map((mimeType) => one({ ...html, mimeType })),
  );
  for (const path of declared) {
    const listed = await company.api.get(path);
    assert.equal(listed.body, { mediaType: 'text/plain', pages: [{ page: 1, size: null }] });
    const { status, headers, text } = await company.api.get(`${path}/1`);
    assert.equal([status, text], [200, html.content]);
    assert.is(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.is(headers.get('x-content-type-options'), 'nosniff');
    assert.is(headers.get('content-security-policy'), "default-src 'none'; sandbox; frame-ancestors 'none'");
    assert.is(headers.get('cross-origin-resource-policy'), 'same-origin');
  }
});

test('an SVG is never shown; one that is called text is text [file-pages-4, file-pages-5]', async () => {
  const content =
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect/></svg>';
  const path = await one({ content, mimeType: 'image/svg+xml' });
  for (const asked of [path, `${path}/1`]) {
    const { status, body } = await company.api.get(asked);
    assert.equal([status, body.code], [422, 'page-not-drawable']);
    assert.match(body.detail, /^"front" is application\/xml, which can't be shown: download the file\.$/);
  }
  const { headers, text } = await company.api.get(`${await one({ content, mimeType: 'text/plain' })}/1`);
  assert.equal([headers.get('content-type'), text], ['text/plain; charset=utf-8', content]);
});

test('a page that is known is a 304 and not drawn again; it is kept by the caller’s browser alone [file-pages-6]', async () => {
  const path = await one(pdf);
  const known = new Set<string>();
  for (const asked of [path, `${path}/1`, `${path}/1?width=300`]) {
    const { headers } = await company.api.get(asked);
    const tag = headers.get('etag') ?? '';
    assert.match(tag, /^"[\w-]{24}"$/);
    assert.is(headers.get('cache-control'), 'private, no-cache');
    const again = await company.api.get(asked, { headers: { 'if-none-match': tag } });
    assert.equal([again.status, again.text, again.headers.get('etag')], [304, '', tag]);
    known.add(tag);
  }
  assert.is(known.size, 3, 'each picture has a tag of its own');
  const other = await one(pdf);
  const tags = await Promise.all(
    [path, other].map(async (each) => (await company.api.get(each)).headers.get('etag')),
  );
  assert.is.not(tags[0], tags[1], 'the same bytes of another submission');
});

test('each role of the company sees pages, others and nobody none, whatever they know [people-1, visibility-2]', async () => {
  const path = `${await one(photo)}/1`;
  const tag = (await company.api.get(path)).headers.get('etag') ?? '';
  for (const role of ['reviewer', 'auditor', 'org_admin'] as const) {
    const user = await people.user(company.id, role);
    assert.is((await user.api.get(path)).status, 200, role);
    assert.is((await (await user.page()).withoutToken.get(path)).status, 200, 'by cookie');
    assert.is((await user.api.get(path, { headers: { 'intake-mode': 'test' } })).status, 404);
  }
  const stranger = await service.company(definition);
  const headers = { 'if-none-match': tag };
  assert.is((await stranger.api.get(path, { headers })).status, 404);
  assert.is((await (await people.user(stranger.id)).api.get(path, { headers })).status, 404);
  assert.is((await client(service.url, null).get(path, { headers })).status, 401);
});

test('a page of another site shows none of it [people-3]', async () => {
  const path = `${await one(photo)}/1`;
  const page = await (await people.user(company.id, 'reviewer')).page();
  const { status, body } = await page.api.get(path, { headers: { 'sec-fetch-site': 'cross-site' } });
  assert.equal([status, body.code], [403, 'origin-not-allowed']);
});

test.long(
  'while a page never ends all else is answered, other companies’ pages too; more than may wait are a 429, and a stop ends it [file-pages-5]',
  async () => {
    const own = await startService(settings, {}, roles);
    const ended: number[] = [];
    const pages: Promise<void>[] = [];
    try {
      const first = await own.company(definition);
      const hostile = await one({ content: nestedForms(9), mimeType: 'application/pdf' }, first);
      const text = await one(html, first);
      const other = await own.company(definition);
      const theirs = await one(photo, other);
      const ask = (path: string) =>
        void pages.push(first.api.get(`${path}/1`).then(({ status }) => void ended.push(status)));
      const held = () => pages.length - ended.length;
      const shown = async () => assert.is((await other.api.get(`${theirs}/1`)).status, 200);
      ask(hostile);
      await eventually('a text waits for the page that never ends, though others are shown', async () => {
        ask(text);
        for (let n = 0; n < 2; n += 1) await shown();
        return held() > 1;
      });
      const before = [...ended];
      while (held() < 68) ask(text);
      await eventually('those beyond the 64 that may wait are refused', () => held() === 65);
      // In the processor time that a page may take.
      await Promise.all([
        shown(),
        ...Array.from({ length: 10 }, async () =>
          assert.is((await first.api.get('/api/v1/workflows')).status, 200),
        ),
      ]);
      assert.equal(ended, [...before, 429, 429, 429], 'nothing else of the company was answered');
    } finally {
      await own.close();
    }
    await Promise.all(pages);
    assert.equal(
      ended.slice(-65),
      Array.from({ length: 65 }, () => 503),
    );
  },
);
