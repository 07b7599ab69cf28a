import * as assert from 'uvu/assert';
import type { Position, Recorded } from '../../kernel/event.ts';
import { foldEvent, handledBy } from '../../projections/engine/projection.ts';
import { collectionOf } from '../../projections/engine/readModels.ts';
import { envelopes, type FeedItem, feed, feedChanges, feedQueries } from '../../projections/feed.ts';
import type { ReadModels } from '../../stores/documents/port.ts';
import { batchId, examples, idOf, logged, timeOf } from '../controls/events.ts';
import { fenceOf, type Stores, temporaryStores } from '../controls/stores.ts';
import { historyOf, routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('the feed');
let stores: Stores;
test.before(async () => {
  stores = temporaryStores();
  await stores.documents.models.alias('feed', collectionOf(feed));
});
test.after(() => stores.remove());

const { keyId } = routing;
const positionOf = (n: number): Position => String(n).padStart(16, '0') as Position;
const item = (n: number, eventType: FeedItem['eventType'], revision: number, stream: string): FeedItem => ({
  ...{ id: idOf(n), position: positionOf(n), keyId, eventType, at: timeOf(n), stream, revision },
});
const submissionStream = `submission-${routing.submissionId.slice(4)}`;

test('an event that causes a webhook has its place, whether or not its session has an address', () =>
  given(feed, logged(historyOf.rejected), () => stores).then({
    [idOf(4)]: item(4, 'session.review_required', 3, submissionStream),
    [idOf(5)]: item(5, 'submission.rejected', 4, submissionStream),
  }));

test('so has a batch’s completion', () =>
  given(feed, logged([examples.BatchCompleted]), () => stores).then({
    [idOf(1)]: {
      ...item(1, 'batch.completed', 0, `batch-${batchId}`),
      at: examples.BatchCompleted.data.completedAt,
    },
  }));

test('it holds nothing private', () => {
  const events = logged(Object.values(examples)).filter(({ type }) => handledBy(feed).includes(type));
  assert.ok(events.length >= 8);
  for (const event of events)
    assert.equal(Object.keys(foldEvent(feed.on, null, event, event.id) ?? {}), [
      ...['id', 'position', 'keyId', 'eventType', 'at', 'stream', 'revision'],
    ]);
});

/** Shows events at these positions, of types in turn, and moves the checkpoint to `whole`. */
const show = async (positions: readonly number[], whole: number): Promise<void> => {
  const collection = collectionOf(feed);
  const writes = positions.map((n) => {
    const type = n % 2 === 0 ? 'session.completed' : 'session.failed';
    return { collection, id: idOf(n), position: positionOf(n), document: item(n, type, 0, 'submission-x') };
  });
  const fence = await fenceOf(stores, 'projections');
  await stores.documents.models.commit(writes, { [collection]: positionOf(whole) }, fence);
};
const shown = ({ items }: { items: readonly FeedItem[] }): readonly number[] =>
  items.map(({ position }) => Number(position));

test('a page ends where the read model is whole, and types are merged in the order of the log', async () => {
  const { page } = feedQueries(stores.documents.models);
  assert.equal(await page(keyId, null, 9, ['']), { items: [], hasMore: false }, 'nothing is shown yet');
  await show([1, 2, 3, 4, 6], 4);
  const both = ['session.completed', 'session.failed'] as const;
  for (const types of [null, both]) {
    assert.equal(shown(await page(keyId, types, 9, [''])), [1, 2, 3, 4], '5 may still come before 6');
    const first = await page(keyId, types, 3, ['']);
    assert.equal([shown(first), first.hasMore], [[1, 2, 3], true]);
    const rest = await page(keyId, types, 3, [positionOf(3)]);
    assert.equal([shown(rest), rest.hasMore], [[4], false]);
  }
  assert.equal(shown(await page(keyId, ['session.failed'], 1, [''])), [1]);
  assert.equal(shown(await page('key_other', null, 9, [''])), []);
});

test('what is written between the queries of two types waits for the next page', async () => {
  await show([5, 6], 6);
  const { models } = stores.documents;
  let queries = 0;
  const interrupted: ReadModels = {
    ...models,
    page: async (collection, query) => {
      queries += 1;
      if (queries === 2) await show([7, 8], 8);
      return models.page(collection, query);
    },
  };
  const types = ['session.completed', 'session.failed'] as const;
  assert.equal(shown(await feedQueries(interrupted).page(keyId, types, 9, [positionOf(4)])), [5, 6]);
  assert.equal(shown(await feedQueries(models).page(keyId, types, 9, [positionOf(6)])), [7, 8]);
});

test('a reader that starts at a time starts behind the last event before it, and never behind the end [feed-5]', async () => {
  const { lastBefore, end } = feedQueries(stores.documents.models);
  await show([1, 2, 3, 4, 9], 8);
  assert.is(await end(), positionOf(8));
  assert.is(await lastBefore(keyId, timeOf(1)), null);
  assert.is(await lastBefore(keyId, timeOf(4)), positionOf(3));
  assert.is(await lastBefore(keyId, timeOf(90)), positionOf(8), 'another may still come before 9');
  assert.is(await lastBefore('key_other', timeOf(4)), null);
});

test('an envelope is of the revision of its event, and redacted when its subject is', async () => {
  const stored = logged(historyOf.rejected);
  const load = async () => ({ events: stored, unknown: [], head: null });
  const [review, rejected] = await envelopes({ load })([
    { stream: submissionStream, revision: 3 },
    { stream: submissionStream, revision: 4 },
  ]);
  assert.equal(
    [review, rejected].map((one) => [one?.eventType, one?.submissionStatus, one?.metadata]),
    [
      ['session.review_required', 'review', { colour: 'blue' }],
      ['submission.rejected', 'rejected', { colour: 'blue' }],
    ],
  );
  const hidden = stored.map((event) =>
    'private' in event.data ? { ...event, data: { ...event.data, private: { redacted: true } } } : event,
  ) as readonly Recorded[];
  const [closed] = await envelopes({ load: async () => ({ events: hidden, unknown: [], head: null }) })([
    { stream: submissionStream, revision: 3 },
  ]);
  assert.equal([closed?.metadata, closed?.result, closed?.clientSubmissionId], [null, null, '[redacted]']);
});

/** The feed's end and its items, as a test sets them, and how often items were read. */
const stagedEnd = () => {
  const items: FeedItem[] = [];
  let [end, reads]: [Position | null, number] = [null, 0];
  const changes = feedChanges({
    end: async () => end,
    between: async (after, upTo, limit) => {
      reads += 1;
      return items.filter(({ position }) => after < position && position <= upTo).slice(0, limit);
    },
  });
  return {
    changes,
    reads: () => reads,
    /** Events at these positions, of keys by their names; then the feed ends at `upTo`. */
    show: (upTo: number, ...events: readonly (readonly [number, string])[]): void => {
      for (const [n, of] of events)
        items.push({ ...item(n, 'session.failed', 0, 'submission-x'), keyId: of });
      end = positionOf(upTo);
      changes.nudge();
    },
  };
};
const unaborted = new AbortController().signal;

test('an event wakes those who wait for the events of its key, and no others [feed-4]', async () => {
  const { changes, show, reads } = stagedEnd();
  show(1);
  const keys = ['a', 'b', 'c'];
  const before = await Promise.all(keys.map(changes.state));
  const woken: string[] = [];
  const ends = keys.map(async (key, index) => {
    const state = await changes.after(key, before[index] ?? '', 30_000, unaborted);
    if (state !== null) woken.push(key);
  });
  show(3, [2, 'b'], [3, 'z']);
  await ends[1];
  assert.equal([woken, reads()], [['b'], 1], 'all share one reading');
  show(4, [4, 'c']);
  await ends[2];
  assert.equal([woken, reads()], [['b', 'c'], 2]);
  show(5, [5, 'a']);
  await Promise.all(ends);
});

test('an event beyond the end of the feed wakes its key once the feed includes it [feed-2, feed-4]', async () => {
  const { changes, show } = stagedEnd();
  show(1);
  const before = await changes.state('a');
  show(2, [3, 'a']);
  assert.is(await changes.state('a'), before);
  show(3);
  assert.is.not(await changes.state('a'), before);
});

test('where the end has gone back, or over too much at once, each key looks for itself [feed-4]', async () => {
  const { changes, show } = stagedEnd();
  show(5);
  const first = await changes.state('a');
  show(4);
  const second = await changes.state('a');
  assert.is.not(second, first);
  show(2_000, ...Array.from({ length: 1_000 }, (_, n) => [5 + n, 'b'] as const));
  assert.is.not(await changes.state('a'), second);
});

test('what lies between two positions is read in log order, of all keys', async () => {
  const { between } = feedQueries(stores.documents.models);
  const found = async (from: number, to: number, limit: number) =>
    (await between(positionOf(from), positionOf(to), limit)).map(({ position }) => Number(position));
  await show([101, 102, 103, 104], 104);
  assert.equal(await found(101, 103, 10), [102, 103]);
  assert.equal(await found(100, 104, 2), [101, 102]);
});
