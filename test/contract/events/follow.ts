import * as assert from 'uvu/assert';
import type { EventStore, Page } from '../../../stores/events/port.ts';
import { eventually, suite } from '../../harness.ts';
import {
  collect,
  failure,
  newCategory,
  numbered,
  type Place,
  pagesUntil,
  storedEvent,
  untilLive,
} from './controls.ts';

/** Following the log: order, filters, resuming, waking and ending. */
export const followContract = (driver: string, place: () => Promise<Place>): void => {
  const test = suite(`events, ${driver}: follow`);
  let log: Place;
  let store: EventStore;
  let other: EventStore;

  test.before(async () => {
    log = await place();
    [store, other] = [await log.connect(), await log.connect()];
  });
  test.after(async () => {
    await Promise.all([store.close(), other.close()]);
    await log.remove();
  });

  test('a follower that has nothing to read gets a live page', async () => {
    const prefixes = [newCategory()];
    const [page] = await pagesUntil(store, await store.head(), { prefixes }, () => true);
    assert.equal(page?.events, []);
    assert.is(page?.live, true);
  });

  test('who names types gets all their events, and passes the others', async () => {
    const category = newCategory();
    const events = numbered(20).map((event, n) => (n % 2 ? { ...event, type: 'OtherThingHappened' } : event));
    await store.append(`${category}1`, 'none', events);
    await store.append(`${newCategory()}1`, 'none', numbered(1));
    const head = await store.head();
    const following = { prefixes: [category], types: ['SomethingHappened'] };
    const pages = await pagesUntil(store, null, following, ({ live, upTo }) => live && upTo >= (head ?? ''));
    const found = pages.flatMap((page) => page.events);
    assert.equal(
      found.filter(({ type }) => type === 'SomethingHappened').map(({ data }) => data.n),
      [0, 2, 4, 6, 8, 10, 12, 14, 16, 18],
    );
    assert.ok(found.every(({ stream }) => stream === `${category}1`));
  });

  test('from the origin, from a position (without that event), in pages of any size', async () => {
    const category = newCategory();
    for (let n = 0; n < 30; n += 1)
      await store.append(`${category}${n % 4}`, n < 4 ? 'none' : Math.floor(n / 4) - 1, numbered(1, n));
    const all = await untilLive(store, null, { prefixes: [category] });
    assert.equal(
      all.map((event) => event.data.n),
      Array.from({ length: 30 }, (_, n) => n),
    );
    for (const page of [1, 7, 30, 500]) {
      assert.equal(await untilLive(store, null, { prefixes: [category], page }), all);
      const after = all[11]?.position ?? null;
      assert.equal(await untilLive(store, after, { prefixes: [category], page }), all.slice(12));
      for (const { events } of await pagesUntil(
        store,
        null,
        { prefixes: [category], page },
        ({ live }) => live,
      ))
        assert.ok(events.length <= page);
    }
  });

  test('upTo is a position to continue from: nothing is lost or doubled at any page border', async () => {
    const category = newCategory();
    await store.append(`${category}1`, 'none', numbered(25));
    const seen: unknown[] = [];
    let after = null as Page['upTo'] | null;
    for (let live = false; !live; ) {
      const [page] = await pagesUntil(store, after, { prefixes: [category], page: 4 }, () => true);
      if (!page) throw new Error('no page came');
      assert.ok(after === null || page.upTo >= after);
      seen.push(...page.events.map((event) => event.data.n));
      ({ upTo: after, live } = page);
    }
    assert.equal(
      seen,
      Array.from({ length: 25 }, (_, n) => n),
    );
  });

  test('only streams that begin with one of the prefixes', async () => {
    const [wanted, also, not] = [newCategory(), newCategory(), newCategory()];
    const streams = [
      `${wanted}é`,
      `${not}1`,
      `${also}1`,
      `x${wanted}1`,
      `${wanted}`,
      wanted.slice(0, -1),
      wanted.toUpperCase(),
    ];
    for (const stream of streams) await store.append(stream, 'none', numbered(1));
    const followed = await untilLive(store, null, { prefixes: [wanted, also] });
    assert.equal(
      followed.map((event) => event.stream),
      [`${wanted}é`, `${also}1`, wanted],
    );
  });

  test('upTo moves past events that do not match', async () => {
    const [quiet, busy] = [newCategory(), newCategory()];
    const start = await store.head();
    const { position } = await store.append(`${busy}1`, 'none', numbered(50));
    const pages = await pagesUntil(
      store,
      start,
      { prefixes: [quiet], page: 5 },
      ({ upTo }) => upTo >= position,
    );
    assert.is(pages.flatMap((page) => page.events).length, 0);
    const stop = new AbortController();
    const places: string[] = [];
    const following = follow(store, position, quiet, stop.signal, ({ upTo }) => places.push(upTo));
    const next = await store.append(`${busy}1`, 49, numbered(1));
    await eventually('upTo to pass the later event', () => places.some((place) => place >= next.position));
    stop.abort();
    await following;
  });

  test('a follower that lags is not live until it has reached the head', async () => {
    const category = newCategory();
    await store.append(`${category}1`, 'none', numbered(20));
    const pages = await pagesUntil(store, null, { prefixes: [category], page: 5 }, ({ live }) => live);
    const full = pages.filter((page) => page.events.length === 5);
    assert.is(full.length, 4);
    for (const page of full.slice(0, 3)) assert.is(page.live, false);
    assert.is(pages.at(-1)?.live, true);
  });

  for (const [who, writer] of [
    ['its own store', () => store],
    ['another store', () => other],
  ] as const)
    test.long(`a waiting follower wakes within 50 ms (median) of an append by ${who}`, async () => {
      const category = newCategory();
      const stop = new AbortController();
      const arrivals = new Map<number, number>();
      const live = { reached: false };
      const following = follow(store, await store.head(), category, stop.signal, (page) => {
        live.reached ||= page.live;
        for (const event of page.events) arrivals.set(event.revision, performance.now());
      });
      await eventually('the follower to be live', () => live.reached);
      const delays: number[] = [];
      for (let n = 0; n < 21; n += 1) {
        await writer().append(`${category}1`, n === 0 ? 'none' : n - 1, numbered(1));
        const appended = performance.now();
        delays.push((await eventually(`event ${n}`, () => arrivals.get(n))) - appended);
      }
      stop.abort();
      await following;
      const median = delays.sort((a, b) => a - b)[10];
      assert.ok(median !== undefined && median < 50, `median ${median} ms`);
    });

  test('many followers each see every event once, in order', async () => {
    const category = newCategory();
    const stop = new AbortController();
    const seen: unknown[][] = Array.from({ length: 6 }, () => []);
    const start = await store.head();
    const followers = seen.map((list, n) =>
      follow(n % 2 ? store : other, start, category, stop.signal, ({ events }) =>
        list.push(...events.map((event) => event.data.n)),
      ),
    );
    for (let n = 0; n < 100; n += 1)
      await (n % 3 ? store : other).append(`${category}1`, n === 0 ? 'none' : n - 1, numbered(1, n));
    await eventually('every follower to have all', () => seen.every((list) => list.length >= 100));
    stop.abort();
    await Promise.all(followers);
    for (const list of seen)
      assert.equal(
        list,
        Array.from({ length: 100 }, (_, n) => n),
      );
  });

  test('abort ends a waiting follower, a busy one and one not yet begun, without an error', async () => {
    const category = newCategory();
    await store.append(`${category}1`, 'none', numbered(40));
    const waiting = new AbortController();
    const live = { reached: false };
    const following = follow(store, null, category, waiting.signal, (page) => {
      live.reached ||= page.live;
    });
    await eventually('the follower to be live', () => live.reached);
    waiting.abort();
    await following;
    const busy = new AbortController();
    const pages: Page[] = [];
    for await (const page of store.follow(null, { prefixes: [category], page: 5, signal: busy.signal })) {
      pages.push(page);
      if (page.events.length > 0) busy.abort();
    }
    assert.is(pages.filter((page) => page.events.length > 0).length, 1);
    const atTheHead = new AbortController();
    for await (const { live } of store.follow(null, {
      prefixes: [category],
      page: 500,
      signal: atTheHead.signal,
    }))
      if (live) atTheHead.abort();
    assert.equal(
      await collect(store.follow(null, { prefixes: [category], page: 5, signal: AbortSignal.abort() })),
      [],
    );
  });

  test('large events come in pages that memory can hold', async () => {
    const category = newCategory();
    const large = 'x'.repeat(900_000);
    for (let n = 0; n < 24; n += 1)
      await store.append(`${category}1`, n === 0 ? 'none' : n - 1, [storedEvent({ n, large })]);
    const followed = await untilLive(store, null, { prefixes: [category], page: 1_000 });
    assert.equal(
      followed.map((event) => event.data.n),
      Array.from({ length: 24 }, (_, n) => n),
    );
  });

  test('closing a store ends its followers with StoreUnavailable', async () => {
    const closing = await log.connect();
    const live = { reached: false };
    const following = follow(closing, null, newCategory(), new AbortController().signal, (page) => {
      live.reached ||= page.live;
    });
    await eventually('the follower to be live', () => live.reached);
    const [error] = await Promise.all([failure(following), closing.close()]);
    assert.is(error.name, 'StoreUnavailable');
  });
};

const follow = async (
  store: EventStore,
  after: Page['upTo'] | null,
  prefix: string,
  signal: AbortSignal,
  each: (page: Page) => void,
): Promise<void> => {
  for await (const page of store.follow(after, { prefixes: [prefix], page: 100, signal })) each(page);
};
