import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { engines } from '../support/ownEngines.ts';
import { sendFile } from '../support/sendFile.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('sessions');
let service: TestService;
let api: Client;
let company: Awaited<ReturnType<TestService['company']>>;
const path = '/api/v1/workflows/receipt/sessions';
const json = 'application/json';

test.before(async () => {
  service = await sharedService();
  company = await service.company();
  api = company.api;
});

const refused = async (input: unknown, pointer: string): Promise<void> => {
  const { status, body } = await api.post(path, input);
  assert.equal([status, body.code, body.retryable], [422, 'validation-failed', false], JSON.stringify(input));
  const pointers = body.errors.map((error: { pointer: string }) => error.pointer);
  assert.ok(pointers.includes(pointer), `${JSON.stringify(input)}: ${JSON.stringify(body.errors)}`);
};

test('201 tells everything that an upload needs [sessions-1, uploads-1]', async () => {
  // Published here alone: of the receipt other files may have published versions.
  const slug = 'receipt-of-sessions';
  const own = await service.company({ ...receiptDefinition, slug });
  const input = { clientSubmissionId: 'a', metadata: { b: null } };
  const { status, headers, body } = await own.api.post(`/api/v1/workflows/${slug}/sessions`, input);
  assert.is(status, 201);
  assert.is(headers.get('location'), `/api/v1/jobs/${body.sessionId}`);
  assert.match(body.sessionId, /^ses_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.is(body.submissionId.slice(4), body.sessionId.slice(4));
  assert.equal(body.workflow, { slug, version: 1 });
  assert.equal([body.state, body.submissionStatus], ['pending', 'created']);
  assert.equal([body.clientSubmissionId, body.metadata, body.batchRef], ['a', { b: null }, null]);
  assert.equal(
    body.uploads.map(({ label, fileIndex }: { label: string; fileIndex: number }) => [fileIndex, label]),
    [
      [0, 'front'],
      [1, 'back'],
      [2, 'file-3'],
    ],
  );
  for (const slot of body.uploads) {
    assert.equal(Object.keys(slot).sort(), [
      'expiresAt',
      'fields',
      'fileId',
      'fileIndex',
      'headers',
      'label',
      'method',
      'parts',
      'url',
    ]);
    assert.equal(
      [slot.method, slot.fields === null],
      engines.includes('files') ? ['POST', false] : ['PUT', true],
    );
    assert.is(slot.expiresAt, body.expiresAt);
  }
  assert.is(Date.parse(body.expiresAt) - Date.parse(body.createdAt) <= 86_400_000, true);
});

test('no body is an empty one', async () => assert.is((await api.post(path)).status, 201));

test('declared files get one slot each, bound to type, length and hash [uploads-5]', async () => {
  const content = '{"total":1}';
  const sha256 = createHash('sha256').update(content).digest('hex');
  const files = [{ label: 'back', fileName: 'r.json', mimeType: json, fileSize: content.length, sha256 }];
  const { body } = await api.post(path, { files });
  assert.is(body.uploads.length, 1);
  const [{ url, headers, label }] = body.uploads;
  assert.is(label, 'back');
  const put = async (sent: string, type = json): Promise<number> =>
    (await fetch(url, { method: 'PUT', headers: { ...headers, 'content-type': type }, body: sent })).status;
  assert.ok((await put('{"total":2}')) >= 400, 'another content');
  assert.ok((await put('{"total":11}')) >= 400, 'another length');
  assert.ok((await put(content, 'text/plain')) >= 400, 'another type');
  assert.is(await put(content), 200);
});

test('input that breaks a rule is a 422 that names it [requests-10, sessions-6]', async () => {
  await refused({ webhookUrl: 'http://example.com' }, '/webhookUrl');
  await refused({ webhookUrl: 'https://10.0.0.1/x' }, '/webhookUrl');
  await refused({ webhookUrl: 'nonsense' }, '/webhookUrl');
  await refused({ webhookUrl: 7 }, '/webhookUrl');
  await refused({ clientSubmissionId: 'x'.repeat(129) }, '/clientSubmissionId');
  await refused({ metadata: 'text' }, '/metadata');
  await refused({ metadata: { a: 'x'.repeat(17_000) } }, '/metadata');
  await refused({ batchRef: 'a b' }, '/batchRef');
  await refused({ version: 99 }, '/version');
  await refused({ version: 0 }, '/version');
  await refused({ unknown: 1 }, '/unknown');
  await refused({ files: [] }, '/files');
  await refused({ files: [{ mimeType: 'image/gif', fileSize: 1 }] }, '/files/0/mimeType');
  await refused({ files: [{ mimeType: json, fileSize: 1_048_577 }] }, '/files/0/fileSize');
  await refused({ files: [{ mimeType: json, fileSize: 0 }] }, '/files/0/fileSize');
  await refused({ files: [{ mimeType: json, fileSize: 1, label: 'side' }] }, '/files/0/label');
  await refused({ files: [{ mimeType: json, fileSize: 1, sha256: 'AB' }] }, '/files/0/sha256');
  const twice = { mimeType: json, fileSize: 1, label: 'front' };
  await refused({ files: [twice, twice] }, '/files/1/label');
  await refused({ files: Array.from({ length: 4 }, () => ({ mimeType: json, fileSize: 1 })) }, '/files');
});

test('what breaks the schema hides nothing that breaks a further rule: all is named at once [requests-11]', async () => {
  const files = [{ mimeType: 'image/gif', fileSize: 1 }];
  const pointers = async (body: object): Promise<readonly string[]> => {
    const { status, body: problem } = await api.post(path, body);
    assert.is(status, 422);
    return problem.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
  };
  const wrong = { clientSubmissionId: 7, webhookUrl: 'http://example.com', nope: 1 };
  const all = ['/clientSubmissionId', '/nope', '/webhookUrl'];
  assert.equal(await pointers(wrong), all);
  assert.equal(await pointers({ ...wrong, files }), [
    '/clientSubmissionId',
    '/files/0/mimeType',
    '/nope',
    '/webhookUrl',
  ]);
  assert.equal(await pointers({ ...wrong, files, version: 99 }), [
    '/clientSubmissionId',
    '/nope',
    '/version',
    '/webhookUrl',
  ]);
  assert.equal(await pointers({ files, version: '1' }), ['/version'], 'of no version there are no bounds');
});

test('a body that is no JSON is a 400, one of another type a 415, a large one a 413', async () => {
  assert.is((await api.post(path, undefined, { raw: '{"a":' })).status, 400);
  const typed = { raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  assert.is((await api.post(path, undefined, typed)).status, 415);
  assert.is((await api.post(path, { clientSubmissionId: 'x'.repeat(300_000) })).status, 413);
});

test('JSON that could not be stored unchanged is a 422 [requests-17]', async () => {
  for (const raw of [
    '{"metadata":{"a":1e999}}',
    '{"metadata":{"a":9007199254740993}}',
    '{"metadata":{"a\\u0000":1}}',
  ]) {
    const { status, body } = await api.post(path, undefined, { raw });
    assert.equal([status, body.code], [422, 'validation-failed'], raw);
  }
});

test('metadata comes back unchanged [requests-17, sessions-4, sessions-7]', async () => {
  const metadata = { __proto__x: 1, ключ: ['ü', '😀', 0.1, -0, true, null, { deep: [[[]]] }], '': '' };
  const session = await api.open([receiptText()], { metadata });
  assert.equal((await api.job(session)).body.metadata, metadata);
});

test('an unknown, unassigned or foreign workflow is the same 404 [workflows-6]', async () => {
  const other = await service.company();
  await service.intake('workflow', 'unassign', 'receipt', '--company', other.id);
  const answers = await Promise.all([api.post('/api/v1/workflows/nothing/sessions'), other.api.post(path)]);
  for (const { status, body } of answers)
    assert.equal([status, body.code, body.title], [404, 'not-found', 'Not found']);
  assert.is(answers[0]?.body.detail, answers[1]?.body.detail);
});

test('unassigning stops new sessions only [workflows-8]', async () => {
  const other = await service.company();
  const session = await other.api.open([receiptText()]);
  await service.intake('workflow', 'unassign', 'receipt', '--company', other.id);
  assert.is((await other.api.submit(session)).status, 202);
  assert.is((await other.api.ended(session)).submissionStatus, 'approved');
});

test('a session keeps the version it was opened with [sessions-6, workflows-7]', async () => {
  const pinned = { ...receiptDefinition, slug: 'pinned' };
  const other = await service.company(pinned);
  await service.publish(pinned);
  const { body: item } = await other.api.get('/api/v1/workflows/pinned');
  const session = await other.api.open([receiptText()], { version: 1 }, 'pinned');
  assert.is(item.version, 2);
  assert.equal(session.workflow, { slug: 'pinned', version: 1 });
  assert.is((await other.api.submit(session, 'pinned')).status, 202);
  assert.equal((await other.api.ended(session)).workflow, { slug: 'pinned', version: 1 });
});

test('submit answers 202 with the job, and the same again [sessions-9, sessions-10]', async () => {
  const session = await api.open([receiptText()], { clientSubmissionId: 'again' });
  const first = await api.submit(session);
  assert.is(first.status, 202);
  assert.ok(first.headers.get('retry-after'));
  assert.equal(Object.keys(first.body).sort(), [
    'clientSubmissionId',
    'companyId',
    'failedReason',
    'metadata',
    'processedAt',
    'result',
    'sessionId',
    'state',
    'submissionId',
    'submissionStatus',
    'webhookDeliveryStatus',
    'workflow',
  ]);
  assert.ok(['queued', 'processing', 'completed'].includes(first.body.state));
  assert.is((await api.submit(session)).status, 202);
  await api.ended(session);
  assert.is((await api.submit(session)).status, 202);
  const { body } = await api.get(`/api/v1/submissions/${session.submissionId}`);
  assert.is(body.events.filter(({ type }: { type: string }) => type === 'session.submitted').length, 1);
});

test('a submit whose uploads break the bounds is a 422 that names each file [uploads-12]', async () => {
  const none = (await api.post(path)).body;
  const missing = await api.submit(none);
  assert.equal([missing.status, missing.body.errors[0].pointer], [422, '/files']);
  const bad = await api.open([
    { content: '', mimeType: json },
    { content: 'GIF89a', mimeType: 'image/gif' },
    { content: 'BM', mimeType: 'image/bmp' },
  ]);
  const { status, body } = await api.submit(bad);
  assert.is(status, 422);
  assert.equal(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/files/0', '/files/1', '/files/2'],
  );
  assert.match(JSON.stringify(body.errors), /empty.*image\/gif.*image\/bmp/);
  assert.is((await api.job(bad)).body.state, 'pending');
});

test('a file without a type is judged by its bytes [uploads-13]', async () => {
  const { body: session } = await api.post(path);
  const put = async (content: Uint8Array) => sendFile(session.uploads[0], content);
  await put(new Uint8Array([0, 1, 2, 3, 255, 254]));
  const { status, body } = await api.submit(session);
  assert.equal([status, body.errors[0].pointer], [422, '/files/0']);
  await put(Buffer.from(receiptText().content));
  assert.is((await api.submit(session)).status, 202);
  assert.is((await api.ended(session)).submissionStatus, 'approved');
});

test('a late PUT changes nothing that was submitted [uploads-14]', async () => {
  const session = await api.open([receiptText({ total: 1 })]);
  assert.is((await api.submit(session)).status, 202);
  await sendFile(session.uploads[0], '{"total":2}', json);
  await api.ended(session);
  const { body } = await api.get(`/api/v1/submissions/${session.submissionId}`);
  assert.is(body.extractedData.total, 1);
  const download = await fetch(body.files[0].downloadUrl);
  assert.match(await download.text(), /"total":1/);
  assert.match(download.headers.get('content-disposition') ?? '', /^attachment/);
});

test('the job of another key is the same 404 as an unknown one, in every member and header [visibility-1, visibility-2]', async () => {
  const session = await api.open([receiptText()]);
  const { api: sameCompany } = await service.key(company.id);
  const { api: foreign } = await service.company();
  const answerOf = async (by: Client, sessionId: string) => {
    const { status, body, headers } = await by.get(`/api/v1/jobs/${sessionId}`);
    assert.is(body.instance, `/api/v1/jobs/${sessionId}`);
    const { instance: _path, requestId: _id, ...same } = body;
    return { status, same, headers: [...headers.keys()].sort() };
  };
  const unknown = await answerOf(api, `ses_${'0'.repeat(26)}`);
  assert.equal([unknown.status, unknown.same.code], [404, 'not-found']);
  assert.equal(await answerOf(sameCompany, session.sessionId), unknown);
  assert.equal(await answerOf(foreign, session.sessionId), unknown);
  assert.is((await api.job(session)).status, 200);
});

test('a session under another slug, of another key or of another form is the same 404 [sessions-8, visibility-2]', async () => {
  const session = await api.open([receiptText()]);
  const { api: sameCompany } = await service.key(company.id);
  const { api: foreign } = await service.company();
  const odd = `/api/v1/workflows/receipt/sessions/${session.sessionId.toUpperCase()}/submit`;
  const answers = await Promise.all([
    api.submit(session, 'other'),
    sameCompany.submit(session),
    foreign.submit(session),
    api.post(odd),
    sameCompany.job(session),
    foreign.job(session),
    api.get('/api/v1/jobs/nonsense'),
    api.get(`/api/v1/jobs/ses_${'0'.repeat(26)}`),
  ]);
  const told = answers.map(({ status, body }) =>
    JSON.stringify([status, body.code, body.detail, body.title]),
  );
  assert.is(new Set(told).size, 1, told.join('\n'));
  assert.match(told[0] ?? '', /^\[404/);
});

test('submit of a cancelled session is a 409 before its uploads are looked at [sessions-11]', async () => {
  const { body: session } = await api.post(path);
  assert.is((await api.post(`/api/v1/submissions/${session.submissionId}/cancel`)).status, 200);
  const { status, body } = await api.submit(session);
  assert.equal([status, body.code, body.currentStatus], [409, 'session-ended', 'cancelled']);
  assert.equal((await api.job(session)).body.state, 'cancelled');
});

test('an unfinished job carries Retry-After, a finished one does not [jobs-3]', async () => {
  const session = await api.open([receiptText()]);
  assert.ok((await api.job(session)).headers.get('retry-after'));
  await api.submit(session);
  await api.ended(session);
  assert.is((await api.job(session)).headers.get('retry-after'), null);
});
