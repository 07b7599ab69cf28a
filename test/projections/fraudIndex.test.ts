import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { Position } from '../../kernel/event.ts';
import { collectionOf } from '../../projections/engine/readModels.ts';
import { prepareProjections } from '../../projections/engine/runner.ts';
import { type FraudEntry, fraudIndex, fraudQueries } from '../../projections/fraudIndex.ts';
import type { ReadModels, Where } from '../../stores/documents/port.ts';
import { countStatement, type Fragment, pageStatements } from '../../stores/documents/sqlite/query.ts';
import { indexed, stepsOf } from '../contract/sqliteDocuments/folder.ts';
import { logged } from '../controls/events.ts';
import { fenceOf, type Stores, temporaryStores } from '../controls/stores.ts';
import {
  cancelled,
  failed,
  fingerprint,
  fingerprinted,
  historyOf,
  processed,
  routing,
} from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('the fraud index');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const { submissionId } = routing;
const key = `${submissionId} ${fingerprint.value}`;
const at = (n: number) => String(n).padStart(16, '0') as Position;
const entry = (n: number): Readonly<Record<string, FraudEntry>> => ({
  [key]: { id: key, value: fingerprint.value, position: at(n), submissionId, files: fingerprint.files },
});
const index = (events: readonly SubmissionEvent[]) => given(fraudIndex, logged(events), () => stores);
const forgetting = <E extends SubmissionEvent>(event: E): E => ({
  ...event,
  data: { ...event.data, fingerprints: [fingerprint.value] },
});
const past = [...historyOf.processing, fingerprinted];

test('a fingerprint counts from its event on, at its place', () => index(past).then(entry(4)));
test('it counts on when the submission was processed', async () => {
  await index([...past, processed('review')]).then(entry(4));
  await index([...past, processed('approved')]).then(entry(4));
});
for (const status of ['failed', 'capture_quality_blocked'] as const)
  test(`it stops when the submission ends in ${status} [fraud-7]`, () =>
    index([...past, forgetting(failed(status))]).then({}));
test('it stops when the submission is cancelled [fraud-7]', () =>
  index([...past, processed('review'), forgetting(cancelled('review'))]).then({}));
test('of a reprocessed submission it counts again, at its new place', () =>
  index([...past, forgetting(failed('failed')), fingerprinted]).then(entry(6)));
test('what ends without fingerprints, or was stored before there were any, changes nothing', () =>
  index([failed('failed'), cancelled('review')]).then({}));

const fill = async (count: number): Promise<void> => {
  await prepareProjections([fraudIndex], stores.documents.models);
  const fence = await fenceOf(stores, 'projections');
  const writes = Array.from({ length: count }, (_, n) => {
    const id = `sub_${n}`;
    // Every tenth submission has the same file, each one data of its own.
    const value = n % 10 === 0 ? 'common' : `own ${n}`;
    const document = { id, value, position: at(n), submissionId: id, files: [] };
    return { collection: collectionOf(fraudIndex), id, position: at(n), document };
  });
  await stores.documents.models.commit(writes, {}, fence);
};

test('finds those before a position, the nearest first, and counts the rest', async () => {
  await fill(2_000);
  const { before } = fraudQueries(stores.documents.models);
  const found = await before('common', at(1_500));
  assert.is(found.count, 150);
  assert.is(found.earlier.length, 100);
  assert.equal(
    found.earlier.slice(0, 2).map(({ submissionId: id }) => id),
    ['sub_1490', 'sub_1480'],
  );
  assert.equal(await before('common', at(0)), { earlier: [], count: 0 });
  assert.is((await before('own 7', at(1_999))).count, 1);
  assert.is((await before('own 7', at(7))).count, 0);
});

test('a look-up costs no more among many submissions', async () => {
  const statements: Fragment[] = [];
  const collection = indexed(collectionOf(fraudIndex), fraudIndex.indexes);
  const seen = (where: Where): void => void statements.push(countStatement(collection, where));
  const models: ReadModels = {
    ...stores.documents.models,
    page: async (_name, query) => {
      statements.push(...pageStatements(collection, query, 'body'));
      return { items: [], next: [''] };
    },
    count: async (_name, where = {}) => {
      seen(where);
      return 0;
    },
  };
  await fraudQueries(models).before('common', at(1_000));
  const cost = () => statements.map((statement) => stepsOf(stores.folder, statement, 100));
  const few = cost();
  assert.ok(
    few.every((steps) => steps > 100 && steps < 5_000),
    `${few}`,
  );
  await fill(6_000);
  assert.equal(cost(), few);
});
