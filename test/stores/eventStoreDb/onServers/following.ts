import * as assert from 'uvu/assert';
import {
  newCategory,
  numbered,
  pagesUntil,
  storedEvent,
  untilLive,
} from '../../../contract/events/controls.ts';
import { eventually } from '../../../harness.ts';
import { followInBackground, numbersOf, upTo } from '../stage.ts';
import { type Place, serverSuite } from './server.ts';

/**
 * Following the log and its head, on any server: others may append, and the server writes events of its own.
 */
export const followingOn = (where: string, place: () => Promise<Place>): void => {
  const { test, opened } = serverSuite(`EventStoreDB driver, ${where}: following`, place);
  const fill = (stream: string, count: number): Promise<unknown> =>
    opened().store.append(stream, 'none', numbered(count));

  test('events of the server’s own and markers are never given, whatever the prefix', async () => {
    const { store } = opened();
    const category = newCategory();
    const start = await store.head();
    await fill(`${category}1`, 12);
    // Its metadata is an event of the server’s own behind it.
    await store.truncate(`${category}1`, 3);
    await store.head();
    const prefixes = [category, '$', 'intakeLogMarker'];
    const all = await untilLive(store, start, { prefixes, page: 5_000 });
    assert.equal(new Set(all.map(({ stream }) => stream)), new Set([`${category}1`]));
    assert.equal(numbersOf(all).slice(-9), upTo(12).slice(3));
  });

  test('an abort is the end at once: events that were under way do not come any more', async () => {
    const category = newCategory();
    await fill(`${category}1`, 300);
    const stop = new AbortController();
    const { signal } = stop;
    let [pages, after] = [0, 0];
    for await (const { events } of opened().store.follow(null, { prefixes: [category], page: 1, signal })) {
      if (signal.aborted) after += 1;
      pages += events.length;
      if (pages === 3) stop.abort();
    }
    assert.equal([pages, after], [3, 0]);
  });

  test('a position of another kind of log is refused by name', async () => {
    const position = '0000000000000012' as never;
    const following = pagesUntil(opened().store, position, { prefixes: ['a'] }, () => true);
    const error = await following.catch((reason: Error) => reason);
    assert.match((error as Error).message, /no position of an EventStoreDB log/);
  });

  test('an event that the service did not write stops the followers of its stream, which name it', async () => {
    const category = newCategory();
    await opened().append(`${category}1`, ['\u0000 no JSON']);
    const following = untilLive(opened().store, null, { prefixes: [category] });
    const error = await following.catch((reason: Error) => reason);
    assert.match((error as Error).message, new RegExp(`${category}1 .*no JSON`));
  });

  test('pages end at what memory can hold', async () => {
    const category = newCategory();
    const large = 'x'.repeat(900_000);
    for (const n of upTo(20))
      await opened().store.append(`${category}${n}`, 'none', [storedEvent({ n, large })]);
    const following = { prefixes: [category], page: 1_000 };
    const pages = await pagesUntil(opened().store, null, following, ({ live }) => live);
    for (const { events } of pages) assert.ok(events.length <= 10);
    assert.equal(numbersOf(pages.flatMap(({ events }) => events)), upTo(20));
  });

  test('a follower whose streams are quiet reaches the head, also past the driver', async () => {
    const { store, append } = opened();
    const [quiet, busy] = [newCategory(), newCategory()];
    const following = followInBackground(store, quiet);
    await eventually('it is live', following.isLive);
    for (const n of upTo(5)) {
      await append(`${busy}1`, ['{}', '{}', '{}']);
      const head = await store.head();
      assert.ok(head !== null);
      await eventually(`head ${n}`, () => (following.pages.at(-1)?.upTo ?? '') >= head, 5_000);
    }
    await following.stop();
    assert.equal(following.events, []);
  });

  test('after an append, followers of other streams move on without a call of head()', async () => {
    const { store } = opened();
    const [quiet, busy] = [newCategory(), newCategory()];
    const following = followInBackground(store, quiet);
    await eventually('it is live', following.isLive);
    const { position } = await store.append(`${busy}1`, 'none', numbered(1));
    await eventually('the append is passed', () => (following.pages.at(-1)?.upTo ?? '') >= position, 5_000);
    await following.stop();
  });

  test('upTo only grows, over many events of others too, and never beyond what head() gives', async () => {
    const { store, append } = opened();
    const start = await store.head();
    const busy = newCategory();
    for (const n of upTo(10))
      await append(
        `${busy}${n}`,
        upTo(500).map(() => '{}'),
      );
    const pages = await pagesUntil(store, start, { prefixes: [newCategory()] }, ({ live }) => live);
    const head = await store.head();
    const places = pages.map((page) => page.upTo);
    assert.equal(places, [...places].sort());
    assert.ok(head !== null && (places.at(-1) ?? '') <= head, `${places.at(-1)} is behind ${head}`);
  });
};
