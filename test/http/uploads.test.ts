import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { sharedService, startService, type TestService } from '../support/service.ts';

const test = suite('fresh upload addresses');
let service: TestService;
let company: Awaited<ReturnType<TestService['company']>>;
test.before(async () => {
  service = await sharedService();
  company = await service.company();
});

const MIB = 1_048_576;
type Part = Readonly<{
  partNumber: number;
  size: number;
  url: string;
  headers: Record<string, string>;
  uploaded: boolean;
}>;

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

const large = {
  ...receiptDefinition,
  slug: 'large',
  upload: { ...receiptDefinition.upload, maxFileSizeMb: 200 },
};
const LARGE = { mimeType: 'application/json', fileSize: 100 * MIB + 1 };
const put = (part: Part | undefined, body: Buffer): Promise<boolean> =>
  fetch(part?.url ?? '', {
    method: 'PUT',
    headers: part?.headers ?? {},
    body: body as NonNullable<RequestInit['body']>,
  }).then(
    ({ ok }) => ok,
    // A bucket may close before it has read what it refuses.
    () => false,
  );
const freshParts = async (api: Client, session: { sessionId: string }): Promise<readonly Part[]> => {
  const [slot] = (await api.post(pathOf(session, 'large'))).body.uploads;
  assert.is(slot.url, null);
  return slot.parts;
};
const there = (parts: readonly Part[]): readonly number[] =>
  parts.filter(({ uploaded }) => uploaded).map(({ partNumber }) => partNumber);

test('a file of over 100 MB has an address for each part, and fresh addresses tell which parts are there [uploads-21, uploads-23]', async () => {
  const { api } = await service.company(large);
  const declare = (fileSize: number) => api.open([], { files: [{ ...LARGE, fileSize }] }, 'large');
  const [whole] = (await declare(100 * MIB)).uploads;
  assert.equal([typeof whole.url, whole.parts], ['string', null]);
  const session = await declare(100 * MIB + 1);
  const [{ method, url, headers, fields, parts }] = session.uploads;
  assert.equal([method, url, headers, fields], ['PUT', null, {}, null]);
  const sizes = [1, 2, 3, 4, 5, 6, 7].map((number) => [number, number < 7 ? 16 * MIB : 4 * MIB + 1]);
  assert.equal(
    parts.map(({ partNumber, size }: Part) => [partNumber, size]),
    sizes,
  );
  assert.is(new Set(parts.map((part: Part) => part.url)).size, 7);
  const send = async (part: Part | undefined) => assert.ok(await put(part, Buffer.alloc(part?.size ?? 0)));
  assert.equal(there(parts), []);
  await send(parts.at(-1));
  const left = await freshParts(api, session);
  assert.equal(there(left), [7]);
  await send(left[2]);
  assert.equal(there(await freshParts(api, session)), [3, 7], 'sent to a fresh address');
});

test('a part of another size or SHA-256 than declared is refused [uploads-22]', async () => {
  const { api } = await service.company(large);
  const last = Buffer.alloc(4 * MIB + 1, 'part');
  const checksum = createHash('sha256').update(last).digest('hex');
  const partSha256 = [...Array(6).fill('ab'.repeat(32)), checksum];
  const session = await api.open([], { files: [{ ...LARGE, partSha256 }] }, 'large');
  const part = session.uploads[0].parts.at(-1);
  for (const other of [last.subarray(1), Buffer.alloc(last.length, 'other')])
    assert.is(await put(part, other), false);
  assert.equal(there(await freshParts(api, session)), []);
  assert.is(await put(part, last), true);
  assert.equal(there(await freshParts(api, session)), [7]);
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
