import { getEventListeners } from 'node:events';
import * as assert from 'uvu/assert';
import { LeaseLost, StoreUnavailable } from '../../kernel/errors.ts';
import { supervise } from '../../kernel/supervise.ts';
import { holding, underLease } from '../../stores/documents/lease.ts';
import type { Fence } from '../../stores/documents/port.ts';
import { fenceOf, gate, keptReport, type Stores, temporaryStores } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('supervise');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

/** Resolves when the signal is aborted. */
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

test('a loop that throws or ends is run again, after growing delays', async () => {
  const stop = new AbortController();
  const kept = keptReport();
  const starts: number[] = [];
  const run = async (): Promise<void> => {
    starts.push(performance.now());
    if (starts.length === 1) throw new Error('broken');
    if (starts.length === 4) stop.abort();
  };
  await supervise('loop', run, stop.signal, kept.report);
  const [first = 0, second = 0, third = 0, fourth = 0] = starts;
  assert.is(starts.length, 4);
  // Delays of 100, 200 and 400 ms, each shortened by up to half; timers may be early by a millisecond.
  assert.ok(second - first >= 49 && third - second >= 99 && fourth - third >= 199, String(starts));
});

test('each kind of failure is reported once', async () => {
  const stop = new AbortController();
  const kept = keptReport();
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    if (runs === 4) stop.abort();
    throw new Error(runs < 3 ? 'store away' : 'disk full');
  };
  await supervise('loop', run, stop.signal, kept.report);
  assert.equal(
    kept.lines.map(({ level, facts }) => [level, (facts as { err: Error }).err.message]),
    [
      ['error', 'store away'],
      ['error', 'disk full'],
    ],
  );
});

test('an outage, and a lease that has passed on, are no trouble of the loop: nothing is said of their end', async () => {
  const stop = new AbortController();
  const kept = keptReport();
  const ends = [new LeaseLost('projections'), new StoreUnavailable('away'), new StoreUnavailable('away')];
  const run = async (): Promise<void> => {
    const error = ends.shift();
    if (error) throw error;
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    stop.abort();
  };
  await supervise('loop', run, stop.signal, kept.report);
  assert.equal(
    kept.lines.map(({ level, message }) => `${level}: ${message}`),
    [
      'info: loop passed to another process',
      // Of the same outage one line a loop: stores/availability/availability.ts tells of it once for all.
      'error: loop stopped and will be started again',
      'error: loop stopped and will be started again',
    ],
  );
});

test('an abort ends it, also while it waits; what a loop throws then is its end', async () => {
  const kept = keptReport();
  const one = new AbortController();
  const running = supervise(
    'loop',
    async (signal) => {
      await untilAborted(signal);
      throw new Error('aborted');
    },
    one.signal,
    kept.report,
  );
  one.abort();
  await running;
  const two = new AbortController();
  two.abort();
  await supervise('loop', () => Promise.reject(new Error('never')), two.signal, kept.report);
  assert.equal(kept.lines, []);
});

test('the lease of what ended is free, also when it failed', async () => {
  const { leases } = stores.documents;
  const { signal } = new AbortController();
  const fence = await fenceOf(stores, 'held');
  assert.is(await holding(leases, fence, signal, async () => 'done'), 'done');
  const again = await leases.acquire('held', 'other', 15_000);
  if (!again) throw new Error('the lease is not free');
  const failed = holding(leases, again, signal, () => Promise.reject(new Error('broken')));
  assert.is(await failed.catch((error: Error) => error.message), 'broken');
  assert.ok(await leases.acquire('held', 'third', 15_000));
});

test('an abort from outside reaches what runs under the lease', async () => {
  const stop = new AbortController();
  const fence = await fenceOf(stores, 'outside');
  const running = holding(stores.documents.leases, fence, stop.signal, untilAborted);
  stop.abort();
  await running;
});

test('a lease that was lost aborts what runs under it, and is not released', async () => {
  const fence = await fenceOf(stores, 'lost');
  const { leases } = stores.documents;
  const { signal } = new AbortController();
  const running = holding(leases, fence, signal, untilAborted, 20);
  stores.pass(15_001);
  const other = await leases.acquire('lost', 'other', 15_000);
  await running;
  assert.ok(other && (await leases.renew(other, 15_000)), 'the other one still holds it');
});

test('renewals keep a lease for as long as it is needed', async () => {
  const fence = await fenceOf(stores, 'kept');
  const { leases } = stores.documents;
  let renewals = 0;
  const counted = {
    ...leases,
    renew: async (...terms: Parameters<typeof leases.renew>) => {
      const held = await leases.renew(...terms);
      renewals += 1;
      return held;
    },
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let hop = 1; hop <= 3; hop += 1) {
      stores.pass(14_000);
      const before = renewals;
      await eventually('a renewal', () => renewals > before);
      assert.not.ok(signal.aborted);
    }
  };
  await holding(counted, fence, new AbortController().signal, run, 5);
});

test('a store that is unavailable for a moment costs no lease', async () => {
  const fence = await fenceOf(stores, 'away');
  const { leases } = stores.documents;
  let asked = 0;
  const away = {
    ...leases,
    renew: () => {
      asked += 1;
      return Promise.reject(new Error('away'));
    },
  };
  const run = async (signal: AbortSignal): Promise<boolean> => {
    await eventually('three renewals', () => asked >= 3);
    return signal.aborted;
  };
  assert.is(await holding(away, fence, new AbortController().signal, run, 5), false);
});

test('another node takes over when a holder dies, with a greater token', async () => {
  const { leases } = stores.documents;
  const dead = await leases.acquire('role', 'dead', 15_000);
  const stop = new AbortController();
  const { opened, open } = gate<Fence>();
  const standby = underLease(leases, 'role', 'standby', stop.signal, async (fence, signal) => {
    open(fence);
    await untilAborted(signal);
  });
  stores.pass(14_000);
  assert.not.ok(await leases.acquire('role', 'third', 1_000));
  stores.pass(1_001);
  const taken = await opened;
  assert.ok(dead && taken.token > dead.token);
  stop.abort();
  await standby;
  assert.ok(await leases.acquire('role', 'third', 1_000), 'and gives it back at its end');
});

test('one that stands by ends with its signal', async () => {
  const { leases } = stores.documents;
  await leases.acquire('taken', 'other', 15_000);
  const stop = new AbortController();
  let ran = false;
  const standby = underLease(leases, 'taken', 'me', stop.signal, async () => {
    ran = true;
  });
  stop.abort();
  await standby;
  assert.is(ran, false);
});

test('work under a lease leaves nothing behind in the signal of the service', async () => {
  const { leases } = stores.documents;
  const { signal } = new AbortController();
  for (const run of [async () => 'done', () => Promise.reject(new Error('broken'))]) {
    const fence = await fenceOf(stores, 'traceless');
    await holding(leases, fence, signal, run).catch((error: Error) => error);
    assert.is(getEventListeners(signal, 'abort').length, 0);
  }
});
