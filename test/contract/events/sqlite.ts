import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { EventStore, RecordedEvent } from '../../../stores/events/port.ts';
import { sqliteEventStore } from '../../../stores/events/sqlite.ts';
import { type Database, openDatabase } from '../../../stores/sqlite/database.ts';
import { eventually, suite } from '../../harness.ts';
import { collect, failure, newCategory, numbered, pagesUntil, storedEvent, untilLive } from './controls.ts';
import { sqlitePlace } from './sqlitePlace.ts';

/** What the embedded log does beyond the port's contract. */
export const beyondTheContract = (): void => {
  const test = suite('events, sqlite: beyond the contract');
  const { path, folder, connect, remove } = sqlitePlace();
  let store: EventStore;
  let rival: Database;

  test.before(async () => {
    store = await connect();
    rival = openDatabase(path, { synchronous: 'NORMAL', busyMs: 25 });
  });
  test.after(async () => {
    rival.close();
    await store.close();
    await remove();
  });

  test('an empty log has no head, and its follower is live at the origin', async () => {
    assert.is(await store.head(), null);
    const [page] = await pagesUntil(store, null, { prefixes: ['a'] }, () => true);
    assert.equal(page, { events: [], upTo: '0000000000000000', live: true });
  });

  test('an id that is stored at another revision is refused by name, and nothing of its append is stored', async () => {
    const category = newCategory();
    const stored = numbered(2);
    await store.append(`${category}1`, 'none', stored);
    const [known] = stored;
    if (!known) throw new Error('no event');
    const taken = new RegExp(`event ${known.id} is already stored: ${category}1@0`);
    const attempts = [
      () => store.append(`${category}2`, 'none', [...numbered(3), known]),
      () => store.append(`${category}1`, 1, [...numbered(1), known]),
      () => store.append(`${category}1`, 1, stored),
      () => store.append(`${category}1`, 'none', [known, ...numbered(1)]),
    ];
    for (const attempt of attempts) assert.match((await failure(attempt())).message, taken);
    assert.is((await collect(store.read(`${category}1`))).length, 2);
    assert.equal(await collect(store.read(`${category}2`)), []);
    assert.is((await store.append(`${category}1`, 1, numbered(1))).revision, 2);
  });

  test('followers at the head get what a read gives, whoever has appended it', async () => {
    const category = newCategory();
    const [other, stop, start] = [await connect(), new AbortController(), await store.head()];
    const seen: RecordedEvent[][] = [[], [], []];
    const followed = seen.map(async (events, n) => {
      const following = { prefixes: [category], page: 3 ** n, signal: stop.signal };
      for await (const page of store.follow(start, following)) events.push(...page.events);
    });
    for (let n = 0; n < 40; n += 1) {
      const events = [
        ...numbered(n % 5),
        storedEvent({ n, text: 'é\0\ud800', at: new Date(0), none: undefined }),
      ];
      if (n % 8 === 1) events.push(storedEvent({ large: 'x'.repeat(n * 60_000) }));
      await (n % 3 === 0 ? other : store).append(`${category}${n}`, 'none', events);
      // Of an event that was stored by another process, with other data.
      if (n % 3 === 0)
        await store.append(
          `${category}${n}`,
          'none',
          events.map((event) => ({ ...event, data: {} })),
        );
      if (n % 4 === 0) await pause(n);
    }
    const all = await untilLive(other, start, { prefixes: [category], page: 1_000 });
    await eventually('all to be seen', () => seen.every((events) => events.length >= all.length));
    stop.abort();
    await Promise.all([...followed, other.close()]);
    for (const events of seen) assert.equal(events, all);
  });

  test('an append without events, or with one id twice, is refused', async () => {
    const stream = `${newCategory()}1`;
    assert.match((await failure(store.append(stream, 'none', []))).message, 'at least one event');
    const [event] = numbered(1);
    const twice = event ? [event, event] : [];
    assert.match((await failure(store.append(stream, 'none', twice))).message, 'the same id');
  });

  test('a store opens beside one that is writing', async () => {
    rival.exec('BEGIN IMMEDIATE');
    const beside = await connect();
    rival.exec('ROLLBACK');
    assert.is((await beside.append(`${newCategory()}1`, 'none', numbered(1))).revision, 0);
    await beside.close();
  });

  test('an append waits for another writer without blocking the event loop', async () => {
    const stream = `${newCategory()}1`;
    rival.exec('BEGIN IMMEDIATE');
    const appended = store.append(stream, 'none', numbered(1));
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
      if (turns === 20) rival.exec('COMMIT');
    }, 5);
    assert.is((await appended).revision, 0);
    clearInterval(counting);
    assert.ok(turns >= 20);
  });

  test('an append that waits too long for another writer is StoreUnavailable, and works again afterwards', async () => {
    const stream = `${newCategory()}1`;
    const impatient = sqliteEventStore({ path, patienceMs: 100 });
    rival.exec('BEGIN IMMEDIATE');
    const error = await failure(impatient.append(stream, 'none', numbered(1)));
    rival.exec('ROLLBACK');
    assert.is(error.name, 'StoreUnavailable');
    assert.is((await impatient.append(stream, 'none', numbered(1))).revision, 0);
    await impatient.close();
  });

  test('what can not be committed fails alone, and nothing is acknowledged that was lost with it', async () => {
    const stream = `${newCategory()}1`;
    rival.exec(
      "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.type = 'Refused' BEGIN SELECT RAISE(ROLLBACK, 'no'); END",
    );
    const refused = numbered(1).map((event) => ({ ...event, type: 'Refused' }));
    const outcomes = await Promise.allSettled([
      store.append(stream, 'none', numbered(1)),
      store.append(stream, 'none', numbered(1)),
      store.append(`${stream}x`, 'none', refused),
    ]);
    rival.exec('DROP TRIGGER refuse');
    assert.equal(
      outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? outcome.value.revision : outcome.reason.name,
      ),
      [0, 'WrongExpectedRevision', 'Error'],
    );
    assert.is((await collect(store.read(stream))).length, 1);
    assert.equal(await collect(store.read(`${stream}x`)), []);
  });

  test('a follower of a quiet category crosses a long log in bounded steps', async () => {
    const [busy, quiet] = [newCategory(), newCategory()];
    const start = await store.head();
    for (let n = 0; n < 12_000; n += 1_000)
      await store.append(`${busy}1`, n === 0 ? 'none' : n - 1, numbered(1_000, n));
    await store.append(`${quiet}1`, 'none', numbered(1));
    const pages = await pagesUntil(store, start, { prefixes: [quiet] }, ({ live }) => live);
    assert.equal(
      pages.map(({ events, live }) => [events.length, live]),
      [
        [0, false],
        [1, true],
      ],
    );
    assert.is((await untilLive(store, start, { prefixes: [''], page: 5_000 })).length, 12_001);
  });

  test('a page of large events ends before it fills the memory', async () => {
    const category = newCategory();
    const start = await store.head();
    const large = 'x'.repeat(300_000);
    const events = Array.from({ length: 80 }, (_, n) => storedEvent({ n, large }));
    await store.append(`${category}1`, 'none', events);
    const pages = await pagesUntil(store, start, { prefixes: [category], page: 1_000 }, ({ live }) => live);
    assert.ok(pages.every((page) => page.events.length <= 40));
    assert.equal(
      pages.flatMap((page) => page.events.map((event) => event.data.n)),
      events.map((event) => event.data.n),
    );
  });

  test('a path that can not be opened is StoreUnavailable', () => {
    mkdirSync(`${folder}/folder.db`);
    for (const bad of [`${folder}/folder.db`, `${folder}/none/events.db`])
      assert.throws(
        () => sqliteEventStore({ path: bad }),
        (error: Error) => error.name === 'StoreUnavailable',
      );
  });
};
