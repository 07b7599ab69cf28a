import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { engines } from '../support/ownEngines.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('large files, in parts');
/** It moves a hundred megabytes, and the machine may have more to do. */
const SLOW = { timeoutMs: 180_000 };
const isOurs = !engines.includes('files');
const MIB = 1_048_576;
/** A byte more than is sent as a whole. */
const size = 100 * MIB + 1;
const mimeType = 'application/x-own';
const content = Buffer.alloc(size, 'large file ');
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const fields = { company: 'ACME Trading', date: '2018-03-12', total: 80.9 };
const confidences = { company: 0.9, date: 0.9, total: 0.9 };

let service: TestService;
let api: Client;
test.before(async () => {
  const answer = () => ({ status: 200, body: JSON.stringify({ fields, confidences }) });
  service = await startService({ EXTRACTOR_SECRET: 'the secret of the extractor' }, { answer });
  const http = { url: `${service.receiver.url}/extractor`, secretEnv: 'EXTRACTOR_SECRET' };
  ({ api } = await service.company({
    ...receiptDefinition,
    upload: { ...receiptDefinition.upload, acceptedFormats: [mimeType], maxFileSizeMb: 200 },
    processing: { extractor: { http } },
  }));
});
test.after(() => service.close());

type Part = Readonly<{
  partNumber: number;
  size: number;
  url: string;
  headers: Record<string, string>;
  uploaded: boolean;
}>;
type Session = Readonly<{ sessionId: string; submissionId: string; uploads: readonly { parts: Part[] }[] }>;

const declare = (more: object = {}, fileSize = size) => ({ files: [{ mimeType, fileSize, ...more }] });
const pieceOf = ({ partNumber, size: length }: Part): Buffer =>
  content.subarray((partNumber - 1) * 16 * MIB, (partNumber - 1) * 16 * MIB + length);
const put = ({ url, headers }: Part, body: Buffer): Promise<Response> =>
  fetch(url, { method: 'PUT', headers, body: body as NonNullable<RequestInit['body']> });
/**
 * The status of a part that is refused. A bucket may answer and close before it has read the part, of which
 * `fetch` tells the break alone: then it is `otherwise`.
 */
const refusal = (part: Part, body: Buffer, otherwise: number): Promise<number> =>
  put(part, body).then(
    ({ status }) => status,
    (error: unknown) => (isOurs ? Promise.reject(error) : otherwise),
  );
const send = async (parts: readonly Part[]): Promise<void> => {
  for (const part of parts)
    assert.is((await put(part, pieceOf(part))).status, 200, `part ${part.partNumber}`);
};
const fresh = async ({ sessionId }: Session): Promise<readonly Part[]> => {
  const { status, body } = await api.post(`/api/v1/workflows/receipt/sessions/${sessionId}/uploads`);
  assert.is(status, 200);
  return body.uploads[0].parts;
};
const there = (parts: readonly Part[]) =>
  parts.filter(({ uploaded }) => uploaded).map(({ partNumber }) => partNumber);

test(
  'a file over 100 MB is sent in parts, resumed by fresh addresses, checked and joined by its submit, and processed [uploads-21, uploads-23, uploads-24, uploads-25]',
  async () => {
    const session: Session = await api.open([], declare({ sha256: sha256(content) }));
    const [upload] = (session as unknown as { uploads: Record<string, unknown>[] }).uploads;
    assert.equal(
      ['method', 'url', 'headers', 'fields'].map((name) => upload?.[name]),
      ['PUT', null, {}, null],
    );
    const parts = session.uploads[0]?.parts ?? [];
    assert.equal(
      parts.map(({ partNumber, size: bytes, uploaded }) => [partNumber, bytes, uploaded]),
      [1, 2, 3, 4, 5, 6, 7].map((number) => [number, number < 7 ? 16 * MIB : 4 * MIB + 1, false]),
    );
    await send(parts.filter(({ partNumber }) => ![3, 7].includes(partNumber)).reverse());
    const early = await api.submit(session);
    assert.is(early.status, 422);
    assert.equal(early.body.errors, [
      {
        pointer: '/files/0',
        detail: 'front: the uploaded file is incomplete: of 7 parts 3, 7 are missing',
      },
    ]);
    const rest = await fresh(session);
    assert.equal(there(rest), [1, 2, 4, 5, 6]);
    await send(rest.filter(({ uploaded }) => !uploaded));
    assert.equal(there(await fresh(session)).length, 7);
    assert.is((await api.submit(session)).status, 202);
    const { submissionStatus } = await api.ended(session, 60_000);
    assert.is(submissionStatus, 'approved');
    const [asked] = service.receiver.requests.filter(({ path }) => path === '/extractor');
    const [file] = JSON.parse(`${asked?.body}`).files;
    assert.equal([file.fileSize, file.sha256], [size, sha256(content)]);
    const late = await refusal(parts[0] as Part, pieceOf(parts[0] as Part), isOurs ? 403 : 404);
    assert.is(late, isOurs ? 403 : 404, 'no part is taken after the submit');
  },
  SLOW,
);

test(
  'a file of another SHA-256 than declared is refused at submit, and can be sent again [uploads-25]',
  async () => {
    const session: Session = await api.open([], declare({ sha256: 'ab'.repeat(32) }));
    await send(session.uploads[0]?.parts ?? []);
    const { status, body } = await api.submit(session);
    assert.is(status, 422);
    assert.match(
      body.errors[0].detail,
      /^front: the uploaded file does not have the SHA-256 that was declared/,
    );
    const parts = await fresh(session);
    assert.equal(there(parts), []);
    await send(parts.slice(0, 1));
    assert.equal(there(await fresh(session)), [1]);
  },
  SLOW,
);

test(
  'a part has exactly its size, and the SHA-256 that was declared for it [uploads-22]',
  async () => {
    const wrong = await api.post(
      '/api/v1/workflows/receipt/sessions',
      declare({ partSha256: ['ab'.repeat(32)] }),
    );
    assert.equal(wrong.body.errors, [
      {
        pointer: '/files/0/partSha256',
        detail: 'must be 7 checksums, not 1: one for each part of 16777216 bytes',
      },
    ]);
    const small = await api.post(
      '/api/v1/workflows/receipt/sessions',
      declare({ partSha256: ['ab'.repeat(32)] }, 100 * MIB),
    );
    assert.match(small.body.errors[0].detail, /^must be left out/);
    const partSha256 = Array.from({ length: 7 }, (_, index) =>
      sha256(content.subarray(index * 16 * MIB, (index + 1) * 16 * MIB)),
    );
    const session: Session = await api.open([], declare({ partSha256 }));
    const last = (session.uploads[0]?.parts ?? [])[6] as Part;
    const other = Buffer.from(pieceOf(last));
    other[0] = 0;
    for (const body of [other, pieceOf(last).subarray(1), Buffer.concat([pieceOf(last), Buffer.from('x')])])
      assert.ok([400, 403].includes(await refusal(last, body, 400)));
    assert.equal(there(await fresh(session)), []);
    assert.is((await put(last, pieceOf(last))).status, 200);
    assert.equal(there(await fresh(session)), [7]);
  },
  SLOW,
);

if (!isOurs) test.skip('after a cancel no part is taken', 'a bucket knows nothing of sessions');
else
  test('after a cancel no part is taken: 403, which says why [uploads-7]', async () => {
    const session: Session = await api.open([], declare());
    await api.post(`/api/v1/submissions/${session.submissionId}/cancel`);
    const last = (session.uploads[0]?.parts ?? [])[6] as Part;
    const refused = await put(last, pieceOf(last));
    assert.is(refused.status, 403);
    assert.match(await refused.text(), /the session was cancelled/);
  });

if (!isOurs) test.skip('parts that were never submitted are removed', 'the bucket is not this machine’s');
else
  test('parts that were never submitted are removed once their session has expired [uploads-9]', async () => {
    const brief = await startService({ SESSION_TTL: '3s', SWEEP: '1s' });
    try {
      const { upload } = receiptDefinition;
      const company = await brief.company({
        ...receiptDefinition,
        upload: { ...upload, maxFileSizeMb: 200 },
      });
      const file = { mimeType: 'text/plain', fileSize: size };
      const session: Session = await company.api.open([], { files: [file] });
      const last = (session.uploads[0]?.parts ?? [])[6] as Part;
      assert.is((await put(last, pieceOf(last))).status, 200);
      const folder = join(brief.dataDir, 'objects', 'parts');
      assert.is((await readdir(folder)).length, 1);
      await eventually('the removal', async () => (await readdir(folder)).length === 0);
    } finally {
      await brief.close();
    }
  });
