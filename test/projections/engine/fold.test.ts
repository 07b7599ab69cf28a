import * as assert from 'uvu/assert';
import type { Recorded } from '../../../kernel/event.ts';
import { foldPage, quarantineKey } from '../../../projections/engine/fold.ts';
import type { Projection } from '../../../projections/engine/projection.ts';
import { collectionOf, firstGeneration } from '../../../projections/engine/readModels.ts';
import { fenceOf, type Stores, temporaryStores } from '../../controls/stores.ts';
import { suite } from '../../harness.ts';
import { counted, counter } from '../counter.ts';

const test = suite('foldPage');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const fold = async (
  projection: Projection,
  events: readonly Recorded[],
  held = new Map<string, string>(),
) => {
  const { models } = stores.documents;
  const folded = await foldPage(firstGeneration(projection), events, models, held);
  await models.commit(folded.writes, {}, await fenceOf(stores, 'projections'));
  return folded;
};
const documentOf = (projection: Projection, key: string) =>
  stores.documents.models.get<object>(collectionOf(projection), key);

test('a page makes one write per document, at the position of its last event', async () => {
  const projection = counter();
  const { writes } = await fold(projection, [
    counted(1, 'a'),
    counted(2, 'b'),
    counted(3, 'a'),
    counted(4, 'a'),
  ]);
  assert.equal(
    writes.map(({ id, position, document }) => [id, Number(position), document]),
    [
      ['a', 4, { sum: 8, seen: [1, 3, 4] }],
      ['b', 2, { sum: 2, seen: [2] }],
    ],
  );
});

test('events not newer than their document are dropped, each by its own document', async () => {
  const projection = counter();
  await fold(projection, [counted(1, 'a'), counted(2, 'b'), counted(3, 'a')]);
  const { writes } = await fold(projection, [counted(2, 'b'), counted(3, 'a'), counted(4, 'b')]);
  assert.equal(
    writes.map(({ id }) => id),
    ['b'],
  );
  assert.equal(await documentOf(projection, 'a'), { sum: 4, seen: [1, 3] });
  assert.equal(await documentOf(projection, 'b'), { sum: 6, seen: [2, 4] });
});

test('a document made and removed within a page stays removed when an older page is written after it', async () => {
  const projection: Projection = {
    ...counter(),
    on: { Counted: (_document, event) => (event.id === 'event-1' ? { sum: 1, seen: [1] } : null) },
  };
  const { models } = stores.documents;
  const late = await foldPage(firstGeneration(projection), [counted(1, 'a')], models, new Map());
  await fold(projection, [counted(1, 'a'), counted(2, 'a')]);
  await models.commit(late.writes, {}, await fenceOf(stores, 'projections'));
  assert.is(await documentOf(projection, 'a'), null);
});

test('what a projection does not handle touches nothing', async () => {
  const folded = await fold(counter(), [{ ...counted(1, 'a'), type: 'Other' }]);
  assert.equal(folded, { writes: [], quarantined: [] });
});

test('a fold that throws quarantines its document at that event, and no other', async () => {
  const projection = counter(() => [3]);
  const page = [counted(1, 'a'), counted(2, 'b'), counted(3, 'a'), counted(4, 'a'), counted(5, 'b')];
  const { quarantined } = await fold(projection, page);
  assert.equal(quarantined, [
    {
      projection: projection.name,
      key: 'a',
      collection: collectionOf(projection),
      eventId: 'event-3',
      position: page[2]?.position,
      error: "Error: can't count 3",
    },
  ]);
  assert.equal(await documentOf(projection, 'a'), { sum: 1, seen: [1] });
  assert.equal(await documentOf(projection, 'b'), { sum: 7, seen: [2, 5] });
});

test('a document whose first event throws is not made', async () => {
  const projection = counter(() => [1]);
  const { writes, quarantined } = await fold(projection, [counted(1, 'a')]);
  assert.equal([writes.length, quarantined.length], [0, 1]);
});

test('a quarantined document is folded up to its event and no further', async () => {
  const projection = counter(() => [2]);
  const held = new Map([[quarantineKey(collectionOf(projection), 'a'), counted(2, 'a').position as string]]);
  const page = [counted(1, 'a'), counted(2, 'a'), counted(3, 'a'), counted(4, 'b')];
  assert.equal((await fold(projection, page, held)).quarantined, []);
  assert.equal(await documentOf(projection, 'a'), { sum: 1, seen: [1] });
  assert.equal(await documentOf(projection, 'b'), { sum: 4, seen: [4] });
});

test('an event that names no document is quarantined by itself, and the others are folded', async () => {
  const projection = counter();
  const keys: Projection['keys'] = ({ position }) => {
    if (position.endsWith('2')) throw new Error('no routing');
    return position.endsWith('3') ? [undefined as unknown as string] : ['a'];
  };
  const page = [counted(1, 'a'), counted(2, 'a'), counted(3, 'a'), counted(4, 'a')];
  const { quarantined } = await fold({ ...projection, keys } as Projection, page);
  assert.equal(
    quarantined.map(({ key, error }) => [key, error]),
    [
      ['event event-2', 'Error: no routing'],
      ['event event-3', 'Error: it names no document'],
    ],
  );
  assert.equal(await documentOf(projection, 'a'), { sum: 5, seen: [1, 4] });
});
