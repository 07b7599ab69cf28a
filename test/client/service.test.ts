import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { createClient, IntakeError, type Progress, verifyWebhook } from '../../client/index.ts';
import { suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('client: against a service');
let service: TestService;
test.before(async () => {
  service = await sharedService();
});

const companyClient = async () => {
  const { key } = await service.company();
  return createClient({ url: service.url, key });
};
const { content, mimeType: type } = receiptText();
const bytes = new TextEncoder().encode(String(content));

test('a submission is sent from a path, a Blob, bytes, a described file and a stream [client-3]', async () => {
  const intake = await companyClient();
  const path = join(service.dataDir, 'receipt.json');
  writeFileSync(path, bytes);
  const stream = {
    content: () => new Blob([bytes]).stream(),
    size: bytes.length,
    type,
    name: 'streamed.json',
  };
  const files = [
    path,
    new Blob([bytes], { type }),
    { content: bytes, type },
    { content: path, name: 'r.json' },
    stream,
  ];
  for (const [index, file] of files.entries()) {
    const job = await intake.submit('receipt', [file], { clientSubmissionId: `order-${index}` });
    assert.is(job.clientSubmissionId, `order-${index}`);
    const done = await intake.wait(job.sessionId);
    assert.is(done.state, 'completed');
    assert.is(done.submissionId, job.submissionId);
  }
});

test('progress is told in bytes and ends at the size of all files', async () => {
  const intake = await companyClient();
  const path = join(service.dataDir, 'progress.json');
  writeFileSync(path, bytes);
  const told: Progress[] = [];
  await intake.submit('receipt', [path], { onProgress: (progress) => told.push(progress) });
  const [size] = [bytes.length];
  assert.equal(told.at(-1), { file: 0, sent: size, size, totalSent: size, totalSize: size });
});

test('the whole submission is done once under one Idempotency-Key, however often it is called, of up to 255 characters [client-3]', async () => {
  const intake = await companyClient();
  const send = () =>
    intake.submit('receipt', [{ content: bytes, type }], { idempotencyKey: 'order-4711'.padEnd(255, '-') });
  const [first, second] = [await send(), await send()];
  assert.is(second.sessionId, first.sessionId);
  await intake.wait(first.sessionId);
  assert.is((await send()).sessionId, first.sessionId);
});

test('a list goes over all pages', async () => {
  const intake = await companyClient();
  const sent = new Set<string>();
  for (let count = 0; count < 3; count += 1)
    sent.add((await intake.submit('receipt', [{ content: bytes, type }])).submissionId);
  const found: string[] = [];
  for await (const { id } of intake.list('/api/v1/submissions', { query: { limit: 2 } })) found.push(id);
  assert.equal(new Set(found), sent);
  assert.is(found.length, 3);
});

test('the feed goes over all pages from a time on', async () => {
  const intake = await companyClient();
  const sent = new Set<string>();
  for (let count = 0; count < 3; count += 1) {
    const { sessionId } = await intake.submit('receipt', [{ content: bytes, type }]);
    await intake.wait(sessionId);
    sent.add(sessionId);
  }
  const query = { from: '2020-01-01T00:00:00Z', limit: 1 };
  const found: (string | null)[] = [];
  for await (const { sessionId } of intake.list('/api/v1/events', { query })) found.push(sessionId);
  assert.equal(new Set(found), sent);
});

test('a file that the workflow does not accept is a problem that names it', async () => {
  const intake = await companyClient();
  const error = await intake
    .submit('receipt', [{ content: bytes, type: 'audio/midi' }])
    .catch((thrown: unknown) => thrown);
  assert.instance(error, IntakeError);
  const { code, problem } = error as IntakeError;
  assert.is(code, 'validation-failed');
  assert.match(problem?.errors?.[0]?.pointer ?? '', /^\/files\/0\/mimeType/);
});

test('what the store does not take is told with its reason', async () => {
  const intake = await companyClient();
  const lying = {
    content: () => new Blob([bytes]).stream(),
    size: bytes.length,
    type,
    sha256: '0'.repeat(64),
  };
  const error = await intake.submit('receipt', [lying]).catch((thrown: unknown) => thrown);
  assert.instance(error, IntakeError);
  assert.is((error as IntakeError).code, 'upload-refused');
  assert.is((error as IntakeError).status, 400);
});

test('the feed gives the events of the company, and goes on at a cursor', async () => {
  const intake = await companyClient();
  const job = await intake.submit('receipt', [{ content: bytes, type }]);
  await intake.wait(job.sessionId);
  const stop = new AbortController();
  for await (const { event, cursor } of intake.events({ signal: stop.signal })) {
    assert.is(event.sessionId, job.sessionId);
    assert.is.not(cursor, undefined);
    break;
  }
});

test('a webhook of the service holds under both secrets of its key [client-4]', async () => {
  const { id } = await service.company();
  const made = await service.intake<{ key: string; webhookSecret: string; standardWebhooksSecret: string }>(
    ...['key', 'create', '--company', id],
  );
  const intake = createClient({ url: service.url, key: made.key });
  const { sessionId } = await intake.submit('receipt', [{ content: bytes, type }], {
    webhookUrl: `${service.receiver.url}/client`,
  });
  const { headers, body } = await service.receiver.waitFor(({ path }) => path === '/client');
  for (const secret of [made.webhookSecret, made.standardWebhooksSecret])
    assert.is((await verifyWebhook(body, headers, secret)).sessionId, sessionId);
});
