import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import type { Box } from '../../domain/submission/processingResult.ts';
import { systemClock } from '../../kernel/clock.ts';
import { openFiles } from '../../runtime/drivers.ts';
import { pathIn } from '../../stores/objects/embedded/openObject.ts';
import { wordsKey } from '../../stores/objects/keys.ts';
import { eventually, suite } from '../harness.ts';
import { pdfWith } from '../processing/files.ts';
import { type Client, client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { engines } from '../support/ownEngines.ts';
import { startServerProcess } from '../support/process.ts';
import { startService, type TestService, testSettings } from '../support/service.ts';
import { createTenant } from '../support/tenant.ts';

const test = suite('words of pages over HTTP');
const settings = { EXTRACTOR_SECRET: 'the secret of the extractor' };
const samples = new URL('../../../scripts/samples/', import.meta.url);
const photo = { content: readFileSync(new URL('receipt.jpg', samples)), mimeType: 'image/jpeg' };
const pdf = { content: readFileSync(new URL('receipt.pdf', samples)), mimeType: 'application/pdf' };

let service: TestService;
let api: Client;
test.before(async () => {
  const fields = { company: 'ACME Trading', date: '2018-03-12', total: 80.9 };
  const confidences = { company: 0.9, date: 0.9, total: 0.9 };
  service = await startService(settings, {
    answer: () => ({ status: 200, body: JSON.stringify({ fields, confidences }) }),
  });
  api = (await service.company()).api;
});
test.after(() => service.close());

type Word = Readonly<{ text: string; box: Box }>;
type File = Readonly<{ content: string | Uint8Array; mimeType: string }>;

/** A submission that was processed, and the addresses of the pages of its files. */
const processed = async (files: readonly File[], by = api, slug = 'receipt') => {
  const { submissionId, result } = await by.process(files, {}, slug);
  const { body } = await by.get(`/api/v1/submissions/${submissionId}`);
  const ids: readonly string[] = body.files.map(({ id }: { id: string }) => id);
  const pages = ids.map((id) => `/api/v1/submissions/${submissionId}/files/${id}/pages`);
  return { submissionId, body, result, ids, pages };
};
const wordsAt = async (pages: string | undefined, by = api): Promise<readonly Word[]> => {
  const { status, body, text } = await by.get(`${pages}/1/words`);
  assert.is(status, 200, text);
  return body.words;
};
const inside = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left - 0.01 &&
  inner.top >= outer.top - 0.01 &&
  inner.right <= outer.right + 0.01 &&
  inner.bottom <= outer.bottom + 0.01;

test('the words of a PDF and a photo stand where the values do, on pages of the sizes that are listed [words-1]', async () => {
  for (const file of [pdf, photo]) {
    const { result, pages } = await processed([file]);
    const words = await wordsAt(pages[0]);
    assert.ok(words.length > 10, `${words.length} words`);
    const { size } = (await api.get(pages[0] ?? '')).body.pages[0];
    const sheet = { left: 0, top: 0, right: size.width, bottom: size.height };
    for (const { text, box } of words) assert.ok(inside(box, sheet), `${text} ${JSON.stringify(box)}`);
    const { text, place } = result.fields.total;
    const within = words.filter(({ box }) => inside(box, place.box));
    assert.is(within.map((word) => word.text).join(' '), text);
    const tops = words.map(({ box }) => box.bottom);
    assert.ok((tops[0] ?? 0) < (tops.at(-1) ?? 0), 'from the top to the bottom');
  }
});

test('of a page the first 3,000 words are kept, and none of more than 200 characters [words-2]', async () => {
  const lines = Array.from({ length: 78 }, (_, line) =>
    Array.from({ length: 40 }, (_, at) => `w${line * 40 + at}`).join(' '),
  );
  const texts = ['x'.repeat(201), 'y'.repeat(200), ...lines];
  const shown = texts.map((text, line) => `1 0 0 1 10 ${988 - line * 12} Tm (${text}) Tj`);
  const bytes = pdfWith(Buffer.from(`BT /F1 4 Tf ${shown.join('\n')} ET`), '', '/MediaBox [0 0 600 1000]');
  const { pages } = await processed([{ content: bytes, mimeType: 'application/pdf' }]);
  const words = (await wordsAt(pages[0])).map(({ text }) => text);
  assert.equal(
    [words.length, ...words.slice(0, 3), words.at(-1)],
    [3_000, 'y'.repeat(200), 'w0', 'w1', 'w2998'],
  );
});

test('there are none of text and JSON, nor of what an extractor read, though its pages were compared [words-3]', async () => {
  const text = { content: 'Company: ACME\nDate: 2018-03-12\nTotal: 80.9\n', mimeType: 'text/plain' };
  const here = await processed([text, receiptText()]);
  for (const pages of here.pages) assert.equal(await wordsAt(pages), []);
  const fraud = { checks: ['near_duplicate_image'] };
  const http = { url: `${service.receiver.url}/`, secretEnv: 'EXTRACTOR_SECRET' };
  const elsewhere = await service.company({
    ...receiptDefinition,
    slug: 'elsewhere',
    processing: { extractor: { http }, fraud },
  });
  const there = await processed([pdf], elsewhere.api, 'elsewhere');
  assert.is(there.body.submissionStatus, 'approved');
  assert.equal(await wordsAt(there.pages[0], elsewhere.api), []);
});

test('they are seen by those who see the page, under a tag that names them [words-4]', async () => {
  const { pages } = await processed([pdf]);
  const path = `${pages[0]}/1/words`;
  const { headers } = await api.get(path);
  const tag = headers.get('etag') ?? '';
  assert.match(tag, /^"[\w-]{24}"$/);
  assert.is(headers.get('cache-control'), 'private, no-cache');
  const again = await api.get(path, { headers: { 'if-none-match': tag } });
  assert.equal([again.status, again.text], [304, '']);
  const other = await processed([pdf]);
  for (const absent of [
    `${pages[0]}/2/words`,
    `${pages[0]}/0/words`,
    `${pages[0]}/x/words`,
    `${pages[0]?.replace(/fil_\w+/, other.ids[0] ?? '')}/1/words`,
  ])
    assert.is((await api.get(absent)).status, 404, absent);
  const stranger = await service.company();
  const known = { headers: { 'if-none-match': tag } };
  assert.is((await stranger.api.get(path, known)).status, 404);
  assert.is((await client(service.url, null).get(path, known)).status, 401);
});

test('words that can’t be kept fail nothing [words-5]', async () => {
  if (engines.includes('files')) return;
  const session = await api.open([pdf]);
  const { submissionId } = session;
  const key = wordsKey(submissionId, session.uploads[0].fileId);
  const inTheWay = pathIn(join(service.dataDir, 'objects'), key);
  mkdirSync(dirname(inTheWay), { recursive: true });
  mkdirSync(inTheWay);
  assert.is((await api.submit(session)).status, 202);
  assert.is((await api.ended(session, 60_000)).submissionStatus, 'approved');
  rmdirSync(inTheWay);
  const { files } = (await api.get(`/api/v1/submissions/${submissionId}`)).body;
  assert.equal(await wordsAt(`/api/v1/submissions/${submissionId}/files/${files[0].id}/pages`), []);
});

test('they lie sealed, and a redaction leaves none of them [words-6]', async () => {
  const { submissionId, ids, pages } = await processed([pdf]);
  assert.ok((await wordsAt(pages[0])).length > 0);
  const files = await openFiles(service.config, systemClock);
  try {
    const key = wordsKey(submissionId, ids[0] ?? '');
    const stored = await files.read(key);
    const bytes = stored && (await buffer(stored));
    assert.throws(() => gunzipSync(bytes ?? ''), /incorrect header/);
    const basis = { reason: 'article 17', legalBasis: 'erasure_request' };
    const at = `/api/v1/submissions/${submissionId}`;
    assert.is((await api.post(`${at}/redact`, basis)).status, 202);
    assert.equal(await wordsAt(pages[0]), []);
    const { events } = await eventually(
      'the end of the redaction',
      async () => {
        const { body } = await api.get(at);
        return body.redaction === 'done' && body;
      },
      60_000,
    );
    assert.is(events.at(-1).details.objects, 2);
    assert.is(await files.head(key), null);
    assert.equal(await wordsAt(pages[0]), []);
  } finally {
    await files.close();
  }
});

test.long('they are there after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-words-'));
  const own = testSettings(dataDir);
  try {
    const { key } = await createTenant(own);
    const first = await startServerProcess(own);
    const before = client(first.url, key);
    const { pages } = await processed([pdf], before);
    const words = await wordsAt(pages[0], before);
    assert.ok(words.length > 0);
    await first.stop();
    const second = await startServerProcess(own);
    assert.equal(await wordsAt(pages[0], client(second.url, key)), words);
    await second.stop();
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
