import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { DomainEvent } from '../../domain/aggregates.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { PARKED } from '../../projections/engine/parked.ts';
import { QUARANTINE } from '../../projections/engine/quarantine.ts';
import { collectionOf } from '../../projections/engine/readModels.ts';
import { processingQueue } from '../../projections/processingQueue.ts';
import { submissions } from '../../projections/submissions.ts';
import { SET_ASIDE } from '../../reactors/engine/setAside.ts';
import { requestDeliveries } from '../../reactors/requestDeliveries.ts';
import { type Metric, processMetrics, storeGauges } from '../../telemetry/metrics/table.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { noRecorder, type Recorder } from '../../telemetry/recorder.ts';
import { recordedLeases, recordedLog, timed } from '../../telemetry/recording.ts';
import { createScrape } from '../../telemetry/scrape.ts';
import { readStoreMetrics, type StoreMetrics } from '../../telemetry/storeMetrics.ts';
import { examples } from '../controls/events.ts';
import { failure, fenceOf, gate, type Stores, withStores } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('metrics');
const none = Object.fromEntries(Object.keys(storeGauges).map((name) => [name, {}])) as StoreMetrics;
const reactors = [
  requestDeliveries(async () => undefined, { load: async () => undefined, learn: () => undefined }),
];

const append = async (
  { log, clock, ids }: Pick<Stores, 'log' | 'clock' | 'ids'>,
  submissionId: string,
  what: DomainEvent = examples.SessionCreated,
) => {
  const at = clock.now().toISOString();
  const metadata = {
    at,
    $correlationId: 'c',
    $causationId: 'c',
    actor: { kind: 'system', id: 'test' },
  } as const;
  const event = { ...what, id: ids.event(), metadata };
  return log.append(submissionStream(submissionId), null, [event], () => submissionId);
};

test('an append is counted with its events, one that came too late as a conflict', () =>
  withStores(async (stores) => {
    const told: string[] = [];
    const recorder: Recorder = {
      ...noRecorder,
      appended: (events, durationMs) => told.push(...events.map(({ type }) => type), String(durationMs > 0)),
      conflicted: () => told.push('conflict'),
    };
    const log = recordedLog(stores.log, recorder);
    await append({ ...stores, log }, 'sub_1');
    const late = await failure(append({ ...stores, log }, 'sub_1'));
    assert.is(late.name, 'WrongExpectedRevision');
    assert.equal(told, ['SessionCreated', 'true', 'conflict']);
  })());

test('every metric of the process is counted somewhere', () => {
  const counting = readdirSync('telemetry')
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`telemetry/${file}`, 'utf8'))
    .join();
  assert.equal(
    Object.keys(processMetrics).filter((name) => !counting.includes(name)),
    [],
  );
});

test('what happens adds no series to a counter whose labels are closed', async () => {
  const metrics = createMetrics({ now: () => new Date() });
  const closed = Object.entries<Metric>(processMetrics).filter(([, { values }]) => values);
  const series = async (): Promise<readonly string[]> =>
    (await metrics.expose(none))
      .split('\n')
      .filter((line) => closed.some(([name]) => line.startsWith(`${name}{`)))
      .map((line) => line.slice(0, line.lastIndexOf(' ')));
  const before = await series();
  assert.ok(before.includes('intake_webhook_attempts_total{result="not_sent",attempt="more"}'));
  for (const event of Object.values(examples)) metrics.recorder.appended([event], 1);
  for (const attempt of [1, 8, 9, 100])
    metrics.recorder.appended(
      [{ ...examples.WebhookAttempted, data: { ...examples.WebhookAttempted.data, attempt } }],
      1,
    );
  assert.equal(await series(), before);
});

test('work is timed, also when it fails', async () => {
  const times: number[] = [];
  const work = async (fails: boolean) => {
    if (fails) throw new Error('broken');
    return 'done';
  };
  const measured = timed(work, (ms) => times.push(ms));
  assert.is(await measured(false), 'done');
  assert.is((await failure(measured(true))).message, 'broken');
  assert.is(times.length, 2);
});

test('leases are counted by kind while they are held, and no longer than they last', () =>
  withStores(async (stores) => {
    const { clock, pass, documents } = stores;
    const metrics = createMetrics(clock);
    const leases = recordedLeases(documents.leases, clock, metrics.recorder);
    const held = async (kind: string) =>
      new RegExp(`^intake_leases_held\\{lease="${kind}"\\} (\\d+)$`, 'm').exec(
        await metrics.expose(none),
      )?.[1];
    const first = await leases.acquire('reactor:one', 'me', 1_000);
    await leases.acquire('reactor:two', 'me', 1_000);
    assert.is(await leases.acquire('reactor:two', 'other', 1_000), null);
    assert.is(await held('reactor'), '2');
    if (first) await leases.release(first);
    assert.is(await held('reactor'), '1');
    pass(1_001);
    assert.is(await held('reactor'), '0');
  })());

test('a lease that was lost is held no longer', () =>
  withStores(async ({ clock, pass, documents }) => {
    const metrics = createMetrics(clock);
    const leases = recordedLeases(documents.leases, clock, metrics.recorder);
    const fence = await leases.acquire('projections', 'me', 1_000);
    if (!fence) throw new Error('refused');
    assert.ok(await leases.renew(fence, 5_000));
    pass(2_000);
    assert.match(await metrics.expose(none), /intake_leases_held\{lease="projections"\} 1$/m);
    await documents.leases.breakAll();
    assert.not.ok(await leases.renew(fence, 5_000));
    assert.match(await metrics.expose(none), /intake_leases_held\{lease="projections"\} 0$/m);
  })());

test('a read model that is behind shows how far, and how old what it lacks is', () =>
  withStores(async (stores) => {
    const lagOf = async (name: string) => {
      const found = await readStoreMetrics(stores, reactors);
      const { intake_projection_lag_seconds: seconds, intake_projection_lag_events: events } = found;
      return { seconds: seconds[name], events: events[name] };
    };
    assert.equal(await lagOf('submissions'), { seconds: 0, events: 0 });
    const { position } = await append(stores, 'sub_1');
    stores.pass(2_000);
    await append(stores, 'sub_2');
    stores.pass(3_000);
    assert.equal(await lagOf('submissions'), { seconds: 5, events: 2 });
    // It handles none of them: what it does not show yet changes nothing of it.
    assert.equal(await lagOf('companies'), { seconds: 0, events: 0 });
    const fence = await fenceOf(stores, 'projections');
    await stores.documents.models.commit([], { [collectionOf(submissions)]: position }, fence);
    assert.equal(await lagOf('submissions'), { seconds: 3, events: 1 });
  })());

test('a reactor that is behind shows how old what it has not answered is', () =>
  withStores(async (stores) => {
    const lag = async () =>
      (await readStoreMetrics(stores, reactors)).intake_reactor_lag_seconds.requestDeliveries;
    await append(stores, 'sub_1');
    stores.pass(4_000);
    assert.is(await lag(), 0, 'a session is nothing to it');
    await append(stores, 'sub_2', examples.SubmissionRejected);
    stores.pass(1_000);
    assert.is(await lag(), 1);
    const head = await stores.log.head();
    const fence = await fenceOf(stores, 'reactor:requestDeliveries');
    if (head) await stores.documents.models.commit([], { 'reactor:requestDeliveries': head }, fence);
    stores.pass(1_000);
    assert.is(await lag(), 0);
  })());

test('a queue shows what waits, what is due, and since when', () =>
  withStores(async (stores) => {
    const { documents, clock, pass } = stores;
    const queueNow = async () => {
      const found = await readStoreMetrics(stores, reactors);
      const { intake_queue_items: items, intake_queue_due_items: due } = found;
      const oldest = found.intake_queue_oldest_due_seconds.processing;
      return { items: items.processing, due: due.processing, oldest };
    };
    assert.equal(await queueNow(), { items: 0, due: 0, oldest: 0 });
    const { position } = await append(stores, 'sub_1');
    const now = clock.now().getTime();
    const writes = [-4_000, 0, 60_000].map((ms) => {
      const document = { id: `at${ms}`, lane: 'l', dueAt: new Date(now + ms).toISOString() };
      return { collection: processingQueue.name, id: document.id, position, document };
    });
    await documents.models.commit(writes, {}, await fenceOf(stores, 'projections'));
    assert.equal(await queueNow(), { items: 3, due: 2, oldest: 4 });
    pass(10_000);
    assert.is((await queueNow()).oldest, 14);
  })());

test('quarantined documents and reactions that were set aside are counted by name', () =>
  withStores(async (stores) => {
    const { tables } = stores.documents;
    for (const key of ['sub_1', 'sub_2'])
      await tables.insert(QUARANTINE, `${collectionOf(submissions)}/${key}`, {
        projection: 'submissions',
        collection: collectionOf(submissions),
        key,
      });
    await tables.insert(SET_ASIDE, 'requestDeliveries/e', { reactor: 'requestDeliveries' });
    const found = await readStoreMetrics(stores, reactors);
    assert.is(found.intake_quarantined_documents.submissions, 2);
    assert.is(found.intake_quarantined_documents.deliveries, 0);
    assert.equal(found.intake_reactions_set_aside, { requestDeliveries: 1 });
  })());

test('attempts to sync are counted by what came of them', () =>
  withStores(async ({ clock }) => {
    const metrics = createMetrics(clock);
    const { SubmissionSyncFailed: failed, SubmissionSynced: synced } = examples;
    const last = { ...failed, data: { ...failed.data, nextAttemptAt: null } };
    for (const event of [failed, failed, last, synced, examples.SubmissionSyncRequested])
      metrics.recorder.appended([event], 1);
    metrics.recorder.appended([examples.SubmissionProcessed, synced], 1); // as test mode forces it
    const text = await metrics.expose(none);
    for (const [result, count] of Object.entries({ retried: 2, failed: 1, synced: 1 }))
      assert.match(text, new RegExp(`^intake_sync_attempts_total\\{result="${result}"\\} ${count}$`, 'm'));
  })());

test('parked events are counted by type, and types beyond the twentieth share a label', () =>
  withStores(async ({ clock, documents: { tables, ...documents }, log }) => {
    for (let n = 0; n < 23; n += 1)
      await tables.insert(PARKED, `p${n}`, { type: n === 0 ? 'Kind1' : `Kind${n}` });
    const found = await readStoreMetrics({ clock, log, documents: { tables, ...documents } }, []);
    const text = await createMetrics(clock).expose(found);
    assert.match(text, /intake_parked_events\{type="Kind1"\} 2/);
    assert.match(text, /intake_parked_events\{type="other"\} 2/);
    assert.is(text.match(/intake_parked_events\{/g)?.length, 21);
  })());

test('values that people approved are counted once, and workflows beyond the fiftieth share a label [figures-8]', () =>
  withStores(async ({ clock }) => {
    const metrics = createMetrics(clock);
    const values = { right: ['date', 'note'], corrected: ['total', 'company'], correctedSure: ['total'] };
    for (let n = 0; n < 52; n += 1) metrics.recorder.checked(`workflow-${n}`, values);
    metrics.recorder.checked('workflow-0', { ...values, correctedSure: [] });
    const text = await metrics.expose(none);
    const countsOf = (workflow: string) =>
      [
        ...text.matchAll(
          new RegExp(`^intake_approved_values_total\\{workflow="${workflow}",.* (\\d+)$`, 'gm'),
        ),
      ].map(([, count]) => Number(count));
    assert.equal(countsOf('workflow-0'), [4, 3, 1]);
    assert.equal(countsOf('workflow-49'), [2, 1, 1]);
    assert.equal(countsOf('workflow-50'), []);
    assert.equal(countsOf('other'), [4, 2, 2]);
  })());

test('attempts beyond the eighth share a label', () =>
  withStores(async ({ clock }) => {
    const metrics = createMetrics(clock);
    const { data } = examples.WebhookAttempted;
    for (const attempt of [8, 9, 500])
      metrics.recorder.appended([{ ...examples.WebhookAttempted, data: { ...data, attempt } }], 1);
    const text = await metrics.expose(none);
    const labels = [...text.matchAll(/^intake_webhook_attempts_total\{.*attempt="(\w+)"\} ([1-9]\d*)/gm)];
    assert.equal(
      labels.map(([, attempt, count]) => [attempt, count]),
      [
        ['8', '1'],
        ['more', '2'],
      ],
    );
  })());

test('an attempt that could not be sent is counted beside those that failed [endpoints-15]', () =>
  withStores(async ({ clock }) => {
    const { recorder, totals, expose } = createMetrics(clock);
    const { data } = examples.WebhookAttempted;
    for (const nextAttemptAt of [data.nextAttemptAt, null])
      for (const unsent of [{}, { notSent: true as const }])
        recorder.appended(
          [{ ...examples.WebhookAttempted, data: { ...data, ...unsent, error: 'why', nextAttemptAt } }],
          1,
        );
    const counted = (await expose(none)).matchAll(
      /^intake_webhook_attempts_total\{result="(\w+)".*\} ([1-9]\d*)/gm,
    );
    assert.equal(
      [...counted].map(([, result, count]) => [result, count]),
      [
        ['retried', '1'],
        ['failed', '1'],
        ['not_sent', '2'],
      ],
    );
    assert.is((await totals()).failedDeliveries, 2);
  })());

test('stores that do not answer in time leave their gauges out, and the rest is served', () =>
  withStores(async ({ clock }) => {
    const metrics = createMetrics(clock);
    const read: StoreMetrics = { ...none, intake_reactions_set_aside: { one: 3 } };
    const slow = gate<StoreMetrics>();
    const failures: unknown[] = [];
    let looks = 0;
    const reading = (): Promise<StoreMetrics> => {
      looks += 1;
      return looks === 1
        ? Promise.resolve(read)
        : looks === 2
          ? slow.opened
          : Promise.reject(new Error('away'));
    };
    const scrape = createScrape(metrics, reading, (error) => failures.push(error), 30);
    assert.match(await scrape(), /intake_reactions_set_aside\{reactor="one"\} 3/);
    for (const text of await Promise.all([scrape(), scrape()])) {
      assert.not.match(text, /intake_reactions_set_aside\{/);
      assert.match(text, /^process_cpu_seconds_total /m);
    }
    assert.is(looks, 2, 'one look serves all who ask meanwhile');
    slow.open(read);
    const fails = async () => /^intake_scrape_failures_total 3$/m.test(await scrape());
    await eventually('the next look, which fails', fails);
    assert.is(String(failures), 'Error: away');
  })());
