import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import type { Answer, Received } from '../../scripts/receiver.ts';
import { eventually, suite, tookAtMost } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startExampleExtractor } from '../support/exampleExtractor.ts';
import { startService, type TestService } from '../support/service.ts';
import { startTcpProxy } from '../support/tcpProxy.ts';

const test = suite('http extractor');
const settings = { EXTRACTOR_SECRET: 'the secret of the extractor', OTHER_SECRET: 'another one' };
const RECEIPT = { content: 'Company: ACME Trading\nDate: 2018-03-12\nTotal: 80.9\n', mimeType: 'text/plain' };
const fields = { company: 'ACME Trading', date: '2018-03-12', total: 80.9 };
const confidences = { company: 0.9, date: 0.9, total: 0.8 };

let service: TestService;
let company: Awaited<ReturnType<TestService['company']>>;
let example: Awaited<ReturnType<typeof startExampleExtractor>>;
/** What the receiver answers on a path, one request after the other. */
const script = new Map<string, readonly (Answer | ((request: Received) => Promise<Answer>))[]>();

test.before(async () => {
  example = await startExampleExtractor(settings.EXTRACTOR_SECRET);
  service = await startService(settings, {
    answer: (request) => {
      const [next, ...more] = script.get(request.path) ?? [];
      if (more.length > 0) script.set(request.path, more);
      return typeof next === 'function' ? next(request) : (next ?? {});
    },
  });
  company = await service.company();
});
test.after(async () => {
  const started = performance.now();
  await service.close();
  // An extractor that hangs holds up no end.
  tookAtMost(20_000, performance.now() - started);
  await example.stop();
});

const json = (value: unknown, status = 200): Answer => ({ status, body: JSON.stringify(value) });
const on = (slug: string) => service.receiver.requests.filter(({ path }) => path === `/${slug}`);

/**
 * A workflow whose files are read by an extractor that answers so, for the company of these tests; `origin`:
 * under which address.
 */
const workflow = async (
  slug: string,
  answers: readonly (Answer | ((request: Received) => Promise<Answer>))[],
  secretEnv = 'EXTRACTOR_SECRET',
  companyId = company.id,
  origin = service.receiver.url,
): Promise<void> => {
  script.set(`/${slug}`, answers);
  const extractor = { http: { url: `${origin}/${slug}`, secretEnv } };
  await service.publish({ ...receiptDefinition, slug, processing: { reviewBelow: 0.75, extractor } });
  await service.intake('workflow', 'assign', slug, '--company', companyId);
};
const read = async (slug: string) => {
  const job = await company.api.process([RECEIPT], { metadata: { theirs: 1 } }, slug);
  return { job, detail: (await company.api.get(`/api/v1/submissions/${job.submissionId}`)).body };
};
const processed = async (...asked: Parameters<typeof workflow>) => {
  await workflow(...asked);
  return read(asked[0]);
};

test('the example of the documents reads the files by their links, and its fields are the result [extractors-3]', async () => {
  const { job, detail } = await processed('example', [example.pass]);
  assert.equal([job.submissionStatus, job.failedReason, detail.extractedData], ['approved', null, fields]);
  assert.equal(detail.fieldConfidences, { company: 0.95, date: 0.95, total: 0.95 });
  assert.equal(job.result.fields.total, { value: 80.9, confidence: 0.95, text: null, place: null });
});

test('the request is signed with the named secret, and has links, fields and nothing of the client’s [extractors-3, extractors-4]', async () => {
  const { job } = await processed('request', [json({ fields, confidences, summary: 'A receipt of ACME.' })]);
  const [{ headers, body, method } = assert.unreachable() as never] = on('request');
  const standard = headers as Record<string, string>;
  new Webhook(`whsec_${Buffer.from(settings.EXTRACTOR_SECRET).toString('base64')}`).verify(
    `${body}`,
    standard,
  );
  assert.equal(
    [method, headers['user-agent'], headers['idempotency-key'], headers['webhook-id']],
    ['POST', 'service-extraction/1.0', job.submissionId, `${job.submissionId}_1`],
  );
  const { files, outputSchema, outputJsonSchema, ...asked } = JSON.parse(body.toString());
  const { sessionId, submissionId } = job;
  const workflow = { slug: 'request', version: 1 };
  assert.equal(asked, { submissionId, sessionId, mode: 'live', workflow, round: 1, attempt: 1 });
  assert.equal(
    [outputSchema.map(({ name }: { name: string }) => name), outputJsonSchema.required],
    [Object.keys(fields), Object.keys(fields)],
  );
  const [{ url, expiresAt, sha256, ...file }] = files;
  assert.equal(
    [file.fileIndex, file.label, file.mimeType, file.fileSize, sha256.length],
    [0, 'front', 'text/plain', RECEIPT.content.length, 64],
  );
  assert.is(await (await fetch(url)).text(), RECEIPT.content);
  assert.ok(Date.parse(expiresAt) > Date.now() + 600_000);
});

test('an extractor that refuses the signature ends in failed', async () => {
  const { job } = await processed('refused', [example.pass], 'OTHER_SECRET');
  assert.equal(
    [job.submissionStatus, job.failedReason],
    ['failed', 'The extractor gave no result: it answered 401.'],
  );
});

test('a failure that may pass is tried again, and the history says why [extractors-6]', async () => {
  const { job, detail } = await processed('flaky', [json({}, 500), json({ fields, confidences })]);
  assert.is(job.submissionStatus, 'approved');
  const { details } = detail.events.find(({ type }: { type: string }) => /delayed/.test(type));
  assert.equal([details.attempt, details.reason], [1, 'The extractor gave no result: answered 500.']);
  assert.equal(
    on('flaky').map(({ body }) => JSON.parse(body.toString()).attempt),
    [1, 2],
  );
  assert.is(new Set(on('flaky').map(({ headers }) => headers['idempotency-key'])).size, 1);
});

test('the extractor may say that the files can’t be read, or that a better picture would do', async () => {
  for (const status of ['failed', 'capture_quality_blocked']) {
    const { job } = await processed(status.replaceAll('_', '-'), [json({ status, reason: 'Too dark.' })]);
    assert.equal([job.submissionStatus, job.failedReason], [status, 'Too dark.']);
  }
});

const invalid: Readonly<Record<string, readonly [Answer, RegExp]>> = {
  'no-json': [{ body: '<html>secret</html>' }, /is no JSON: value is expected at line 1, column 1\.$/],
  empty: [{ status: 204 }, /is no JSON/],
  'unknown-field': [
    json({ fields: { sum: 1 } }),
    /: \/fields\/sum is not a field of the workflow version\.$/,
  ],
  unsure: [json({ fields, confidences: { total: 1.5 } }), /: \/confidences\/total must be at most 1\.$/],
  other: [json({ data: fields }), /\/fields is required; \/data is not a known member\.$/],
  status: [json({ status: 'fine', reason: '' }), /\/status must be one of .*; \/reason must not be blank\.$/],
  poison: [{ body: '{"fields":{"total":1e999}}' }, /\/fields\/total is a number too large to keep\.$/],
  large: [{ body: `"${'x'.repeat(1_048_576)}"` }, /has more than 1048576 bytes\.$/],
  redirect: [
    { status: 307, headers: { location: '/elsewhere' } },
    /it answered 307: redirects are not followed\.$/,
  ],
  gone: [{ status: 410 }, /it answered 410\.$/],
};

test('an answer that is none ends in failed, with what was wrong and nothing of what it said [extractors-6]', async () => {
  const cases = Object.entries(invalid);
  await workflow(
    'invalid',
    cases.map(([, [answer]]) => answer),
  );
  for (const [name, [, says]] of cases) {
    const { job } = await read('invalid');
    assert.is(job.submissionStatus, 'failed', name);
    assert.match(job.failedReason, says);
    assert.not.match(job.failedReason, /secret|html/);
  }
  assert.equal([on('invalid').length, on('elsewhere').length], [cases.length, 0]);
});

test('values that break their fields’ schemas, and those of which nothing is said, go to a person', async () => {
  const answered = json({ fields: { company: null, date: '12.3.2018', total: '80.90' } });
  const { job, detail } = await processed('doubtful', [answered]);
  assert.is(job.submissionStatus, 'review');
  assert.equal(detail.extractedData, { company: null, date: null, total: null });
  assert.equal(detail.reviewReasons, [
    { code: 'missing_required', field: 'company' },
    { code: 'invalid_field', field: 'date' },
    { code: 'invalid_field', field: 'total' },
    { code: 'low_confidence', field: null },
  ]);
  assert.is(job.result.fields.total.text, '80.90');
  const unsaid = await processed('unsaid', [json({ fields })]);
  assert.equal([unsaid.detail.confidence, unsaid.detail.reviewReasons[0].code], [0.5, 'low_confidence']);
});

test('a file that is two things at once is handed to nobody', async () => {
  await workflow('unhanded', [json({ fields })]);
  const picture = readFileSync(new URL('../../../scripts/samples/receipt.jpg', import.meta.url));
  const emptyZip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
  const content = Buffer.concat([picture, emptyZip]);
  const job = await company.api.process([{ content, mimeType: 'image/jpeg' }], {}, 'unhanded');
  assert.equal([job.submissionStatus, on('unhanded').length], ['failed', 0]);
  assert.match(job.failedReason, /"front" is image\/jpeg and application\/zip in one file/);
});

test('extractors that hang keep nobody’s files from being read [extractors-8]', async () => {
  const hanging = await service.company();
  await workflow('hanging', ['hang'], undefined, hanging.id);
  for (let count = 0; count < 4; count += 1)
    await hanging.api.submit(await hanging.api.open([RECEIPT], {}, 'hanging'), 'hanging');
  await eventually('they are all asked', () => on('hanging').length === 4);
  const job = await company.api.process([RECEIPT]);
  assert.is(job.submissionStatus, 'approved');
});

/** More than may wait in one lane. */
const MANY = 18;

test('an extractor that hangs with many waiting delays nothing else of its company: neither another extractor nor files read here [extractors-8]', async () => {
  const { port } = new URL(service.receiver.url);
  const proxy = await startTcpProxy({ port: Number(port) });
  const elsewhere = `https://receiver.example:${proxy.port}`;
  await workflow('stuck', ['hang']);
  await workflow('prompt', [json({ fields, confidences })], undefined, undefined, elsewhere);
  await service.publish({ ...receiptDefinition, slug: 'fields', processing: { extractor: 'json' } });
  await service.intake('workflow', 'assign', 'fields', '--company', company.id);
  const { api } = company;
  for (let count = 0; count < MANY; count += 1)
    await api.submit(await api.open([RECEIPT], {}, 'stuck'), 'stuck');
  await eventually('as many are asked as may wait', () => on('stuck').length >= 16);
  for (const [slug, file] of [
    ['prompt', RECEIPT],
    ['receipt', RECEIPT],
    ['fields', receiptText()],
  ] as const)
    assert.is((await api.process([file], {}, slug)).submissionStatus, 'approved', slug);
  assert.ok(on('stuck').length < MANY, 'the hanging one had no more begun meanwhile');
  await proxy.close();
});
