import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import type { Answer, Received } from '../../scripts/receiver.ts';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

type Delivery = Readonly<{
  status: string;
  nextAttemptAt: string | null;
  attempts: { statusCode: number }[];
}>;

const test = suite('webhooks');
let service: TestService;
/** How the receiver answers on a path, from the first request on; 200 when there is no more. */
const script = new Map<string, Answer[]>();

test.before(async () => {
  service = await startService({}, { answer: ({ path }) => script.get(path)?.shift() ?? {} });
});
test.after(() => service.close());

const on = (path: string): readonly Received[] =>
  service.receiver.requests.filter((request) => request.path === path);
const deliver = async (path: string, answers: Answer[] = []) => {
  script.set(path, answers);
  const company = await service.company();
  const job = await company.api.process([receiptText()], { webhookUrl: `${service.receiver.url}${path}` });
  return { ...company, job };
};
const statusOf = async ({ api, job }: Awaited<ReturnType<typeof deliver>>) =>
  (await api.job(job)).body.webhookDeliveryStatus;

test('a delivery has the headers of the contract and both signatures [webhooks-1]', async () => {
  const { key, job } = await deliver('/signed');
  const { headers, body, at } = await service.receiver.waitFor(({ path }) => path === '/signed');
  const secret = createHash('sha256').update(key).digest('hex');
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  assert.ok(timingSafeEqual(expected, Buffer.from(headers['x-webhook-signature'] as string)));
  const envelope = JSON.parse(body.toString());
  assert.equal(
    [headers['content-type'], headers['user-agent'], headers['x-webhook-event'], headers['x-webhook-id']],
    ['application/json', 'service-webhook/1.0', 'session.completed', envelope.eventId],
  );
  assert.ok(Math.abs(Number(headers['x-webhook-timestamp']) * 1000 - at) < 5_000);
  const judge = new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`);
  const standard = headers as Record<string, string>;
  judge.verify(body.toString(), standard);
  assert.throws(() => judge.verify(`${body} `, standard));
  assert.throws(() => judge.verify(body.toString(), { ...standard, 'webhook-timestamp': '1' }));
  assert.equal(Object.keys(envelope), [
    'eventId',
    'eventType',
    'occurredAt',
    'sessionId',
    'submissionId',
    'workflow',
    'state',
    'submissionStatus',
    'result',
    'clientSubmissionId',
    'metadata',
    'batchRef',
  ]);
  assert.equal(
    [envelope.sessionId, envelope.state, envelope.submissionStatus],
    [job.sessionId, 'completed', 'approved'],
  );
  assert.equal(envelope.result, job.result);
});

test('the code of docs/webhooks.md accepts a delivery and refuses a changed one', async () => {
  const { key } = await deliver('/documented');
  const { headers, body } = await service.receiver.waitFor(({ path }) => path === '/documented');
  const [, code = ''] = /```js\n(.*?)```/s.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? [];
  const file = join(service.dataDir, 'verify.mjs');
  writeFileSync(file, code);
  type Verify = (body: Buffer, headers: object, secret: string) => boolean;
  const { isOurs } = (await import(pathToFileURL(file).href)) as { isOurs: Verify };
  const secret = createHash('sha256').update(key).digest('hex');
  assert.is(isOurs(body, headers, secret), true);
  assert.is(isOurs(Buffer.concat([body, Buffer.from(' ')]), headers, secret), false);
  assert.is(isOurs(body, headers, key), false);
  assert.is(isOurs(body, {}, secret), false);
});

test('a failure is tried again under the same id with the same bytes, until it succeeds [webhooks-12, webhooks-14]', async () => {
  const delivery = await deliver('/flaky', [
    { status: 500 },
    'close',
    { status: 302, headers: { location: '/elsewhere' } },
  ]);
  await eventually('the delivery', async () => (await statusOf(delivery)) === 'delivered');
  const requests = on('/flaky');
  assert.is(requests.length, 4);
  assert.is(new Set(requests.map(({ headers }) => headers['x-webhook-id'])).size, 1);
  assert.is(new Set(requests.map(({ body }) => body.toString())).size, 1);
  assert.is(on('/elsewhere').length, 0);
});

test('after three retries the delivery has failed, and its attempts are on record [deliveries-3, webhooks-17]', async () => {
  const delivery = await deliver(
    '/broken',
    Array.from({ length: 9 }, () => ({ status: 503 })),
  );
  await eventually('the failure', async () => (await statusOf(delivery)) === 'failed');
  assert.is(on('/broken').length, 4);
  const eventId = on('/broken')[0]?.headers['x-webhook-id'] as string;
  const record = await service.intake<Delivery>('webhooks', 'show', eventId);
  assert.equal([record.status, record.nextAttemptAt], ['failed', null]);
  assert.equal(
    record.attempts.map(({ statusCode }) => statusCode),
    [503, 503, 503, 503],
  );
});

test('the delivery status is null without an address, and pending while it hangs [webhooks-18]', async () => {
  const { api } = await service.company();
  assert.is((await api.process([receiptText()])).webhookDeliveryStatus, null);
  const hanging = await deliver('/hanging', ['hang']);
  await service.receiver.waitFor(({ path }) => path === '/hanging');
  assert.is(await statusOf(hanging), 'pending');
});

test(
  'a receiver that hangs delays nobody else [webhooks-24]',
  async () => {
    const [slow, quick] = [await service.company(), await service.company()];
    script.set(
      '/stuck',
      Array.from({ length: 20 }, () => 'hang' as const),
    );
    await Promise.all(
      Array.from({ length: 8 }, () =>
        slow.api.process([receiptText()], { webhookUrl: `${service.receiver.url}/stuck` }),
      ),
    );
    await service.receiver.waitFor(({ path }) => path === '/stuck');
    const eventId = on('/stuck').at(-1)?.headers['x-webhook-id'] as string;
    await quick.api.process([receiptText()], { webhookUrl: `${service.receiver.url}/quick` });
    await service.receiver.waitFor(({ path }) => path === '/quick');
    const { attempts } = await service.intake<Delivery>('webhooks', 'show', eventId);
    assert.equal(attempts, [], 'before the last of the others gives up');
  },
  { timeoutMs: 60_000 },
);

test(
  'of the first deliveries to an origin one that hangs delays no other [webhooks-26]',
  async () => {
    const hanging = await deliver('/hangs-first', ['hang']);
    const { headers } = await service.receiver.waitFor(({ path }) => path === '/hangs-first');
    await hanging.api.process([receiptText()], { webhookUrl: `${service.receiver.url}/beside` });
    await service.receiver.waitFor(({ path }) => path === '/beside');
    const eventId = headers['x-webhook-id'] as string;
    const { attempts } = await service.intake<Delivery>('webhooks', 'show', eventId);
    assert.equal(attempts, [], 'the one that hangs is still under way');
  },
  { timeoutMs: 60_000 },
);

test('a receiver that refetches sees the new state [reads-4]', async () => {
  const { job, api } = await deliver('/refetch');
  await service.receiver.waitFor(({ path }) => path === '/refetch');
  assert.is((await api.get(`/api/v1/submissions/${job.submissionId}`)).body.submissionStatus, 'approved');
});

test("a revoked key's open deliveries are still sent, signed with its hash [webhooks-21]", async () => {
  const company = await service.company();
  const session = await company.api.open([receiptText()], { webhookUrl: `${service.receiver.url}/revoked` });
  script.set('/revoked', [{ status: 500 }]);
  assert.is((await company.api.submit(session)).status, 202);
  await service.receiver.waitFor(({ path }) => path === '/revoked');
  await service.intake('key', 'revoke', company.keyId);
  await eventually('the second attempt', () => on('/revoked').length === 2);
  const secret = createHash('sha256').update(company.key).digest('hex');
  const { body, headers } = on('/revoked')[1] as Received;
  assert.is(
    headers['x-webhook-signature'],
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  );
});
