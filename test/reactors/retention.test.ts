import * as assert from 'uvu/assert';
import { forgetDelivery } from '../../commands/forgetDelivery.ts';
import { webhookDelivery, webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { allProjections } from '../../projections/all.ts';
import { type DeliveryDocument, deliveries, deliveryQueries } from '../../projections/deliveries.ts';
import { settle } from '../../projections/engine/live.ts';
import { createProgress } from '../../projections/engine/progress.ts';
import { liveCheckpoint } from '../../projections/engine/readModels.ts';
import { createRetention } from '../../reactors/retention.ts';
import type { Scalar } from '../../stores/documents/port.ts';
import { noRecorder } from '../../telemetry/recorder.ts';
import { deliveryFacts } from '../controls/events.ts';
import { context, failure, keptReport, type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { foldAlone } from '../projections/spec.ts';

const test = suite('retention of deliveries');
const RETENTION_MS = 1_000_000;
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

let made = 0;
const attempt = { outcome: { statusCode: 204, durationMs: 3, error: null }, nextAttemptAt: null };
const handle = (eventId: string, command: Parameters<typeof webhookDelivery.decide>[0]) =>
  stores.handle(webhookDelivery, webhookDeliveryStream(eventId), command, context);
/** A delivery that was made now. */
const delivered = async (): Promise<string> => {
  const eventId = `retained-${++made}`;
  const facts = { ...deliveryFacts, eventId };
  await handle(eventId, { type: 'RequestDelivery', facts, url: 'https://example.com/', body: '{}' });
  await handle(eventId, { type: 'RecordAttempt', attempt: 1, succeeded: true, ...attempt });
  return eventId;
};
const typesOf = async (eventId: string) =>
  (await stores.log.load(webhookDeliveryStream(eventId))).events.map(({ type }) => type);
const WHOLE = ['WebhookRequested', 'WebhookAttempted', 'WebhookDelivered'];

const kept = keptReport();
const forgetting = (more: Partial<Parameters<typeof forgetDelivery>[0]> = {}) =>
  forgetDelivery({
    ...stores,
    progress: { reached: async () => true },
    destroyKey: async () => undefined,
    ...more,
  });
const never = new AbortController().signal;
const sweep = async (forget = forgetting()): Promise<void> => {
  const { documents, log, clock } = stores;
  const progress = createProgress(() => liveCheckpoint(allProjections, documents.models));
  const ports = {
    projections: allProjections,
    recorder: noRecorder,
    log,
    documents,
    progress,
    owner: 'test',
    report: kept.report,
  };
  assert.ok(await settle(ports, await log.head()));
  const { ended } = deliveryQueries(documents.models);
  const { tables } = documents;
  const run = createRetention({
    clock,
    tables,
    report: kept.report,
    retentionMs: RETENTION_MS,
    ended,
    forget,
  });
  await run(never);
};

test('a delivery that ended long enough ago is truncated to its last event, others stay whole', async () => {
  const old = await delivered();
  stores.pass(RETENTION_MS);
  const young = await delivered();
  await sweep();
  assert.equal([await typesOf(old), await typesOf(young)], [WHOLE, WHOLE], 'exactly so long it is kept');
  stores.pass(1);
  await sweep();
  assert.equal([await typesOf(old), await typesOf(young)], [['WebhookDelivered'], WHOLE]);
});

test('many are truncated page by page, each page once, and again after an outage', async () => {
  const many = await Promise.all(Array.from({ length: 70 }, delivered));
  stores.pass(RETENTION_MS + 1);
  const forget = forgetting();
  const asked: string[] = [];
  const broken = many[50];
  const failing = async (id: string, before: string): Promise<void> => {
    if (id === broken && !asked.includes(id)) {
      asked.push(id);
      throw new StoreUnavailable('the store is away');
    }
    asked.push(id);
    await forget(id, before);
  };
  assert.is((await failure(sweep(failing))).message, 'the store is away');
  await sweep(failing);
  for (const id of many) assert.equal(await typesOf(id), ['WebhookDelivered'], id);
  asked.length = 0;
  await sweep(failing);
  assert.equal(asked, []);
});

test('a delivery that cannot be given up is reported, and holds up no other', async () => {
  const [broken, sound] = [await delivered(), await delivered()];
  stores.pass(RETENTION_MS + 1);
  const forget = forgetting();
  const err = new Error('poison');
  await sweep(async (id, before) => {
    if (id === broken) throw err;
    await forget(id, before);
  });
  assert.equal([await typesOf(broken), await typesOf(sound)], [WHOLE, ['WebhookDelivered']]);
  const line = kept.lines.at(-1);
  assert.equal([line?.level, line?.facts], ['error', { id: broken, err }]);
  stores.pass(1);
  await sweep(() => Promise.reject(new Error('all have been gone through')));
  assert.is(kept.lines.at(-1), line);
});

test('one that was sent again since is skipped until it ends', async () => {
  const eventId = await delivered();
  stores.pass(RETENTION_MS + 1);
  await handle(eventId, { type: 'Redeliver' });
  await forgetting()(eventId, stores.clock.now().toISOString());
  assert.is((await typesOf(eventId)).length, 4);
  await sweep();
  await handle(eventId, { type: 'RecordAttempt', attempt: 2, succeeded: true, ...attempt });
  await sweep();
  assert.is((await typesOf(eventId)).length, 6);
  stores.pass(RETENTION_MS + 1);
  await sweep();
  assert.equal(await typesOf(eventId), ['WebhookDelivered']);
  const { events } = await stores.log.load(webhookDeliveryStream(eventId));
  const rebuilt = foldAlone(deliveries, events)[eventId];
  assert.is((rebuilt as { status: string }).status, 'delivered', 'a rebuild tells the same');
});

test('the last webhook of a redaction loses its address, its key, and what the store keeps of it, whatever fails in between [redaction-8]', async () => {
  const eventId = `retained-${++made}`;
  const facts = { ...deliveryFacts, eventId, eventType: 'submission.redacted' } as const;
  await handle(eventId, { type: 'RequestDelivery', facts, url: 'https://example.com/', body: '{}' });
  await handle(eventId, { type: 'RecordAttempt', attempt: 1, succeeded: true, ...attempt });
  stores.pass(RETENTION_MS + 1);
  const steps: string[] = [];
  const failing = { compact: () => Promise.reject(new StoreUnavailable('the store is away')) };
  const step = (name: string) => async (subject?: string) => void steps.push(subject ?? name);
  const ports = { destroyKey: step('key'), compact: step('compact') };
  const missed = await failure(sweep(forgetting({ ...ports, ...failing })));
  assert.is(missed.message, 'the store is away');
  await sweep(forgetting(ports));
  const { submissionId } = deliveryFacts;
  const key = `redaction_${submissionId.slice(4)}`;
  assert.equal(steps, [key, key, 'compact']);
  assert.equal(await typesOf(eventId), ['WebhookRedacted']);
  await sweep(forgetting(ports));
  const { find } = deliveryQueries(stores.documents.models);
  assert.is((await find(eventId))?.url, null);
});

test('a sweep gives up so many at most, and the next one goes on where it ended', async () => {
  const { documents, clock } = stores;
  const asked: string[] = [];
  const endless = Array.from({ length: 5_000 }, (_, n) => {
    const id = `endless-${String(n).padStart(4, '0')}`;
    return { id, endedAt: '9999' } as DeliveryDocument;
  });
  const ended = async (_before: string, limit: number, after: readonly Scalar[] | null) => {
    const items = endless.filter(({ id }) => after?.[0] !== '9999' || id > String(after[1])).slice(0, limit);
    return { items, next: [] };
  };
  const forget = async (id: string): Promise<void> => void asked.push(id);
  const { tables } = documents;
  const run = createRetention({ clock, tables, report: kept.report, retentionMs: 0, ended, forget });
  await run(never);
  const first = asked.length;
  assert.ok(first > 0 && first <= 1_000, `${first}`);
  await run(never);
  assert.equal(
    asked,
    endless.slice(0, 2 * first).map(({ id }) => id),
  );
});
