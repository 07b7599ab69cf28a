import * as assert from 'uvu/assert';
import type { Position, Recorded } from '../../kernel/event.ts';
import { foldEvent, handledBy } from '../../projections/engine/projection.ts';
import { collectionOf } from '../../projections/engine/readModels.ts';
import { envelopes, type FeedItem, feed, feedQueries } from '../../projections/feed.ts';
import type { ReadModels } from '../../stores/documents/port.ts';
import { batchId, examples, idOf, logged } from '../controls/events.ts';
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
  ...{ id: idOf(n), position: positionOf(n), keyId, eventType, stream, revision },
});
const submissionStream = `submission-${routing.submissionId.slice(4)}`;

test('an event that causes a webhook has its place, whether or not its session has an address', () =>
  given(feed, logged(historyOf.rejected), () => stores).then({
    [idOf(4)]: item(4, 'session.review_required', 3, submissionStream),
    [idOf(5)]: item(5, 'submission.rejected', 4, submissionStream),
  }));

test('so has a batch’s completion', () =>
  given(feed, logged([examples.BatchCompleted]), () => stores).then({
    [idOf(1)]: item(1, 'batch.completed', 0, `batch-${batchId}`),
  }));

test('it holds nothing private', () => {
  const events = logged(Object.values(examples)).filter(({ type }) => handledBy(feed).includes(type));
  assert.ok(events.length >= 8);
  for (const event of events)
    assert.equal(Object.keys(foldEvent(feed.on, null, event, event.id) ?? {}), [
      ...['id', 'position', 'keyId', 'eventType', 'stream', 'revision'],
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
  assert.equal([closed?.metadata, closed?.result, closed?.clientSubmissionId], Array(3).fill('[redacted]'));
});
