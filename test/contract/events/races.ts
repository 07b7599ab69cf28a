import * as assert from 'uvu/assert';
import type { EventStore } from '../../../stores/events/port.ts';
import { rounds, suite } from '../../harness.ts';
import { collect, newCategory, numbered, type Place, untilLive } from './controls.ts';

const WRITERS = 8;

/**
 * Writers that race on one expected revision, through one store and through several: each round has one
 * winner.
 */
export const raceContract = (driver: string, place: () => Promise<Place>): void => {
  const test = suite(`events, ${driver}: races`);
  let log: Place;
  let stores: readonly EventStore[];

  test.before(async () => {
    log = await place();
    stores = [await log.connect(), await log.connect()];
  });
  test.after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await log.remove();
  });

  const race = async (pick: (writer: number) => EventStore, count: number): Promise<void> => {
    const stream = `${newCategory()}1`;
    for (let round = 0; round < count; round += 1) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: WRITERS }, (_, writer) =>
          pick(writer).append(stream, round === 0 ? 'none' : 2 * round - 1, numbered(2, writer)),
        ),
      );
      const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      assert.is(lost.length, WRITERS - 1, `round ${round} has one winner`);
      for (const error of lost) assert.is(error.name, 'WrongExpectedRevision');
    }
    const [store] = stores;
    const read = store ? await collect(store.read(stream)) : [];
    assert.is(read.length, 2 * count);
    for (let n = 0; n < read.length; n += 2) assert.is(read[n + 1]?.data.n, Number(read[n]?.data.n) + 1);
  };
  const storeOf = (writer: number): EventStore => {
    const store = stores[writer % stores.length];
    if (!store) throw new Error('no store is open');
    return store;
  };

  test('writers of one store: one winner a round', () => race(() => storeOf(0), rounds(25, 2_000)), {
    timeoutMs: 120_000,
  });
  test('writers of two stores: one winner a round', () => race(storeOf, rounds(25, 2_000)), {
    timeoutMs: 120_000,
  });

  test('an append that loses makes no other fail', async () => {
    const category = newCategory();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        storeOf(0).append(`${category}${n}`, n % 3 === 0 ? 5 : 'none', numbered(2)),
      ),
    );
    assert.equal(
      outcomes.map((outcome) => outcome.status),
      Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? 'rejected' : 'fulfilled')),
    );
    assert.is((await untilLive(storeOf(0), null, { prefixes: [category] })).length, 80);
  });

  test('many writers of many streams: positions are as the log is followed, without holes in a stream', async () => {
    const category = newCategory();
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const first = await storeOf(n).append(`${category}${n}`, 'none', numbered(1));
        const second = await storeOf(n + 1).append(`${category}${n}`, 0, numbered(2, 1));
        assert.ok(first.position < second.position);
        return second;
      }),
    );
    const followed = await untilLive(storeOf(0), null, { prefixes: [category], page: 7 });
    const positions = followed.map((event) => event.position);
    assert.equal(positions, [...positions].sort());
    assert.is(new Set(positions).size, 120);
    assert.is(new Set(positions.map((position) => position.length)).size, 1);
    for (const { position } of answers) assert.ok(positions.includes(position));
    for (let n = 0; n < 40; n += 1)
      assert.equal(
        followed.filter((event) => event.stream === `${category}${n}`).map((event) => event.revision),
        [0, 1, 2],
      );
  });
};
