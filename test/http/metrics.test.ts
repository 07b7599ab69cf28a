import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('/metrics');
const token = 'metrics-token-of-the-test';
let service: TestService;
let answers = 0;

test.before(async () => {
  service = await startService(
    { METRICS_TOKEN: token },
    { answer: () => ({ status: answers++ % 2 === 0 ? 500 : 200 }) },
  );
});
test.after(() => service.close());

const scrape = async (): Promise<string> => {
  const reply = await client(service.url, token).get('/metrics');
  assert.is(reply.status, 200, reply.text);
  assert.match(String(reply.headers.get('content-type')), /^text\/plain; version=0\.0\.4/);
  return reply.text;
};

/** The value of a series, undefined when there is none. */
const sample = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test('the token is asked for, and compared whole', async () => {
  for (const wrong of [null, `${token}x`, token.slice(1), token.toUpperCase(), `aok_${'0'.repeat(64)}`]) {
    const { status, body, headers } = await client(service.url, wrong).get('/metrics');
    assert.equal([status, body.code], [401, 'unauthorized'], String(wrong));
    assert.is(headers.get('www-authenticate'), 'Bearer');
  }
  const { key } = await service.company();
  assert.is((await client(service.url, key).get('/metrics')).status, 401);
});

test('requests are counted by endpoint, method and status, and timed by endpoint', async () => {
  const { api } = await service.company();
  const count = (text: string) =>
    sample(text, 'intake_http_requests_total{endpoint="listWorkflows",method="GET",status="200"}') ?? 0;
  const before = count(await scrape());
  for (let times = 0; times < 3; times += 1) await api.get('/api/v1/workflows');
  await api.get('/nowhere/at/all?token=x');
  await api.call('PROPFIND', '/nowhere');
  const after = await scrape();
  assert.is(count(after), before + 3);
  assert.ok(sample(after, 'intake_http_requests_total{endpoint="none",method="GET",status="404"}'));
  assert.ok(sample(after, 'intake_http_requests_total{endpoint="none",method="other",status="404"}'));
  assert.ok(sample(after, 'intake_http_request_duration_seconds_count{endpoint="listWorkflows"}'));
});

test('appends, events, ends of processing and attempts of webhooks are counted', async () => {
  const { api } = await service.company();
  const page = { content: 'ACME Trading\nDate: 2018-03-12\nTotal 80.90', mimeType: 'text/plain' };
  const job = await api.process([receiptText(), page], { webhookUrl: `${service.receiver.url}/hook` });
  await eventually(
    'the delivery is recorded',
    async () => (await api.job(job)).body.webhookDeliveryStatus === 'delivered',
  );
  const text = await scrape();
  for (const series of [
    'intake_appends_total',
    'intake_append_duration_seconds_count',
    'intake_events_appended_total{type="SessionCreated"}',
    'intake_processing_results_total{result="approved"}',
    'intake_processing_duration_seconds_count',
    ...['fetch', 'open', 'understand', 'fraud'].map(
      (step) => `intake_processing_step_duration_seconds_count{step="${step}"}`,
    ),
    'intake_processing_pages_total',
    'intake_processing_slots',
    'intake_webhook_attempts_total{result="retried",attempt="1"}',
    'intake_webhook_attempts_total{result="delivered",attempt="2"}',
    'intake_webhook_attempt_duration_seconds_count{result="delivered"}',
  ])
    assert.ok((sample(text, series) ?? 0) > 0, series);
});

test('lag, queues, quarantine and leases are told at each scrape', async () => {
  const text = await eventually('all to be shown', async () => {
    const now = await scrape();
    return /lag_events\{[^}]*\} [1-9]|queue_items\{[^}]*\} [1-9]/.test(now) ? null : now;
  });
  for (const projection of ['submissions', 'deliveries', 'deliveryQueue'])
    for (const name of [
      'intake_projection_lag_seconds',
      'intake_projection_lag_events',
      'intake_quarantined_documents',
    ])
      assert.is(sample(text, `${name}{projection="${projection}"}`), 0, `${name} ${projection}`);
  for (const queue of ['processing', 'deliveries', 'syncs', 'mails'])
    for (const name of ['items', 'due_items', 'oldest_due_seconds'])
      assert.is(sample(text, `intake_queue_${name}{queue="${queue}"}`), 0, `${name} ${queue}`);
  assert.is(sample(text, 'intake_leases_held{lease="projections"}'), 1);
  assert.ok(sample(text, 'intake_leases_held{lease="reactor"}'));
  assert.ok(sample(text, 'process_start_time_seconds'));
  assert.ok(sample(text, 'nodejs_eventloop_lag_p99_seconds') !== undefined);
});

test('no label holds an identifier, a path or anything that a client sent', async () => {
  const { api } = await service.company({ ...receiptDefinition, slug: 'label-slug' });
  await api.open([], { clientSubmissionId: 'label-client', batchRef: 'label-batch' }, 'label-slug');
  await api.get('/label-path', { headers: { 'x-request-id': 'label-request', 'user-agent': 'label-agent' } });
  const text = await scrape();
  const values = [...text.matchAll(/="((?:[^"\\]|\\.)*)"/g)].map(([, value = '']) => value);
  assert.ok(values.includes('createSession'));
  const odd = values.filter((value) => /label-|[0-9a-z]{26}|\//.test(value));
  assert.equal(odd, []);
});

test('docs/operating.md explains each metric of ours that is served, and no other', async () => {
  const served = [...(await scrape()).matchAll(/^# TYPE (intake_\w+) (\w+)$/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  );
  const told = [
    ...readFileSync('docs/operating.md', 'utf8').matchAll(/^\| `(intake_\w+)`[^|]*\| (\w+) \|/gm),
  ].map(([, name, type]) => `${name} ${type}`);
  assert.equal([...told].sort(), [...served].sort());
});
