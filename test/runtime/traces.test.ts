import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readConfig } from '../../runtime/settings/config.ts';
import { openTraces } from '../../runtime/traces.ts';
import { type Receiver, receiverSettings, startReceiver } from '../../scripts/receiver.ts';
import { reportTraceFaults } from '../../telemetry/traces.ts';
import { failure, keptReport } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { client, receiptText } from '../support/client.ts';
import { type Collector, type SentSpan, startCollector } from '../support/collector.ts';
import { runIntake } from '../support/commandLine.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startServerProcess } from '../support/process.ts';
import { testSettings } from '../support/service.ts';

const test = suite('traces that are sent to a collector');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'rojo=1' };
const EMAIL = 'ann@example.com';
let folder: string;
let collector: Collector;
let receiver: Receiver;
test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'intake-traces-'));
  [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
});
test.after(async () => {
  await Promise.all([collector.close(), receiver.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const settingsOf = () =>
  testSettings(folder, {
    ...receiverSettings(receiver, folder),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });

const intake = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await runIntake(settingsOf(), ...words, '--json');
  assert.is(code, 0, stderr);
  return JSON.parse(stdout);
};

/** A company with a key, made before anything serves. */
const companyKey = async (): Promise<string> => {
  const { id } = await intake('company', 'create', '--name', 'ACME');
  const file = join(folder, 'receipt.workflow.json');
  writeFileSync(file, JSON.stringify(receiptDefinition));
  await intake('workflow', 'publish', file);
  await intake('workflow', 'assign', 'receipt', '--company', id);
  return (await intake('key', 'create', '--company', id)).key;
};

test('one trace leads from a POST through another process to its webhook [traces-4]', async () => {
  const key = await companyKey();
  const first = await startServerProcess({ ...settingsOf(), LOG_LEVEL: 'info' }, [
    '--roles',
    'api,projections',
  ]);
  const api = client(first.url, key);
  const input = { webhookUrl: `${receiver.url}/hook?token=private`, metadata: { mail: EMAIL } };
  const session = await api.open([receiptText()], input);
  const path = `/api/v1/workflows/receipt/sessions/${session.sessionId}/submit`;
  assert.is((await api.post(path, undefined, { headers })).status, 202);
  await api.get(`/api/v1/submissions?subject=${EMAIL}`);
  assert.is(await first.stop(), 0);
  const afterFirst = collector.spans.filter(({ traceId }) => traceId === TRACE);
  // At once: the first process has sent what it had at its stop.
  const prompt = { ...settingsOf(), OTEL_BSP_SCHEDULE_DELAY: '100' };
  const second = await startServerProcess(prompt, ['--roles', 'workers,reactors,projections']);
  const webhook = await receiver.waitFor((request) => request.path.startsWith('/hook'), 30_000);
  await collector.waitFor(({ name }) => name === 'command RecordAttempt', 'the end of the delivery');
  assert.is(await second.stop(), 0);

  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string): SentSpan => {
    const span = spans.find((one) => one.name === name);
    assert.ok(span, `${name} is none of ${spans.map((one) => one.name).join(', ')}`);
    return span as SentSpan;
  };
  const parentOf = ({ parentSpanId }: SentSpan): SentSpan | undefined =>
    spans.find(({ spanId }) => spanId === parentSpanId);
  const request = named('POST /api/v1/workflows/{slug}/sessions/{sessionId}/submit');
  assert.equal([request.parentSpanId, request.kind, request.traceState], [CALLER, 2, 'rojo=1']);
  assert.is(request.attributes['http.response.status_code'], '202');
  const submit = named('command SubmitSession');
  assert.is(parentOf(submit), request);
  assert.is(parentOf(named('append submission')), submit);
  assert.ok(afterFirst.includes(submit) && afterFirst.some(({ name }) => name === 'project events'));
  const work = named('process processingQueue');
  assert.is(parentOf(work), submit);
  assert.ok(!afterFirst.includes(work));
  assert.is(parentOf(named('read files')), work);
  assert.ok(spans.some(({ name }) => name === 'react requestDeliveries'));
  const line = first.log().find(({ spanId }) => spanId === request.spanId);
  assert.equal([line?.msg, line?.traceId], ['request', TRACE]);
  const delivery = named('POST webhook');
  assert.equal(
    [delivery.kind, delivery.attributes['server.address'], delivery.attributes['http.response.status_code']],
    [3, 'receiver.example', '200'],
  );
  assert.is(webhook.headers.traceparent, `00-${TRACE}-${delivery.spanId}-01`);
  let root = delivery;
  for (let next = parentOf(root); next; next = parentOf(next)) root = next;
  assert.is(root, request, 'the delivery leads back to the request');
});

test('a span says whose it is, and nothing private [traces-4]', () => {
  assert.equal([...collector.paths], ['POST /v1/traces application/json']);
  for (const { resource } of collector.spans)
    assert.equal([resource['service.name'], resource['deployment.environment.name']], ['intake', 'test']);
  const all = JSON.stringify(collector.spans);
  for (const text of [EMAIL, 'ACME', 'private', '?', '/hook', '80.9'])
    assert.not.ok(all.includes(text), text);
});

test('an address that is none, and packages that are missing, stop the start and are named [traces-5]', async () => {
  const wrong = { ...settingsOf(), OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' };
  assert.throws(() => readConfig(wrong), /OTEL_EXPORTER_OTLP_ENDPOINT must be an http/);
  const base = { ...settingsOf(), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/base/' };
  assert.is(readConfig(base).otlpEndpoint, 'http://localhost:4318/base/v1/traces');
  const whole = { ...base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:9/traces' };
  assert.is(readConfig(whole).otlpEndpoint, 'http://localhost:9/traces');
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  const error = await failure(
    openTraces({ otlpEndpoint: 'http://localhost:4318' }, () => Promise.reject(missing)),
  );
  assert.match(error.message, /OTEL_EXPORTER_OTLP_ENDPOINT needs optional packages/);
  const other = await failure(
    openTraces({ otlpEndpoint: 'http://localhost:4318' }, () => Promise.reject(new Error('broken'))),
  );
  assert.is(other.message, 'broken');
});

test('a collector that refuses what is sent at the stop holds it up in nothing, and is reported', async () => {
  const { report, lines } = keptReport();
  const refusing = await startCollector(400);
  reportTraceFaults(report);
  const { tracing, close } = await openTraces({ otlpEndpoint: refusing.url });
  tracing?.begin({ name: 'a', kind: 'internal', cause: {} }).end();
  await close();
  await refusing.close();
  assert.match(JSON.stringify(lines), /traces can’t be sent.*Bad Request/);
});

test('an SDK that was registered before the service gets its spans [traces-4]', async () => {
  const own = await startCollector();
  const preload = new URL('../support/registeredSdk.js', import.meta.url);
  const sdk = { NODE_OPTIONS: `--import=${preload}`, COLLECTOR: own.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
  const settings = { ...settingsOf(), ...sdk, OTEL_EXPORTER_OTLP_ENDPOINT: '' };
  const server = await startServerProcess(settings, ['--roles', 'api']);
  const path = '/health/live';
  await fetch(`${server.url}${path}`, { headers });
  const span = await own.waitFor(({ name }) => name === `GET ${path}`, 'the span of the request');
  assert.equal([span.traceId, span.parentSpanId], [TRACE, CALLER]);
  await server.stop();
  await own.close();
});

test('without the setting nothing records, and the SDK is not loaded', async () => {
  const load = () => Promise.reject(new Error('loaded'));
  assert.is((await openTraces({ otlpEndpoint: null }, load)).tracing, null);
});
