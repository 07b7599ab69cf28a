import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { sharedService, startService, type TestService } from '../support/service.ts';

const test = suite('fresh upload addresses');
let service: TestService;
let company: Awaited<ReturnType<TestService['company']>>;
test.before(async () => {
  service = await sharedService();
  company = await service.company();
});

const pathOf = ({ sessionId }: { sessionId: string }, slug = 'receipt') =>
  `/api/v1/workflows/${slug}/sessions/${sessionId}/uploads`;

test('a pending session gets fresh addresses for its slots, which live as long as the session [uploads-17]', async () => {
  const { api } = company;
  const content = String(receiptText().content);
  const mimeType = 'application/json';
  const session = await api.open([], {
    files: [{ mimeType, fileSize: content.length, label: 'back' }],
  });
  const { status, body } = await api.post(pathOf(session));
  assert.is(status, 200);
  assert.equal([body.sessionId, body.expiresAt], [session.sessionId, session.expiresAt]);
  const slot = ({ fileId, fileIndex, label, method, expiresAt }: Record<string, unknown>) => [
    ...[fileId, fileIndex, label, method, expiresAt],
  ];
  assert.equal(body.uploads.map(slot), session.uploads.map(slot));
  assert.is(body.uploads[0].expiresAt, session.expiresAt);
  assert.ok(Date.parse(session.expiresAt) - Date.now() > 3_600_000);
  const [{ url, headers }] = body.uploads;
  const put = (sent: string) =>
    fetch(url, { method: 'PUT', headers: { 'content-type': mimeType, ...headers }, body: sent });
  assert.ok((await put(`${content} `)).status >= 400, 'they bind what the first ones bound');
  assert.is((await put(content)).status, 200);
  assert.is((await api.submit(session)).status, 202);
});

test('a session that was submitted, cancelled or processed has no fresh addresses: 409', async () => {
  const { api } = company;
  const cancelled = await api.open([]);
  await api.post(`/api/v1/submissions/${cancelled.submissionId}/cancel`);
  const done = await api.process([receiptText()]);
  for (const [session, code, currentStatus] of [
    [cancelled, 'session-ended', 'cancelled'],
    [done, 'session-submitted', 'approved'],
  ] as const) {
    const { status, body } = await api.post(pathOf(session));
    assert.equal(
      [status, body.code, body.currentStatus, body.allowedFrom],
      [409, code, currentStatus, ['created']],
    );
  }
});

test('the session is the key’s own, under its own slug, and the body has no members', async () => {
  const session = await company.api.open([]);
  const { api: other } = await service.key(company.id);
  assert.is((await other.post(pathOf(session))).status, 404);
  assert.is((await company.api.post(pathOf(session, 'slip'))).status, 404);
  assert.is((await company.api.post(pathOf({ sessionId: 'ses_x' }))).status, 404);
  assert.is((await company.api.post(pathOf(session), { files: [] })).status, 422);
});

test('a session whose time is over has no fresh addresses: 409', async () => {
  const brief = await startService({ SESSION_TTL: '3s' });
  try {
    const { api } = await brief.company();
    const session = await api.open([]);
    const refusal = await eventually('the end of the session', async () => {
      const reply = await api.post(pathOf(session));
      return reply.status === 200 ? null : reply;
    });
    const { code, currentStatus } = refusal.body;
    assert.equal([refusal.status, code, currentStatus], [409, 'session-ended', 'cancelled']);
    assert.ok(Date.now() >= Date.parse(session.expiresAt));
  } finally {
    await brief.close();
  }
});
