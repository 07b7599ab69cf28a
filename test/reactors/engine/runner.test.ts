import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import type { Recorded } from '../../../kernel/event.ts';
import type { Reactor } from '../../../reactors/engine/reactor.ts';
import { type ReactorOptions, runReactor } from '../../../reactors/engine/runner.ts';
import { SET_ASIDE } from '../../../reactors/engine/setAside.ts';
import { appendNumbers, type Counted } from '../../controls/numbers.ts';
import { failure, fenceOf, gate, keptReport, type Stores, withStores } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';

const test = suite('reactor runner');

type React = (event: Recorded<Counted>, signal: AbortSignal) => Promise<void>;

/** Starts a reactor as a process would; `stop` ends it, `kept` is what it reports. */
const start = async (
  stores: Stores,
  react: React,
  over: Partial<ReactorOptions<Counted>> & Readonly<{ startFrom?: Reactor['startFrom'] }> = {},
) => {
  const stop = new AbortController();
  const kept = keptReport();
  const { startFrom = 'origin', ...options } = over;
  const reactor = { name: 'r', startFrom, prefixes: ['count-'], handles: ['Counted' as const], react };
  const { log, documents } = stores;
  const fence = await fenceOf(stores, 'reactor:r');
  const { report } = kept;
  const { signal } = stop;
  const progress = { reached: async () => true };
  const running = runReactor({ reactor, log, documents, progress, fence, signal, report, ...options });
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  return { running, stop: end, abort: () => stop.abort(), lines: kept.lines };
};
const checkpointOf = ({ documents }: Stores) => documents.models.checkpoint('reactor:r');
const reached = (stores: Stores, position: string) =>
  eventually('the checkpoint', async () => ((await checkpointOf(stores)) ?? '') >= position);

test(
  'behind the head, the read models come first',
  withStores(async (stores) => {
    const waits = gate();
    const positions: string[] = [];
    const progress = {
      reached: async (position: string) => {
        positions.push(position);
        await waits.opened;
        return false;
      },
    };
    let seen = 0;
    const react = async (): Promise<void> => {
      seen += 1;
    };
    const many = Array.from({ length: 501 }, (_, n) => n);
    const last = await appendNumbers(stores, 'a', ...many);
    const reactor = await start(stores, react, { progress });
    await eventually('the first page', async () => positions.length > 0);
    assert.is(seen, 0);
    waits.open();
    await reached(stores, last);
    assert.equal([seen, positions.length], [501, 1]);
    await reactor.stop();
  }),
);

test(
  'within a stream in order, one after the other',
  withStores(async (stores) => {
    const seen: number[] = [];
    let atOnce = 0;
    const last = await appendNumbers(stores, 'a', 1, 2, 3, 4, 5);
    const reactor = await start(stores, async ({ data }) => {
      atOnce += 1;
      assert.is(atOnce, 1);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      seen.push(data.n);
    });
    await reached(stores, last);
    await reactor.stop();
    assert.equal(seen, [1, 2, 3, 4, 5]);
  }),
);

test(
  'streams go side by side, 32 at once',
  withStores(async (stores) => {
    const { opened, open } = gate();
    let waiting = 0;
    let last = '';
    for (let n = 0; n < 40; n += 1) last = await appendNumbers(stores, `s${n}`, n);
    const reactor = await start(stores, async () => {
      waiting += 1;
      await opened;
    });
    await eventually('32 wait', () => waiting >= 32);
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(waiting, 32);
    assert.is(await checkpointOf(stores), null, 'the checkpoint waits for the whole page');
    open();
    await reached(stores, last);
    await reactor.stop();
    assert.is(waiting, 40);
  }),
);

test(
  'a restart goes on after the last page that was done, and delivers again what was not',
  withStores(async (stores) => {
    const seen: number[] = [];
    const first = await appendNumbers(stores, 'a', 1);
    const react: React = async ({ data }) => void seen.push(data.n);
    const one = await start(stores, react);
    await reached(stores, first);
    await one.stop();
    const { opened, open } = gate();
    await appendNumbers(stores, 'a', 2, 3);
    const two = await start(stores, async (event, signal) => {
      await react(event, signal);
      if (event.data.n === 2) await opened;
    });
    await eventually('2 has begun', () => seen.includes(2));
    two.abort();
    open();
    await two.running;
    assert.equal(seen, [1, 2], 'after the abort nothing new begins');
    assert.is(await checkpointOf(stores), first);
    const three = await start(stores, react);
    await eventually('3 is done', () => seen.includes(3));
    await three.stop();
    assert.equal(seen, [1, 2, 2, 3]);
  }),
);

test(
  'a failure is tried again, and holds only its own stream',
  withStores(async (stores) => {
    const seen: string[] = [];
    let failures = 2;
    await appendNumbers(stores, 'a', 1, 2);
    const last = await appendNumbers(stores, 'b', 3);
    const reactor = await start(stores, async ({ data }) => {
      if (data.n === 1 && failures > 0) {
        failures -= 1;
        throw new Error('away');
      }
      seen.push(`${data.key}${data.n}`);
    });
    await reached(stores, last);
    await reactor.stop();
    assert.equal(seen, ['b3', 'a1', 'a2']);
    assert.equal(
      reactor.lines.map(({ level }) => level),
      ['warn', 'warn'],
    );
    assert.equal(await stores.documents.tables.list(SET_ASIDE), []);
  }),
);

test(
  'what fails for longer than its patience is set aside, and the rest goes on',
  withStores(async (stores) => {
    const seen: number[] = [];
    const last = await appendNumbers(stores, 'a', 1, 2);
    const react: React = async ({ data }) => {
      if (data.n === 1) throw new Error('never');
      seen.push(data.n);
    };
    const reactor = await start(stores, react, { patienceMs: 0 });
    await reached(stores, last);
    await reactor.stop();
    assert.equal(seen, [2]);
    const [row] = await stores.documents.tables.list<{ reactor: string; error: string }>(SET_ASIDE);
    assert.equal([row?.row.reactor, row?.row.error], ['r', 'Error: never']);
    assert.is(reactor.lines.at(-1)?.level, 'error');
  }),
);

test(
  'while a store is away nothing is set aside, however long that takes',
  withStores(async (stores) => {
    let tries = 0;
    const last = await appendNumbers(stores, 'a', 1);
    const react: React = async () => {
      tries += 1;
      if (tries < 3) throw new StoreUnavailable('away');
    };
    const reactor = await start(stores, react, { patienceMs: 0 });
    await reached(stores, last);
    await reactor.stop();
    assert.is(tries, 3);
    assert.equal(await stores.documents.tables.list(SET_ASIDE), []);
  }),
);

test(
  'when the store can’t keep what was set aside, it throws after all others have ended, and moves no checkpoint',
  withStores(async (stores) => {
    const { opened, open } = gate();
    await appendNumbers(stores, 'a', 1);
    await appendNumbers(stores, 'b', 2);
    const { documents } = stores;
    const insert = () => Promise.reject(new Error('disk full'));
    let ended = false;
    const reactor = await start(
      stores,
      async ({ data }) => {
        if (data.n === 1) throw new Error('never');
        await opened;
        ended = true;
      },
      { patienceMs: 0, documents: { ...documents, tables: { ...documents.tables, insert } } },
    );
    const failed = failure(reactor.running);
    await eventually('it was given up', () => reactor.lines.some(({ level }) => level === 'error'));
    open();
    assert.is((await failed).message, 'disk full');
    assert.ok(ended);
    assert.is(await checkpointOf(stores), null);
  }),
);

test(
  'without its lease it throws LeaseLost and moves no checkpoint',
  withStores(async (stores) => {
    const { opened, open } = gate();
    await appendNumbers(stores, 'a', 1);
    const reactor = await start(stores, () => opened);
    const failed = failure(reactor.running);
    stores.pass(15_001);
    const other = await stores.documents.leases.acquire('reactor:r', 'other', 15_000);
    assert.ok(other);
    open();
    assert.is((await failed).name, 'LeaseLost');
    assert.is(await checkpointOf(stores), null);
  }),
);

test(
  'past what asks for nothing the checkpoint moves once a second and before a reaction, past a reaction at once',
  withStores(async (stores) => {
    const last = await appendNumbers(stores, 'a', 1, 2, 3, 4, 5);
    const { events } = await stores.log.load('count-a');
    const at = (n: number) => events[n]?.position ?? last;
    const [asks, none] = [[...events].slice(1, 2), []];
    const pages = [none, none, asks, none, none].map((found, n) => ({
      events: found,
      unknown: none,
      upTo: at(n),
      live: true,
    }));
    let now = 0;
    const follow = () =>
      (async function* () {
        for (const page of pages) {
          if (page.upTo === at(4)) now += 1_000;
          yield page;
        }
      })();
    const moves: object[] = [];
    const { models } = stores.documents;
    const commit: typeof models.commit = (writes, checkpoints, fence) => {
      moves.push(checkpoints);
      return models.commit(writes, checkpoints, fence);
    };
    const documents = { ...stores.documents, models: { ...models, commit } };
    const reactor = await start(stores, async () => undefined, {
      log: { ...stores.log, follow },
      documents,
      elapsedMs: () => now,
    });
    await reactor.running;
    assert.equal(
      moves,
      [0, 1, 2, 4].map((n) => ({ 'reactor:r': at(n) })),
    );
  }),
);

for (const before of ['an empty log', 'a log'] as const) {
  test(
    `one that starts now on ${before} sees nothing older, and loses nothing by a restart before its first page`,
    withStores(async (stores) => {
      if (before === 'a log') await appendNumbers(stores, 'a', 1);
      const seen: number[] = [];
      const { log } = stores;
      const ended = { ...log, follow: () => (async function* () {})() };
      const one = await start(stores, async () => undefined, { startFrom: 'now', log: ended });
      await one.running;
      assert.is(await checkpointOf(stores), null, 'it has had no page');
      const last = await appendNumbers(stores, 'a', 2);
      const two = await start(stores, async ({ data }) => void seen.push(data.n), { startFrom: 'now' });
      await reached(stores, last);
      await two.stop();
      assert.equal(seen, [2]);
    }),
  );
}
