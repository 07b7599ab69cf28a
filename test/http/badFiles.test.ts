import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('bad files');
let service: TestService;
let api: Client;
const samples = new URL('../../../scripts/samples/', import.meta.url);
const picture = readFileSync(new URL('receipt.jpg', samples));
const pdf = readFileSync(new URL('receipt.pdf', samples));

test.before(async () => {
  service = await startService({ WORKERS: '2' });
  api = (await service.company()).api;
});
test.after(() => service.close());

const bad: Readonly<
  Record<string, Readonly<{ content: string | Uint8Array; mimeType: string; says: RegExp }>>
> = {
  'a corrupt PDF': {
    content: Buffer.concat([pdf.subarray(0, 300), Buffer.from('garbage')]),
    mimeType: 'application/pdf',
    says: /front.*PDF/i,
  },
  'a truncated picture': { content: picture.subarray(0, 2_000), mimeType: 'image/jpeg', says: /front/ },
  'text that is none further on': {
    content: Buffer.concat([Buffer.alloc(70_000, 'x'), Buffer.from([0, 1, 2, 0xff, 0xfe, 0xfd])]),
    mimeType: 'text/plain',
    says: /front.*text/,
  },
  'JSON that is no JSON': { content: '{"total":', mimeType: 'application/json', says: /front.*JSON/i },
  'a picture and an archive in one file [uploads-20]': {
    content: Buffer.concat([picture, Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]),
    mimeType: 'image/jpeg',
    says: /front.*image\/jpeg and application\/zip/,
  },
  'blank text': { content: ' \n ', mimeType: 'text/plain', says: /no text/ },
};

for (const [name, { says, ...file }] of Object.entries(bad)) {
  test(
    `${name} fails with a reason that says what to mend [lifecycle-6]`,
    async () => {
      const job = await api.process([file], {
        webhookUrl: `${service.receiver.url}/${encodeURIComponent(name)}`,
      });
      assert.equal([job.state, job.result], ['failed', null]);
      assert.ok(['failed', 'capture_quality_blocked'].includes(job.submissionStatus), job.submissionStatus);
      assert.match(job.failedReason, says);
      const told = await service.receiver.waitFor(({ path }) => path === `/${encodeURIComponent(name)}`);
      assert.is(told.headers['x-webhook-event'], 'session.failed');
    },
    { timeoutMs: 60_000 },
  );
}

test(
  'several at once stop nobody else',
  async () => {
    const files = Object.values(bad);
    const bads = files.map((file) => api.process([file]));
    const goods = Array.from({ length: 4 }, () => api.process([receiptText()]));
    for (const job of await Promise.all(goods)) assert.is(job.submissionStatus, 'approved');
    for (const job of await Promise.all(bads)) assert.is(job.state, 'failed');
    assert.is((await api.get('/health/ready')).status, 200);
  },
  { timeoutMs: 60_000 },
);

test('a failed submission can be cancelled', async () => {
  const { submissionId } = await api.process([{ content: ' ', mimeType: 'text/plain' }]);
  assert.is((await api.post(`/api/v1/submissions/${submissionId}/cancel`)).status, 200);
  const { body } = await api.get(`/api/v1/submissions/${submissionId}`);
  assert.is(body.submissionStatus, 'cancelled');
});
