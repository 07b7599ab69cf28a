import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import type { Position } from '../../../kernel/event.ts';
import { createProgress } from '../../../projections/engine/progress.ts';
import { runWorker, type WorkerOptions } from '../../../reactors/engine/worker.ts';
import type { Capacity, Claimed } from '../../../stores/documents/port.ts';
import { fenceOf, gate, keptReport, type Stores, withStores } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';

const test = suite('worker');

type Item = Readonly<{ id: string; lane: string; dueAt: string }>;
type Work = (item: Claimed<Item>, signal: AbortSignal) => Promise<Position | null>;

const QUEUE = 'queue';
const at = (n: number): Position => String(n).padStart(16, '0') as Position;

/** Puts due work into the queue; `null` takes it out. */
const put = async (
  stores: Stores,
  n: number,
  items: Readonly<Record<string, string | null>>,
): Promise<void> => {
  const dueAt = stores.clock.now().toISOString();
  const writes = Object.entries(items).map(([id, lane]) => ({
    collection: QUEUE,
    id,
    position: at(n),
    document: lane === null ? null : { id, lane, dueAt },
  }));
  await stores.documents.models.commit(writes, {}, await fenceOf(stores, 'projections'));
};

const start = (stores: Stores, work: Work, over: Partial<WorkerOptions<Item>> = {}) => {
  const stop = new AbortController();
  const kept = keptReport();
  const progress = createProgress(async () => null);
  const { leases } = stores.documents;
  const limited = (running: number): Capacity => ({ limit: 2 - running, perLane: 2, skip: [] });
  const running = runWorker<Item>({
    queue: QUEUE,
    owner: 'one',
    leases,
    progress,
    report: kept.report,
    signal: stop.signal,
    capacity: limited,
    work,
    ...over,
  });
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  return { running, progress, stop: end, abort: () => stop.abort(), lines: kept.lines };
};

test(
  'it does what is due, once, and holds it until the queue shows that it is done',
  withStores(async (stores) => {
    const done: string[] = [];
    await put(stores, 1, { a: 'lane', b: 'lane' });
    const worker = start(stores, async ({ id }) => {
      done.push(id);
      return id === 'c' ? at(4) : at(2);
    });
    await eventually('both are done', () => done.length === 2);
    await put(stores, 2, { a: null, b: null });
    worker.progress.advanced(at(2));
    await put(stores, 3, { c: 'lane' });
    await eventually('the next one', () => done.includes('c'));
    await put(stores, 4, { c: null });
    worker.progress.advanced(at(4));
    await worker.stop();
    assert.equal([...done].sort(), ['a', 'b', 'c']);
  }),
);

test(
  'never more at once than there is capacity',
  withStores(async (stores) => {
    const { opened, open } = gate();
    let [atOnce, most, done] = [0, 0, 0];
    await put(stores, 1, { a: 'x', b: 'x', c: 'y', d: 'y', e: 'z' });
    const worker = start(stores, async ({ id }) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await opened;
      atOnce -= 1;
      await put(stores, 2, { [id]: null });
      done += 1;
      return at(0);
    });
    worker.progress.advanced(at(0));
    await eventually('two are under way', () => atOnce === 2);
    open();
    await eventually('all are done', () => done === 5);
    await worker.stop();
    assert.is(most, 2);
  }),
);

test(
  'a claim is repeated at once only where it reached a limit or passed over work',
  withStores(async (stores) => {
    await put(stores, 1, { a: 'x', b: 'x', c: 'x' });
    for (const [free, expected] of [
      [{ limit: 4, perLane: 4, skip: [] }, 1],
      [{ limit: 4, perLane: 4, skip: ['y'] }, 2],
      [{ limit: 3, perLane: 3, skip: [] }, 2],
      [{ limit: 4, perLane: 1, skip: [] }, 4],
    ] as const) {
      let asked = 0;
      const capacity = (): Capacity => {
        asked += 1;
        return free;
      };
      const worker = start(stores, async () => null, { capacity });
      await pause(100);
      assert.is(asked, expected);
      await worker.stop();
      await stores.documents.leases.breakAll();
    }
  }),
);

test(
  'an advance of the read models rings: new work waits for no look',
  withStores(async (stores) => {
    const done: string[] = [];
    const asked: number[] = [];
    const worker = start(
      stores,
      async ({ id }) => {
        done.push(id);
        await put(stores, 2, { [id]: null });
        return at(0);
      },
      {
        capacity: (running) => {
          asked.push(running);
          return { limit: 1, perLane: 1, skip: [] };
        },
      },
    );
    await eventually('it looked', () => asked.length === 1);
    await put(stores, 1, { a: 'x' });
    worker.progress.advanced(at(1));
    await eventually('done', () => done.length === 1, 200);
    await worker.stop();
  }),
);

test(
  'work that throws is reported, stays due, rests under its lease and is claimed again',
  withStores(async (stores) => {
    let attempts = 0;
    const other = stores.documents.leases;
    await put(stores, 1, { a: 'x' });
    const worker = start(stores, async ({ id }) => {
      attempts += 1;
      if (attempts === 1) throw new Error('broken');
      await put(stores, 2, { [id]: null });
      return at(0);
    });
    worker.progress.advanced(at(0));
    await eventually('the report', () => worker.lines.length === 1);
    const terms = { collection: QUEUE, owner: 'two', leaseMs: 15_000, limit: 1, perLane: 1, skip: [] };
    assert.equal(await other.claim(terms), [], 'nobody gets it while it rests');
    assert.is(attempts, 1);
    await eventually('the second attempt', () => attempts === 2);
    await worker.stop();
    assert.equal([worker.lines.length, worker.lines[0]?.level], [1, 'error']);
  }),
);

test(
  'work with nothing to do is not claimed again at once',
  withStores(async (stores) => {
    let attempts = 0;
    await put(stores, 1, { a: 'x' });
    const worker = start(stores, async () => {
      attempts += 1;
      return null;
    });
    await eventually('three looks', () => attempts === 3);
    const started = performance.now();
    await eventually('three more', () => attempts === 6);
    assert.ok(performance.now() - started > 400, 'a rest between two looks');
    await worker.stop();
  }),
);

test(
  'an abort waits for what is under way, tells it, and releases its lease',
  withStores(async (stores) => {
    const { opened, open } = gate();
    let told: AbortSignal | undefined;
    let ended = false;
    await put(stores, 1, { a: 'x' });
    const worker = start(stores, async (_item, signal) => {
      told = signal;
      await opened;
      throw new Error('called off');
    });
    await eventually('it has begun', () => told);
    worker.abort();
    worker.running.then(() => {
      ended = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal([told?.aborted, ended], [true, false]);
    open();
    await worker.running;
    assert.equal(worker.lines, [], 'the end is no failure');
    assert.ok(await stores.documents.leases.acquire(`${QUEUE}/a`, 'two', 1_000));
  }),
);

test(
  'a store that is away is asked again after a second, also while work is under way that takes longer',
  withStores(async (stores) => {
    const { opened, open } = gate();
    const { leases } = stores.documents;
    const done: string[] = [];
    let [away, begun] = [false, false];
    const claim: typeof leases.claim = (terms) =>
      away ? Promise.reject(new StoreUnavailable('away')) : leases.claim(terms);
    await put(stores, 1, { slow: 'x' });
    const work: Work = async ({ id }) => {
      begun = true;
      if (id === 'slow') await opened;
      done.push(id);
      await put(stores, 3, { [id]: null });
      return at(0);
    };
    const worker = start(stores, work, { leases: { ...leases, claim } });
    worker.progress.advanced(at(0));
    await eventually('it is under way', () => begun);
    away = true;
    await eventually('the outage is met', () => worker.lines.length === 1);
    away = false;
    await put(stores, 2, { quick: 'x' });
    await eventually('other work', () => done.includes('quick'), 3_000);
    open();
    await worker.stop();
    assert.equal([worker.lines.length, worker.lines[0]?.level], [1, 'warn']);
  }),
);

test(
  'what is wrong with it otherwise ends it, after what is under way',
  withStores(async (stores) => {
    const { leases } = stores.documents;
    const claim = () => Promise.reject(new Error('a bug'));
    const worker = start(stores, async () => null, { leases: { ...leases, claim } });
    const outcome = await worker.running.catch((error: Error) => error.message);
    assert.is(outcome, 'a bug');
  }),
);

test(
  'it looks at once when its queue has changed, and not because others have',
  withStores(async (stores) => {
    let looks = 0;
    const limited = (): Capacity => {
      looks += 1;
      return { limit: 2, perLane: 2, skip: [] };
    };
    const worker = start(stores, async () => null, { capacity: limited, pollMs: 3_600_000 });
    const advance = async (changed: string): Promise<void> => {
      for (let n = 1; n <= 20; n += 1) {
        const before = looks;
        worker.progress.advanced(at(n), new Set([changed]));
        if (changed === QUEUE) await eventually('another look', () => looks > before);
        else for (let turn = 0; turn < 10; turn += 1) await nextTurn();
      }
    };
    await eventually('the first look', () => looks > 0);
    const before = looks;
    await advance('others');
    assert.is(looks, before);
    await advance(QUEUE);
    await worker.stop();
  }),
);

test(
  'each wait ends its hold on the signal of the service',
  withStores(async (stores) => {
    let looks = 0;
    const stop = new AbortController();
    const limited = (): Capacity => {
      looks += 1;
      return { limit: 2, perLane: 2, skip: [] };
    };
    const worker = start(stores, async () => null, { signal: stop.signal, capacity: limited });
    for (let n = 1; n <= 20; n += 1) {
      const before = looks;
      worker.progress.advanced(at(n));
      await eventually('another look', () => looks > before);
    }
    assert.ok(getEventListeners(stop.signal, 'abort').length <= 1);
    stop.abort();
    await worker.running;
    assert.is(getEventListeners(stop.signal, 'abort').length, 0);
  }),
);
