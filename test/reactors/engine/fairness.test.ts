import * as assert from 'uvu/assert';
import type { Position } from '../../../kernel/event.ts';
import { createLanes, LANE_LIMITS } from '../../../outbound/lanes.ts';
import { deliveryQueue } from '../../../projections/deliveryQueue.ts';
import { createProgress } from '../../../projections/engine/progress.ts';
import { foldEvent } from '../../../projections/engine/projection.ts';
import { processingQueue } from '../../../projections/processingQueue.ts';
import { runWorker } from '../../../reactors/engine/worker.ts';
import type { Capacity, Claimed } from '../../../stores/documents/port.ts';
import { examples, logged } from '../../controls/events.ts';
import { fenceOf, gate, keptReport, type Stores, withStores } from '../../controls/stores.ts';
import { submitted } from '../../controls/submission.ts';
import { eventually, suite } from '../../harness.ts';

const test = suite('fairness over companies [operations-14]');
type Item = Readonly<{ id: string; lane: string }>;
const MANY = 1_000;

let position = 0;
/** Puts work into a queue, as its projection made it; null takes it out. */
const put = async (stores: Stores, collection: string, items: Readonly<Record<string, object | null>>) => {
  position += 1;
  const at = String(position).padStart(16, '0') as Position;
  const writes = Object.entries(items).map(([id, document]) => ({ collection, id, position: at, document }));
  await stores.documents.models.commit(writes, {}, await fenceOf(stores, 'projections'));
};

const start = (
  stores: Stores,
  queue: string,
  capacity: (running: number) => Capacity,
  work: (item: Claimed<Item>) => Promise<null>,
) => {
  const stop = new AbortController();
  const progress = createProgress(async () => null);
  const { report } = keptReport();
  const { leases } = stores.documents;
  const { signal } = stop;
  const running = runWorker<Item>({
    queue,
    owner: 'one',
    leases,
    progress,
    report,
    signal,
    capacity,
    work: async (item) => {
      await work(item);
      // Done: out of the queue before its lease ends.
      await put(stores, queue, { [item.id]: null });
      return null;
    },
  });
  return async (): Promise<void> => {
    stop.abort();
    await running;
  };
};

/** A session of a company as the queue holds it, submitted with one of its many keys. */
const session = (companyId: string, n: number): object => {
  const submissionId = `sub_${companyId}${n}`;
  const data = { ...submitted.data, submissionId, companyId, keyId: `key_${n % 50}` };
  const [event] = logged([{ ...submitted, data } as typeof examples.SessionSubmitted]);
  return (event && foldEvent(processingQueue.on, null, event, submissionId)) ?? {};
};

test(
  'a company with a thousand sessions queued, under many keys, holds up another one’s for a few at most',
  withStores(async (stores) => {
    const order: string[] = [];
    const many = Array.from({ length: MANY }, (_, n) => [`a${n}`, session('cmp_a', n)] as const);
    await put(stores, 'processing', Object.fromEntries(many));
    stores.pass(60_000);
    const late = gate();
    // Two at a time, as a machine of two cores takes them.
    const two = (running: number): Capacity => ({ limit: 2 - running, perLane: 2 - running, skip: [] });
    const end = start(stores, 'processing', two, async ({ id }) => {
      order.push(id);
      if (order.length === 4) {
        await put(stores, 'processing', { b: session('cmp_b', 0) });
        late.open();
      }
      return null;
    });
    await late.opened;
    await eventually('the other company’s', () => order.includes('b'));
    await end();
    assert.ok(order.indexOf('b') <= 8, order.join(' '));
  }),
);

/** A webhook of a company as the queue holds it. */
const delivery = (companyId: string, url: string): object => {
  const { data } = examples.WebhookRequested;
  const [event] = logged([
    { ...examples.WebhookRequested, data: { ...data, companyId, private: { url, body: '' } } },
  ]);
  return (event && foldEvent(deliveryQueue.on, null, event, data.eventId)) ?? {};
};

test(
  'a company whose thousand receivers all hang, each at an address of its own, leaves places for another one’s',
  withStores(async (stores) => {
    const many = Array.from(
      { length: MANY },
      (_, n) => [`a${n}`, delivery('cmp_a', `https://a${n}.example/`)] as const,
    );
    await put(stores, 'deliveries', Object.fromEntries(many));
    stores.pass(60_000);
    const lanes = createLanes();
    const hanging = gate();
    const started: string[] = [];
    const end = start(stores, 'deliveries', lanes.nextClaim, async ({ id, document }) => {
      lanes.started(document.lane);
      started.push(id);
      if (id !== 'b') await hanging.opened;
      lanes.finished(document.lane, id === 'b');
      return null;
    });
    await eventually('the company’s part is taken', () => started.length === LANE_LIMITS.company);
    await put(stores, 'deliveries', { b: delivery('cmp_b', 'https://b.example/') });
    await eventually('the other company’s', () => started.includes('b'));
    assert.is(started.length, LANE_LIMITS.company + 1);
    const ended = end();
    hanging.open();
    await ended;
  }),
  { timeoutMs: 60_000 },
);
