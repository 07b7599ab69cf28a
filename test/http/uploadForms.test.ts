import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { engines } from '../support/ownEngines.ts';
import { sendFile } from '../support/sendFile.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('uploads as forms');
const isOurs = !engines.includes('files');
let service: TestService;
let api: Awaited<ReturnType<TestService['company']>>['api'];
test.before(async () => {
  service = await sharedService();
  ({ api } = await service.company());
});
const { content, mimeType } = receiptText();
const sha256 = createHash('sha256').update(content).digest('hex');
const declared = { mimeType, fileSize: Buffer.byteLength(content), sha256 };
const POST = { uploadMethod: 'POST' };

test('a session that asks for forms gets one for each file, which is stored and processed [uploads-26]', async () => {
  const session = await api.open([receiptText()], { ...POST, files: [declared] });
  const [{ method, url, headers, fields, parts }] = session.uploads;
  assert.equal([method, headers, parts, fields['Content-Type']], ['POST', {}, null, mimeType]);
  assert.is(new URL(url).search, '');
  assert.is((await api.submit(session)).status, 202);
  assert.is((await api.ended(session)).submissionStatus, 'approved');
});

test('without declared files a form takes any file up to the version’s size limit; fresh addresses are forms too [uploads-26]', async () => {
  const session = await api.open([], POST);
  const path = `/api/v1/workflows/receipt/sessions/${session.sessionId}/uploads`;
  for (const [upload] of [session.uploads, (await api.post(path)).body.uploads]) {
    assert.is(upload.method, 'POST');
    const refused = await sendFile(upload, 'x'.repeat(1_048_577), 'text/plain');
    assert.match(await refused.text(), /<Code>EntityTooLarge</);
    assert.is((await sendFile(upload, content, mimeType)).status, 200);
  }
  assert.is((await api.submit(session)).status, 202);
});

test('a form of another size, type or content than declared is refused [uploads-26]', async () => {
  const session = await api.open([], { ...POST, files: [declared] });
  const [upload] = session.uploads;
  for (const [bytes, type] of [
    [`${content} `, mimeType],
    [`${content}`.slice(1), mimeType],
    [content, 'text/plain'],
  ] as const)
    assert.ok([400, 403].includes((await sendFile(upload, bytes, type)).status));
  const other = await sendFile(upload, `${content}`.replace('ACME', 'ECMA'), mimeType);
  if (isOurs) assert.is(other.status, 400);
  const { status, body } = await api.submit(session);
  assert.is(status, 422);
  // What a store does not check in a form is checked at submit.
  assert.match(body.errors[0].detail, isOurs || other.status >= 400 ? /1 to 3 uploaded files/ : /SHA-256/);
});

if (!isOurs) test.skip('after a cancel no form is taken', 'a bucket knows nothing of sessions');
else
  test('after a cancel no form is taken: 403, which says why [uploads-7]', async () => {
    const session = await api.open([], POST);
    await api.post(`/api/v1/submissions/${session.submissionId}/cancel`);
    const refused = await sendFile(session.uploads[0], content, mimeType);
    assert.is(refused.status, 403);
    assert.match(await refused.text(), /the session was cancelled/);
  });

test('only PUT, the default, and POST can be asked for', async () => {
  const { status, body } = await api.post('/api/v1/workflows/receipt/sessions', { uploadMethod: 'PATCH' });
  assert.is((await api.open([], { uploadMethod: 'PUT' })).uploads.length, 3);
  assert.equal([status, body.errors[0].pointer], [422, '/uploadMethod']);
});
