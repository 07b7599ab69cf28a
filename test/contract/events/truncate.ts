import * as assert from 'uvu/assert';
import type { EventStore } from '../../../stores/events/port.ts';
import { suite } from '../../harness.ts';
import { collect, failure, newCategory, numbered, type Place, untilLive } from './controls.ts';

/** Giving up the beginning of a stream. */
export const truncateContract = (driver: string, place: () => Promise<Place>): void => {
  const test = suite(`events, ${driver}: truncate`);
  let log: Place;
  let store: EventStore;
  const filled = async (count: number): Promise<string> => {
    const stream = `${newCategory()}1`;
    await store.append(stream, 'none', numbered(count));
    return stream;
  };
  const revisions = async (stream: string, from?: number): Promise<readonly number[]> =>
    (await collect(store.read(stream, from))).map((event) => event.revision);

  test.before(async () => {
    log = await place();
    store = await log.connect();
  });
  test.after(async () => {
    await store.close();
    await log.remove();
  });

  test('what is before the revision is gone, what stays is as it was', async () => {
    const stream = await filled(5);
    const before = await collect(store.read(stream));
    await store.truncate(stream, 3);
    assert.equal(await collect(store.read(stream)), before.slice(3));
    assert.equal(await revisions(stream, 4), [4]);
    assert.equal(await revisions(stream, 1), [3, 4]);
  });

  test('the last event always stays', async () => {
    const stream = await filled(3);
    await store.truncate(stream, 99);
    assert.equal(await revisions(stream), [2]);
    await store.truncate(stream, 99);
    assert.equal(await revisions(stream), [2]);
  });

  test('a long stream goes as a short one does, and no other stream with it', async () => {
    const [stream, other] = [await filled(1_000), await filled(3)];
    await store.truncate(stream, 999);
    assert.equal([await revisions(stream), await revisions(other)], [[999], [0, 1, 2]]);
    await store.truncate(`${newCategory()}none`, 5);
  });

  test('appending continues after the last event, with its revision and no other', async () => {
    const stream = await filled(3);
    await store.truncate(stream, 2);
    for (const expected of ['none', 0, 1, 3] as const) {
      const { name } = await failure(store.append(stream, expected, numbered(1)));
      assert.is(name, 'WrongExpectedRevision', `expected ${expected}`);
    }
    assert.is((await store.append(stream, 2, numbered(1))).revision, 3);
    assert.equal(await revisions(stream), [2, 3]);
  });

  test('it can be repeated, gone back on, and done by another connection', async () => {
    const stream = await filled(4);
    const other = await log.connect();
    try {
      await Promise.all([store.truncate(stream, 2), other.truncate(stream, 3), store.truncate(stream, 1)]);
      assert.equal([await revisions(stream), await collect(other.read(stream))].flat().length, 2);
      assert.equal(await revisions(stream), [3]);
    } finally {
      await other.close();
    }
  });

  test('followers get the remaining events, in order, and the head is where it was', async () => {
    const category = newCategory();
    const [one, two] = [`${category}1`, `${category}2`];
    await store.append(one, 'none', numbered(3));
    await store.append(two, 'none', numbered(2));
    await store.append(one, 2, numbered(1, 3));
    const head = await store.head();
    await store.truncate(one, 3);
    assert.is(await store.head(), head);
    const seen = await untilLive(store, null, { prefixes: [category] });
    const stayed = seen.filter(({ stream, revision }) => stream === two || revision >= 3);
    assert.equal(
      stayed.map(({ stream, revision }) => [stream, revision]),
      [
        [two, 0],
        [two, 1],
        [one, 3],
      ],
    );
    assert.equal(
      seen.map(({ position }) => position),
      seen.map(({ position }) => position).sort(),
    );
  });
};
