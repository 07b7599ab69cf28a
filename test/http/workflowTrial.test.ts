import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, type Reply, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('documents on trial');
const PATH = '/api/internal/workflow-trials';
const samples = new URL('../../../scripts/samples/', import.meta.url);
const photo = readFileSync(new URL('receipt.jpg', samples));
const pdf = readFileSync(new URL('receipt.pdf', samples));
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: Awaited<ReturnType<TestService['company']>>;
let superAdmin: Client;
let orgAdmin: Client;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  company = await service.company(receiptDefinition);
  superAdmin = (await people.user()).api;
  orgAdmin = (await people.user(company.id, 'org_admin')).api;
});
test.after(async () => {
  await people.close();
  await service.close();
});

type File = Readonly<{ content: string | Uint8Array; mimeType: string }>;
const text: File = { content: 'ACME Trading Ltd\nDate: 12/03/2018\nTotal 80.90\n', mimeType: 'text/plain' };
const fileOf = ({ content, mimeType }: File) => ({
  mimeType,
  content: Buffer.from(content).toString('base64'),
});
const attempt = (file: File, more: object = {}, api: Client = superAdmin): Promise<Reply> =>
  api.post(PATH, { definition: { ...receiptDefinition, slug: 'draft', ...more }, file: fileOf(file) });
const pointersOf = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map((one: { pointer: string }) => one.pointer),
];

test('a document is read by a draft as a submission of it would be, with places, pages and reasons [workflows-15]', async () => {
  const { status, body } = await attempt({ content: pdf, mimeType: 'application/pdf' });
  assert.is(status, 200);
  const job = await company.api.process([{ content: pdf, mimeType: 'application/pdf' }]);
  const { fields, pages } = (await company.api.get(`/api/v1/submissions/${job.submissionId}/result`)).body
    .result;
  assert.is(body.submissionStatus, job.submissionStatus);
  assert.is(body.result.pages, pages);
  const without = (read: object) =>
    JSON.parse(JSON.stringify(read, (name, value) => (name === 'fileId' ? undefined : value)));
  assert.equal(without(body.result.fields), without(fields));
  const [first] = body.pages;
  assert.equal([first.page, first.mediaType], [1, 'image/jpeg']);
  const { width, height } = await sharp(Buffer.from(first.content, 'base64')).metadata();
  assert.ok(Math.abs(first.size.height / first.size.width - height / width) < 0.01);
  const strict = (await attempt(text, { processing: { reviewBelow: 1 } })).body;
  assert.equal([strict.submissionStatus, strict.reviewReasons[0].code], ['review', 'low_confidence']);
  assert.is(Buffer.from(strict.pages[0].content, 'base64').toString(), text.content);
  const total = { outputSchema: [{ name: 'total', required: true, type: 'number' }] };
  const nothing = (await attempt({ content: 'Lorem ipsum', mimeType: 'text/plain' }, total)).body;
  const placed = nothing.reviewReasons.filter(({ place }: { place?: object }) => place);
  assert.equal([nothing.extractedData.total, placed], [null, []], 'nothing that has a place');
  assert.equal([nothing.submissionStatus, nothing.pages.length], ['review', 1], 'the first page is shown');
  const blank = await attempt({ content: '<html><p>Total 80.90</p></html>', mimeType: 'text/plain' });
  assert.equal([blank.status, blank.body.submissionStatus, blank.body.result], [200, 'failed', null]);
  assert.ok(blank.body.failedReason.length > 0);
});

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (one) => !/sqlite|\.db|-wal|-shm/.test(one),
  );

test('of a trial nothing is kept: no event, no file, no submission, nothing under an Idempotency-Key [workflows-16]', async () => {
  const kept = async () => ({
    head: await people.log.head(),
    files: filesBelow(join(service.config.dataDir)),
    submissions: (await company.api.get('/api/v1/submissions?limit=100')).body.data.length,
  });
  const before = await kept();
  const body = { definition: { ...receiptDefinition, slug: 'draft' }, file: fileOf(receiptText()) };
  const headers = { 'idempotency-key': 'trial-1' };
  for (const total of [80.9, 12.5]) {
    const sent = { ...body, file: fileOf(receiptText({ total })) };
    const tried = await superAdmin.post(PATH, sent, { headers });
    assert.equal([tried.status, tried.body.extractedData.total], [200, total]);
    assert.is(tried.headers.get('cache-control'), 'no-store');
  }
  assert.equal(await kept(), before);
});

test('what no session would accept is refused by the member that names it [workflows-17]', async () => {
  const { upload } = receiptDefinition;
  const tiny = { upload: { ...upload, maxFileSizeMb: 0.00001 } };
  const webp = { content: 'x', mimeType: 'image/webp' };
  assert.equal(pointersOf(await attempt(webp)), [422, '/file/mimeType']);
  assert.equal(pointersOf(await attempt(text, tiny)), [422, '/file/content']);
  const png = { ...text, mimeType: 'image/png' };
  assert.equal(pointersOf(await attempt(png)), [422, '/file/content']);
  const huge = { content: Buffer.alloc(8 * 1_024 ** 2 + 1, 'a'), mimeType: 'text/plain' };
  const wide = { upload: { ...upload, maxFileSizeMb: 100 } };
  assert.equal(pointersOf(await attempt(huge, wide)), [422, '/file/content']);
  const http = { http: { url: 'https://receiver.example/', secretEnv: 'NOT_SET' } };
  assert.equal(pointersOf(await attempt(text, { processing: { extractor: http } })), [
    422,
    '/definition/processing/extractor',
  ]);
  assert.equal(pointersOf(await attempt(text, { processing: { reviewBelow: 2 } })), [
    422,
    '/definition/processing/reviewBelow',
  ]);
  const past = await superAdmin.post(PATH, {
    definition: {},
    file: { content: 'a'.repeat(16 * 1_024 ** 2) },
  });
  assert.equal([past.status, past.body.code], [413, 'content-too-large']);
});

test('administrators try: people of a company its own workflows alone, nobody else any [workflows-18]', async () => {
  const own = { slug: receiptDefinition.slug };
  assert.is((await attempt(text, own, orgAdmin)).status, 200);
  assert.equal(pointersOf(await attempt(text, { slug: 'others' }, orgAdmin)), [422, '/definition/slug']);
  for (const role of ['reviewer', 'auditor'] as const) {
    const refused = await attempt(text, own, (await people.user(company.id, role)).api);
    assert.equal([refused.status, refused.body.code], [403, 'role-required']);
  }
  assert.is((await attempt(text, own, company.api)).status, 401);
});

test('settings that a company has, or drafts, judge the document as they would its submissions [workflows-23]', async () => {
  const own = { slug: receiptDefinition.slug };
  const attemptWith = (settings: object, api: Client = orgAdmin): Promise<Reply> =>
    api.post(PATH, { definition: { ...receiptDefinition, ...own }, settings, file: fileOf(text) });
  const judged = ({ body }: Reply) => [
    body.submissionStatus,
    ...body.reviewReasons.map(({ code, field }: { code: string; field: string | null }) => [code, field]),
  ];
  assert.equal(judged(await attempt(text, own, orgAdmin)), ['approved']);
  assert.equal(judged(await attemptWith({ labels: { total: 'Amount due' } })), ['approved']);
  const field = await attemptWith({ fieldsBelow: { total: 1 }, review: '' });
  assert.equal(judged(field), ['review', ['low_confidence', 'total']]);
  assert.equal(judged(await attemptWith({ reviewBelow: 1 }, superAdmin))[0], 'review');
  assert.equal(judged(await attemptWith({ review: 'always' })), ['review', ['always_review', null]]);
  const path = `/api/v1/companies/${company.id}/workflows/${receiptDefinition.slug}`;
  assert.is((await orgAdmin.get(path)).body.review, null, 'they are not kept');
  const unknown = await attemptWith({ labels: { nothing: 'X' }, fieldsBelow: { nobody: 0.5 } });
  assert.equal(pointersOf(unknown), [422, '/settings/labels/nothing', '/settings/fieldsBelow/nobody']);
  assert.equal(pointersOf(await attemptWith({ name: 'x' })), [422, '/settings/name']);
  assert.equal(pointersOf(await attemptWith({ reviewBelow: 1.1 })), [422, '/settings/reviewBelow']);
});

test('while one is read others are told to come again, and submissions are read all the same [workflows-19]', async () => {
  const picture = { content: photo, mimeType: 'image/jpeg' };
  const trials = Promise.all([1, 2, 3, 4].map(() => attempt(picture)));
  assert.is((await company.api.process([receiptText({ total: 7 })])).submissionStatus, 'approved');
  const replies = await trials;
  assert.ok(replies.some(({ status }) => status === 200));
  const refused = replies.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0);
  for (const { status, body, headers } of refused)
    assert.equal([status, body.code, headers.get('retry-after')], [503, 'unavailable', '10']);
  assert.is((await attempt(text)).status, 200);
});
