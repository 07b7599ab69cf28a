import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { Recorded } from '../../kernel/event.ts';
import { type ReviewCountsDocument, reviewCounts } from '../../projections/reviewCounts.ts';
import { reviewQueue, reviewQueueQueries, type WaitingDocument } from '../../projections/reviewQueue.ts';
import type { QueueOrder } from '../../schemas/reviewQueue.ts';
import { ann } from '../controls/commands.ts';
import { examples, logged, timeOf } from '../controls/events.ts';
import { fenceOf, type Stores, temporaryStores, withStores } from '../controls/stores.ts';
import { cancelled, firstDecision, historyOf, processed, routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { foldAlone, given } from './spec.ts';

const test = suite('projections of the review queue');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const { submissionId, companyId, mode } = routing;
const lane = `${companyId} ${mode}`;
const queueOf = (events: readonly SubmissionEvent[]) => given(reviewQueue, logged(events), () => stores);
const countsOf = (events: readonly SubmissionEvent[]) => given(reviewCounts, logged(events), () => stores);
const item: WaitingDocument = {
  ...{ id: submissionId, companyId, mode, slug: 'receipt', since: timeOf(4) },
  ...{ fraudStatus: 'clean', fraudScore: 0, confidence: 0.95 },
  reasons: { always_review: true },
  ...{ firstBy: null, assignee: null, postponedUntil: null },
};
const positionOf = (n: number) => String(n).padStart(16, '0') as Recorded['position'];
const counts = (waiting: number, n: number): Readonly<Record<string, ReviewCountsDocument>> => ({
  [lane]: {
    ...{ id: lane, waiting, workflows: waiting === 0 ? {} : { receipt: waiting } },
    position: positionOf(n),
  },
});

test('a submission waits from the end of its processing on [review-queue-1]', async () => {
  await queueOf(historyOf.processing).then({});
  await queueOf(historyOf.review).then({ [submissionId]: item });
  await countsOf(historyOf.processing).then({});
  await countsOf(historyOf.review).then(counts(1, 4));
});

test('one whose values are typed waits too, unread and never checked for fraud [lifecycle-23]', async () => {
  const past = [...historyOf.failed, examples.SubmissionOpenedForEntry];
  const unread = { fraudStatus: null, fraudScore: 0, confidence: 0 } as const;
  const reasons = { missing_required: true } as const;
  await queueOf(past).then({ [submissionId]: { ...item, ...unread, reasons, since: timeOf(5) } });
  await countsOf(past).then(counts(1, 5));
  await queueOf([...past, examples.SubmissionApproved]).then({});
});

test('one that needs no review touches no document', async () => {
  for (const status of ['created', 'approved', 'synced', 'failed', 'cancelled'] as const) {
    await queueOf(historyOf[status]).then({});
    await countsOf(historyOf[status]).then({});
  }
  const handled = logged(historyOf.synced).filter(({ type }) => Object.hasOwn(reviewQueue.on, type));
  assert.equal(
    handled.map((event) => reviewQueue.keys(event)),
    [[]],
  );
});

for (const [decision, event] of [
  ['approved', examples.SubmissionApproved],
  ['rejected', examples.SubmissionRejected],
  ['cancelled', cancelled('review')],
] as const)
  test(`one that was ${decision} waits no more`, async () => {
    await queueOf([...historyOf.review, event]).then({});
    await countsOf([...historyOf.review, event]).then(counts(0, 5));
  });

test('a resolution changes what fraud says of it, and only where it waits', async () => {
  const resolved = examples.SubmissionFraudMatchResolved;
  const { type, data } = processed('review');
  if (type !== 'SubmissionProcessed') throw new Error('it is no result');
  const flagged = { type, data: { ...data, fraudStatus: 'flagged', fraudScore: 0.8 } } as const;
  const past = [...historyOf.processing, flagged];
  await queueOf(past).then({ [submissionId]: { ...item, fraudStatus: 'flagged', fraudScore: 0.8 } });
  await queueOf([...past, resolved]).then({ [submissionId]: item });
  await queueOf([...historyOf.approved, resolved]).then({});
  await countsOf([...past, resolved]).then(counts(1, 5));
  await countsOf([...historyOf.approved, resolved]).then({});
});

test('a first decision leaves it there, with who made it', async () => {
  const first = [...historyOf.review, firstDecision('approved', ann)];
  await queueOf(first).then({ [submissionId]: { ...item, firstBy: `user:${ann.id}` } });
  await countsOf(first).then(counts(1, 5));
  await queueOf([...first, examples.SubmissionApproved]).then({});
});

/** Events of several submissions, each renamed. */
const renamed = (event: SubmissionEvent, n: number, more: object = {}): SubmissionEvent => {
  const id = `sub_01hv6x3m8q2r5t7w9y0a1b2c${String(n).padStart(2, '0')}`;
  return { ...event, data: { ...event.data, ...more, submissionId: id } } as SubmissionEvent;
};

test('the counts are by workflow, and those of a company and mode', () => {
  const review = processed('review');
  const other = { workflow: { slug: 'invoice', version: 1 } };
  const events = [
    renamed(review, 1),
    renamed(review, 2),
    renamed(review, 3, other),
    renamed(review, 4, { mode: 'test' }),
    renamed(review, 5, { companyId: 'cmp_other' }),
    renamed(examples.SubmissionApproved, 2),
    renamed(review, 6, other),
    renamed(examples.SubmissionRejected, 3, other),
    renamed(examples.SubmissionRejected, 6, other),
  ];
  const documents = foldAlone(reviewCounts, logged(events));
  const told = Object.values(documents as Readonly<Record<string, ReviewCountsDocument>>).map(
    ({ id, waiting, workflows }) => [id, waiting, workflows],
  );
  assert.equal(
    told.sort(),
    [
      [lane, 1, { receipt: 1 }],
      [`${companyId} test`, 1, { receipt: 1 }],
      ['cmp_other live', 1, { receipt: 1 }],
    ].sort(),
  );
});

const MANY = 60;
const codes = ['always_review', 'low_confidence', 'missing_required'] as const;
const waiting = (n: number): WaitingDocument => ({
  ...item,
  id: `sub_${String(n).padStart(3, '0')}`,
  companyId: n % 7 === 0 ? 'cmp_other' : companyId,
  slug: n % 3 === 0 ? 'invoice' : 'receipt',
  since: timeOf((n * 17) % 20),
  fraudScore: (n % 5) / 5,
  fraudStatus: n % 5 === 4 ? 'blocked' : 'clean',
  confidence: ((n * 7) % 4) / 4,
  reasons: Object.fromEntries(codes.filter((_, index) => (n >> index) % 2 === 0).map((code) => [code, true])),
});
const all = Array.from({ length: MANY }, (_, n) => waiting(n));
const inOrder: Readonly<Record<QueueOrder, (one: WaitingDocument, other: WaitingDocument) => number>> = {
  oldest: (one, other) => one.since.localeCompare(other.since) || one.id.localeCompare(other.id),
  riskiest: (one, other) =>
    other.fraudScore - one.fraudScore || one.confidence - other.confidence || one.id.localeCompare(other.id),
};

test(
  'pages are in order, of those that the filters and the caller choose, without gaps or repetitions [review-queue-2, review-queue-3]',
  withStores(async (own) => {
    const { models } = own.documents;
    await models.ensure('reviewQueue', reviewQueue.indexes);
    const fence = await fenceOf(own, 'projections');
    const writes = all.map((document) => ({
      ...{ collection: 'reviewQueue', id: document.id, position: positionOf(1), document },
    }));
    await models.commit(writes, {}, fence);
    const queue = reviewQueueQueries(models);
    const filters = [
      {},
      { workflow: 'invoice' },
      { fraudStatus: 'blocked' },
      { reason: 'low_confidence' },
      { workflow: 'receipt', reason: 'always_review', fraudStatus: 'clean' },
    ] as const;
    const isOdd = ({ id }: WaitingDocument): boolean => Number(id.slice(4)) % 2 === 1;
    for (const filter of filters)
      for (const order of ['oldest', 'riskiest'] as const) {
        const { workflow, fraudStatus, reason } = {
          workflow: null,
          fraudStatus: null,
          reason: null,
          ...filter,
        };
        const fits = all
          .filter((one) => one.companyId === companyId)
          .filter((one) => (workflow ? one.slug === workflow : true))
          .filter((one) => (fraudStatus ? one.fraudStatus === fraudStatus : true))
          .filter((one) => (reason ? one.reasons[reason] === true : true))
          .sort(inOrder[order])
          .map(({ id }) => id);
        const within = { companyId, mode, ...filter };
        const odd = new Set(all.filter(isOdd).map(({ id }) => id));
        const ways = {
          all: (after: never) => queue.page(within, order, 4, after, () => true),
          odd: (after: never) => queue.page(within, order, 4, after, isOdd),
          among: (after: never) => queue.pageAmong([...odd, 'sub_gone'], within, order, 4, after, () => true),
        };
        for (const [way, read] of Object.entries(ways)) {
          const found: string[] = [];
          for (let after: unknown = null; ; ) {
            const { items, next } = await read(after as never);
            assert.ok(items.length <= 4 && (next === null || items.length === 4), way);
            found.push(...items.map(({ id }) => id));
            if (next === null) break;
            after = next;
          }
          const expected = way === 'all' ? fits : fits.filter((id) => odd.has(id));
          assert.equal(found, expected, `${way} ${order} ${JSON.stringify(filter)}`);
        }
      }
    const ofCompany = all.filter((one) => one.companyId === companyId);
    const { reasons, fraudStatuses } = await queue.counts({ companyId, mode });
    assert.ok(reasons.length > 1 && fraudStatuses.length > 1);
    for (const { code, waiting } of reasons)
      assert.is(waiting, ofCompany.filter((one) => one.reasons[code] === true).length, code);
    for (const { fraudStatus, waiting } of fraudStatuses)
      assert.is(waiting, ofCompany.filter((one) => one.fraudStatus === fraudStatus).length, fraudStatus);
    const ids = ofCompany.slice(0, 2).map(({ id }) => id);
    assert.equal([...(await queue.among([...ids, 'sub_gone']))].sort(), ids.toSorted());
  }),
);
