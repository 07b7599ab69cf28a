import * as assert from 'uvu/assert';
import type { Traced } from '../../kernel/trace.ts';
import type { Mailer } from '../../outbound/mail.ts';
import type { Reactor } from '../../reactors/engine/reactor.ts';
import { openTraces } from '../../runtime/traces.ts';
import { createLogger } from '../../telemetry/log.ts';
import { tracedFetch, tracedMailer, tracedReactor } from '../../telemetry/tracedOutside.ts';
import { examples, logged } from '../controls/events.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { type SentSpan, startCollector } from '../support/collector.ts';

const test = suite('spans of reactions, mails and requests to identity providers');
const signal = new AbortController().signal;

/** What `work` sends to a collector, by name; its traces are at an address of their own. */
const spansOf = async (
  work: (tracing: NonNullable<Awaited<ReturnType<typeof openTraces>>['tracing']>) => Promise<void>,
): Promise<ReadonlyMap<string, SentSpan>> => {
  const collector = await startCollector();
  const { tracing, close } = await openTraces({ otlpEndpoint: `${collector.url}/own/address` });
  assert.ok(tracing);
  await work(tracing as NonNullable<typeof tracing>);
  await close();
  await collector.close();
  assert.equal([...collector.paths], ['POST /own/address application/json']);
  return new Map(collector.spans.map((span) => [span.name, span]));
};

const mail = { id: 'inv_1', to: 'ann@example.com', subject: 'private', text: 'private', html: 'private' };
const mailer = (error: string | null): Mailer => ({ send: async () => ({ error, isFinal: false }) });

test('a mail and a request to an identity provider stand in the work that sends them [traces-4]', async () => {
  const spans = await spansOf(async (tracing) => {
    const work = tracing.begin({ name: 'work', kind: 'internal', cause: {} });
    await work.within(async () => {
      await tracedMailer(mailer('refused'), tracing, 'mail.example').send(mail, signal);
      const fetch = tracedFetch(tracing)(async () => new Response('no', { status: 401 }));
      await fetch('https://login.example/token?code=private', { method: 'POST', headers: {} });
      const broken = tracedFetch(tracing)(() => Promise.reject(new RangeError('private')));
      assert.is(
        (await failure(broken('https://login.example/', { method: 'GET', headers: {} }))).name,
        'RangeError',
      );
    });
    work.end();
    assert.equal(tracing.current(), {});
  });
  const facts = (name: string) => {
    const span = spans.get(name);
    assert.is(span?.parentSpanId, spans.get('work')?.spanId, name);
    return span?.attributes;
  };
  assert.equal(facts('send mail'), { 'server.address': 'mail.example', 'error.type': 'not_accepted' });
  assert.equal(facts('POST identity provider'), {
    ...{ 'http.request.method': 'POST', 'server.address': 'login.example', 'server.port': '443' },
    ...{ 'http.response.status_code': '401', 'error.type': '401' },
  });
  assert.is(facts('GET identity provider')?.['error.type'], 'RangeError');
  assert.not.match(JSON.stringify([...spans]), /private|ann@/);
});

test('a reaction stands in the trace of its event, and what it does in it; without a trace there is none [traces-4]', async () => {
  const seen: Traced[] = [];
  const reactor: Reactor = {
    ...{ name: 'one', startFrom: 'now', prefixes: [], handles: [] },
    react: async ({ metadata }) => void seen.push(metadata),
  };
  const [event] = logged([examples.SessionCreated]);
  assert.ok(event);
  const spans = await spansOf(async (tracing) => {
    const cause = tracing.begin({ name: 'cause', kind: 'internal', cause: {} });
    cause.end();
    const traced = tracedReactor(reactor, tracing);
    for (const trace of [cause.trace, {}])
      await traced.react({ ...event, metadata: { ...event.metadata, ...trace } }, signal);
  });
  const span = spans.get('react one');
  assert.is(span?.parentSpanId, spans.get('cause')?.spanId);
  assert.equal(
    seen.map(({ traceparent }) => traceparent?.slice(36, 52)),
    [span?.spanId, undefined],
  );
});

test('nothing is put around them while nothing records traces', () => {
  const fetch = async () => new Response();
  const plain = mailer(null);
  const reactor: Reactor = {
    ...{ name: 'one', startFrom: 'now', prefixes: [], handles: [] },
    react: async () => undefined,
  };
  assert.is(tracedFetch(null)(fetch), fetch);
  assert.is(tracedMailer(plain, null, 'mail.example'), plain);
  assert.is(tracedReactor(reactor, null), reactor);
});

test('a line of the log names the span in which it is written, and outside of one none [traces-4]', async () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  const spans = await spansOf(async (tracing) => {
    const span = tracing.begin({ name: 'work', kind: 'internal', cause: {} });
    await span.within(async () => {
      await Promise.resolve();
      logger.info('within');
    });
    span.end();
    logger.info('without');
  });
  const { traceId, spanId } = spans.get('work') ?? {};
  assert.ok(traceId && spanId);
  const names = lines.map((line) => JSON.parse(line)).map((line) => [line.msg, line.traceId, line.spanId]);
  assert.equal(names, [
    ['within', traceId, spanId],
    ['without', undefined, undefined],
  ]);
});
