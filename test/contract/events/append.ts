import * as assert from 'uvu/assert';
import type { EventStore } from '../../../stores/events/port.ts';
import { suite } from '../../harness.ts';
import { collect, failure, newCategory, numbered, type Place, storedEvent, untilLive } from './controls.ts';

/** Appending to and reading from one stream. */
export const appendContract = (driver: string, place: () => Promise<Place>): void => {
  const test = suite(`events, ${driver}: append and read`);
  let log: Place;
  let store: EventStore;
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

  test('a new stream starts at revision 0 and gives back what was stored', async () => {
    const stream = `${newCategory()}1`;
    const event = storedEvent({ text: 'one', nested: { list: [1, 2.5, null, true] } });
    const { revision, position } = await store.append(stream, 'none', [event]);
    assert.is(revision, 0);
    const read = await collect(store.read(stream));
    assert.equal(read, [{ ...event, stream, revision: 0, position }]);
    const head = await store.head();
    assert.ok(head !== null && head >= position);
    const later = await store.append(stream, 0, numbered(1));
    assert.ok(store.offset(position) > 0);
    assert.ok(store.offset(later.position) > store.offset(position));
  });

  test('an append continues at the expected revision, several events at once', async () => {
    const stream = `${newCategory()}1`;
    await store.append(stream, 'none', numbered(1));
    assert.is((await store.append(stream, 0, numbered(3, 1))).revision, 3);
    assert.is((await store.append(stream, 3, numbered(1, 4))).revision, 4);
    const read = await collect(store.read(stream));
    assert.equal(
      read.map((event) => event.data.n),
      [0, 1, 2, 3, 4],
    );
    assert.equal(await revisions(stream, 3), [3, 4]);
    assert.equal(await revisions(stream, 5), []);
  });

  test('an unknown stream reads as empty', async () => {
    assert.equal(await collect(store.read(`${newCategory()}none`)), []);
  });

  test('a wrong expected revision is refused by name and stores nothing', async () => {
    const stream = `${newCategory()}1`;
    const absent = await failure(store.append(stream, 0, numbered(1)));
    assert.is(absent.name, 'WrongExpectedRevision');
    await store.append(stream, 'none', numbered(2));
    for (const expected of ['none', 0, 2, 7] as const) {
      const error = await failure(store.append(stream, expected, numbered(2)));
      assert.is(error.name, 'WrongExpectedRevision', `expected ${expected}`);
    }
    assert.equal(await revisions(stream), [0, 1]);
  });

  test('the same ids at the same expected revision give the first answer, once stored', async () => {
    const stream = `${newCategory()}1`;
    const [first, second] = [numbered(2), numbered(3, 2)];
    const answers = [await store.append(stream, 'none', first), await store.append(stream, 1, second)];
    assert.equal(await store.append(stream, 'none', first), answers[0]);
    assert.equal(await store.append(stream, 1, second), answers[1]);
    assert.equal(await revisions(stream), [0, 1, 2, 3, 4]);
  });

  test('the same append several times at once is stored once', async () => {
    const stream = `${newCategory()}1`;
    const events = numbered(2);
    const answers = await Promise.all(Array.from({ length: 5 }, () => store.append(stream, 'none', events)));
    for (const answer of answers) assert.equal(answer, answers[0]);
    assert.equal(await revisions(stream), [0, 1]);
  });

  test('an event of 900 KB and any text survive unchanged', async () => {
    const stream = `${newCategory()}ünï`;
    const texts = ['\u0000', '😀 e\u0301 \u2028', '\\"', '\u{10FFFF}', 'שלום'];
    const event = storedEvent({ large: 'é'.repeat(450_000), texts, ключ: 1, empty: {} });
    await store.append(stream, 'none', [event]);
    const [read] = await collect(store.read(stream));
    assert.equal(read?.data, event.data);
    assert.is(read?.stream, stream);
  });

  test('a stream of thousands of events is read in order, from anywhere', async () => {
    const stream = `${newCategory()}1`;
    for (let first = 0; first < 3_000; first += 500)
      await store.append(stream, first === 0 ? 'none' : first - 1, numbered(500, first));
    const all = await revisions(stream);
    assert.equal(
      all,
      Array.from({ length: 3_000 }, (_, index) => index),
    );
    assert.equal(await revisions(stream, 2_990), all.slice(2_990));
    for await (const event of store.read(stream)) if (event.revision === 70) break;
    assert.is((await store.append(stream, 2_999, numbered(1))).revision, 3_000);
  });

  test('closing keeps what was acknowledged and what was under way', async () => {
    const category = newCategory();
    const leaving = await log.connect();
    const under = Array.from({ length: 600 }, (_, n) =>
      leaving.append(`${category}${n}`, 'none', numbered(1)),
    );
    await leaving.close();
    const outcomes = await Promise.allSettled(under);
    const late = await failure(leaving.append(`${category}late`, 'none', numbered(1)));
    assert.is(late.name, 'StoreUnavailable');
    const again = await log.connect();
    for (const { status } of outcomes) assert.is(status, 'fulfilled');
    assert.is((await untilLive(again, null, { prefixes: [category] })).length, 600);
    await again.close();
  });
};
