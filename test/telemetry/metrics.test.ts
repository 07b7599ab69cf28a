import * as assert from 'uvu/assert';
import type { DomainEvent } from '../../domain/events.ts';
import { submissionStream } from '../../domain/submission.ts';
import { PARKED } from '../../projections/engine/parked.ts';
import { QUARANTINE } from '../../projections/engine/quarantine.ts';
import { collectionOf } from '../../projections/engine/readModels.ts';
import { processingQueue } from '../../projections/processingQueue.ts';
import { submissions } from '../../projections/submissions.ts';
import { SET_ASIDE } from '../../reactors/engine/runner.ts';
import { requestDeliveries } from '../../reactors/requestDeliveries.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { type Measures, unmeasured } from '../../telemetry/recorder.ts';
import { measuredLeases, measuredLog, timed } from '../../telemetry/recording.ts';
import { createScrape } from '../../telemetry/scrape.ts';
import { type Figures, readFigures } from '../../telemetry/storeMetrics.ts';
import { examples } from '../controls/events.ts';
import { failure, fenceOf, gate, type Stores, withStores } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('metrics');
const none: Figures = {
  projections: {},
  shown: {},
  reactors: {},
  queues: [],
  quarantined: {},
  setAside: {},
  parked: {},
};
const reactors = [requestDeliveries(async () => undefined)];

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
  return log.append(submissionStream(submissionId), null, [event], submissionId);
};

test('an append is told with its events, one that came too late as a conflict', () =>
  withStores(async (stores) => {
    const told: string[] = [];
    const measures: Measures = {
      ...unmeasured,
      appended: (events, durationMs) => told.push(...events.map(({ type }) => type), String(durationMs > 0)),
      conflicted: () => told.push('conflict'),
    };
    const log = measuredLog(stores.log, measures);
    await append({ ...stores, log }, 'sub_1');
    const late = await failure(append({ ...stores, log }, 'sub_1'));
    assert.is(late.name, 'WrongExpectedRevision');
    assert.equal(told, ['SessionCreated', 'true', 'conflict']);
  })());

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
    const leases = measuredLeases(documents.leases, clock, metrics.measures);
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
    const leases = measuredLeases(documents.leases, clock, metrics.measures);
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
    const lagOf = async (name: string) => (await readFigures(stores, reactors)).projections[name];
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
    const lag = async () => (await readFigures(stores, reactors)).reactors.requestDeliveries;
    await append(stores, 'sub_1');
    stores.pass(4_000);
    assert.equal(await lag(), { seconds: 0, events: 0 }, 'a session is nothing to it');
    await append(stores, 'sub_2', examples.SubmissionRejected);
    stores.pass(1_000);
    assert.equal(await lag(), { seconds: 1, events: 1 });
    const head = await stores.log.head();
    const fence = await fenceOf(stores, 'reactor:requestDeliveries');
    if (head) await stores.documents.models.commit([], { 'reactor:requestDeliveries': head }, fence);
    stores.pass(1_000);
    assert.equal(await lag(), { seconds: 0, events: 0 });
  })());

test('a queue tells what waits, what is due, and since when', () =>
  withStores(async (stores) => {
    const { documents, clock, pass } = stores;
    const queueNow = async () =>
      (await readFigures(stores, reactors)).queues.find(({ queue }) => queue === 'processing');
    assert.equal(await queueNow(), { queue: 'processing', items: 0, due: 0, oldestDueSeconds: 0 });
    const { position } = await append(stores, 'sub_1');
    const now = clock.now().getTime();
    const writes = [-4_000, 0, 60_000].map((ms) => {
      const document = { id: `at${ms}`, lane: 'l', dueAt: new Date(now + ms).toISOString() };
      return { collection: processingQueue.name, id: document.id, position, document };
    });
    await documents.models.commit(writes, {}, await fenceOf(stores, 'projections'));
    assert.equal(await queueNow(), { queue: 'processing', items: 3, due: 2, oldestDueSeconds: 4 });
    pass(10_000);
    assert.is((await queueNow())?.oldestDueSeconds, 14);
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
    const { quarantined, setAside } = await readFigures(stores, reactors);
    assert.is(quarantined.submissions, 2);
    assert.is(quarantined.deliveries, 0);
    assert.equal(setAside, { requestDeliveries: 1 });
  })());

test('attempts to sync are counted by what came of them', () =>
  withStores(async ({ clock }) => {
    const metrics = createMetrics(clock);
    const { SubmissionSyncFailed: failed, SubmissionSynced: synced } = examples;
    const last = { ...failed, data: { ...failed.data, nextAttemptAt: null } };
    for (const event of [failed, failed, last, synced, examples.SubmissionSyncRequested])
      metrics.measures.appended([event], 1);
    metrics.measures.appended([examples.SubmissionProcessed, synced], 1); // as test mode forces it
    const text = await metrics.expose(none);
    for (const [result, count] of Object.entries({ retried: 2, failed: 1, synced: 1 }))
      assert.match(text, new RegExp(`^intake_sync_attempts_total\\{result="${result}"\\} ${count}$`, 'm'));
  })());

test('parked events are counted by type, and types beyond the twentieth share a label', () =>
  withStores(async ({ clock, documents: { tables, ...documents }, log }) => {
    for (let n = 0; n < 23; n += 1)
      await tables.insert(PARKED, `p${n}`, { type: n === 0 ? 'Kind1' : `Kind${n}` });
    const figures = await readFigures({ clock, log, documents: { tables, ...documents } }, []);
    assert.is(figures.parked.Kind1, 2);
    const text = await createMetrics(clock).expose(figures);
    assert.match(text, /intake_parked_events\{type="Kind1"\} 2/);
    assert.match(text, /intake_parked_events\{type="other"\} 2/);
    assert.is(text.match(/intake_parked_events\{/g)?.length, 21);
  })());

test('attempts beyond the eighth share a label', () =>
  withStores(async ({ clock }) => {
    const metrics = createMetrics(clock);
    const { data } = examples.WebhookAttempted;
    for (const attempt of [8, 9, 500])
      metrics.measures.appended([{ ...examples.WebhookAttempted, data: { ...data, attempt } }], 1);
    const text = await metrics.expose(none);
    const labels = [...text.matchAll(/^intake_webhook_attempts_total\{.*attempt="(\w+)"\} (\d+)/gm)];
    assert.equal(
      labels.map(([, attempt, count]) => [attempt, count]),
      [
        ['8', '1'],
        ['more', '2'],
      ],
    );
  })());

test('stores that do not answer in time leave their gauges out, and the rest is served', () =>
  withStores(async ({ clock }) => {
    const metrics = createMetrics(clock);
    const figures: Figures = { ...none, setAside: { one: 3 } };
    const slow = gate<Figures>();
    const failures: unknown[] = [];
    let looks = 0;
    const read = (): Promise<Figures> => {
      looks += 1;
      return looks === 1
        ? Promise.resolve(figures)
        : looks === 2
          ? slow.opened
          : Promise.reject(new Error('away'));
    };
    const scrape = createScrape(metrics, read, (error) => failures.push(error), 30);
    assert.match(await scrape(), /intake_reactions_set_aside\{reactor="one"\} 3/);
    for (const text of await Promise.all([scrape(), scrape()])) {
      assert.not.match(text, /intake_reactions_set_aside\{/);
      assert.match(text, /^process_cpu_seconds_total /m);
    }
    assert.is(looks, 2, 'one look serves all who ask meanwhile');
    slow.open(figures);
    const fails = async () => /^intake_scrape_failures_total 3$/m.test(await scrape());
    await eventually('the next look, which fails', fails);
    assert.is(String(failures), 'Error: away');
  })());
