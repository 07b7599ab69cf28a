import * as assert from 'uvu/assert';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { Answer, Received } from '../../scripts/receiver.ts';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { openCore } from '../support/core.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('traces of requests');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, tracestate: 'rojo=1,congo=2' };
const fields = { company: 'ACME Trading', date: '2018-03-12', total: 80.9 };
const found: Answer = { body: JSON.stringify({ fields, confidences: { company: 1, date: 1, total: 1 } }) };

let service: TestService;
test.before(async () => {
  service = await startService(
    { OUR_SECRET: 'the secret of our servers' },
    { answer: ({ path }) => (path === '/extractor' ? found : {}) },
  );
});
test.after(() => service.close());

const on = (path: string): Promise<Received> =>
  service.receiver.waitFor((request) => request.path === path, 30_000);
const traceIn = (request: Received) => [request.headers.traceparent, request.headers.tracestate];

/** Submits a receipt by a POST with these headers, and waits for its webhook at `path`. */
const submitted = async (
  path: string,
  sent: Readonly<Record<string, string>>,
  definition: Parameters<TestService['company']>[0] = receiptDefinition,
) => {
  const { api } = await service.company(definition);
  const input = { webhookUrl: `${service.receiver.url}${path}` };
  const session = await api.open([receiptText()], input, definition?.slug);
  const post = `/api/v1/workflows/${definition?.slug}/sessions/${session.sessionId}/submit`;
  const { status } = await api.post(post, undefined, { headers: sent });
  assert.is(status, 202);
  return { session, api, webhook: await on(path) };
};

/** Where each event of the submission stands in a trace, and what came before its POST. */
const tracesOf = async ({ submissionId }: { submissionId: string }) => {
  const core = await openCore(service.config);
  try {
    const { events } = await core.log.load(submissionStream(submissionId));
    return events.map(({ type, metadata }) => [type, metadata.traceparent, metadata.tracestate]);
  } finally {
    await core.close();
  }
};

test('the trace of a POST is in all events that follow from it, and in no other [traces-1]', async () => {
  const { session } = await submitted('/kept', headers);
  const traces = await tracesOf(session);
  const created = traces.filter(([type]) => type === 'SessionCreated');
  const others = traces.filter(([type]) => type !== 'SessionCreated');
  assert.equal(created, [['SessionCreated', undefined, undefined]]);
  assert.ok(others.some(([type]) => type === 'SubmissionProcessed'));
  for (const [type, ...trace] of others)
    assert.equal(trace, [headers.traceparent, headers.tracestate], String(type));
});

test('it goes on in the webhook, the extractor and the sync target [traces-2]', async () => {
  const { url } = service.receiver;
  const target = (path: string) => ({ url: `${url}${path}`, secretEnv: 'OUR_SECRET' });
  const processing = { reviewBelow: 0.5, extractor: { http: target('/extractor') }, sync: target('/sync') };
  const { webhook } = await submitted('/sent', headers, { ...receiptDefinition, slug: 'traced', processing });
  for (const request of [webhook, await on('/extractor'), await on('/sync')])
    assert.equal(traceIn(request), [headers.traceparent, headers.tracestate], request.path);
});

test('a retry and a redelivery are in the trace of what asked for them [traces-2]', async () => {
  const { session, api } = await submitted('/again', headers);
  await eventually(
    'the delivery',
    async () => (await api.job(session)).body.webhookDeliveryStatus === 'delivered',
  );
  const { body } = await api.get(`/api/v1/webhook-deliveries?sessionId=${session.sessionId}`);
  const other = headers.traceparent.replace(TRACE, TRACE.split('').reverse().join(''));
  const again = await api.post(`/api/v1/webhook-deliveries/${body.data[0].id}/redeliver`, undefined, {
    headers: { traceparent: other },
  });
  assert.is(again.status, 202);
  const second = await service.receiver.waitFor(
    (request) => request.path === '/again' && request.headers.traceparent !== headers.traceparent,
  );
  assert.equal(traceIn(second), [other, undefined]);
});

test('without a trace, and with headers that are none, nothing is kept and sent [traces-3]', async () => {
  const plain = await submitted('/plain', {});
  const odd = await submitted('/odd', { traceparent: `00-${TRACE}-1-01`, tracestate: 'a=1' });
  assert.equal([...traceIn(plain.webhook), ...traceIn(odd.webhook)], Array(4).fill(undefined));
  for (const [, ...trace] of await tracesOf(odd.session)) assert.equal(trace, [undefined, undefined]);
});
