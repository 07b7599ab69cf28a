import { request } from 'node:http';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { engines } from '../support/ownEngines.ts';
import { sendFile } from '../support/sendFile.ts';
import { sharedService, startService, type TestService } from '../support/service.ts';

const test = suite('what the store takes');
const isOurs = !engines.includes('files');
const S3 = 'a bucket knows nothing of sessions';
let service: TestService;
let api: Awaited<ReturnType<TestService['company']>>['api'];
test.before(async () => {
  service = await sharedService();
  ({ api } = await service.company());
});
const { content, mimeType } = receiptText();
const sessions = '/api/v1/workflows/receipt/sessions';
const cancel = (session: { submissionId: string }) =>
  api.post(`/api/v1/submissions/${session.submissionId}/cancel`);

test('without files a byte more than the version’s size limit is refused by the store, and nothing is stored [uploads-6]', async () => {
  const session = await api.open([]);
  const refused = await sendFile(session.uploads[0], 'x'.repeat(1_048_577), 'text/plain');
  assert.is(refused.status, 400);
  assert.match(await refused.text(), /<Code>EntityTooLarge</);
  const { status, body } = await api.submit(session);
  assert.equal([status, body.errors[0].detail], [422, 'must be 1 to 3 uploaded files, not 0']);
  assert.is((await sendFile(session.uploads[0], 'x'.repeat(1_048_576), 'text/plain')).status, 200);
});

test('fresh and replayed addresses keep the limit [uploads-6]', async () => {
  const init = { headers: { 'idempotency-key': 'limit' } };
  await api.post(sessions, {}, init);
  const replayed = (await api.post(sessions, {}, init)).body;
  const fresh = (await api.post(`${sessions}/${replayed.sessionId}/uploads`)).body;
  for (const { uploads } of [replayed, fresh]) {
    const refused = await sendFile(uploads[0], 'x'.repeat(1_048_577), 'text/plain');
    assert.match(await refused.text(), /<Code>EntityTooLarge</);
  }
});

if (!isOurs) test.skip('after a cancel or a submit no PUT is taken', S3);
else
  test('after a cancel or a submit no PUT is taken: 403, which says why [uploads-7]', async () => {
    const cancelled = await api.open([]);
    assert.is((await cancel(cancelled)).status, 200);
    const submitted = await api.open([receiptText()]);
    assert.is((await api.submit(submitted)).status, 202);
    for (const [session, reason] of [
      [cancelled, /the session was cancelled/],
      [submitted, /the session was submitted: its files are settled/],
    ] as const) {
      const refused = await sendFile(session.uploads[1], content, mimeType);
      assert.is(refused.status, 403);
      const text = await refused.text();
      assert.match(text, /<Code>AccessDenied</);
      assert.match(text, reason);
    }
  });

if (!isOurs) test.skip('a PUT that a cancel overtakes leaves nothing', S3);
else
  test('a PUT that a cancel overtakes is refused, and leaves nothing [uploads-7]', async () => {
    const session = await api.open([]);
    const [{ url }] = session.uploads;
    const sent = request(url, { method: 'PUT', headers: { 'content-length': '4' } });
    const answered = new Promise<number>((resolve, reject) =>
      sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject),
    );
    await new Promise((resolve) => sent.write('ha', resolve));
    assert.is((await cancel(session)).status, 200);
    sent.end('lf');
    assert.is(await answered, 403);
  });

test('uploads that were never submitted are removed once their session has expired [uploads-9]', async () => {
  // Long enough for the upload that comes first.
  const brief = await startService({ SESSION_TTL: isOurs ? '8s' : '20s', SWEEP: '1s' });
  try {
    const own = await brief.company();
    await own.api.open([receiptText()]);
    const removed = async (): Promise<boolean> => {
      const metrics = await (await fetch(`${brief.url}/metrics`)).text();
      return /^intake_uploads_removed_total 1$/m.test(metrics);
    };
    await eventually('the removal', removed);
  } finally {
    await brief.close();
  }
});
