import { type FraudStatus, fraudStatuses } from '../domain/submission/fraud.ts';
import { type ReviewReason, reviewReasonCodes } from '../domain/submission/result.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { actorText, type EventOf, type Recorded } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';
import type { Mode } from '../kernel/scope.ts';
import type { queueFilters } from '../schemas/listFilters.ts';
import { MAX_COUNTED, type QueueOrder } from '../schemas/reviewQueue.ts';
import type { ReadModels, ResultPage, Scalar, Sort, Where } from '../stores/documents/port.ts';
import { type Conditions, conditionsOn, type FilterPaths } from './engine/listFilters.ts';
import type { After } from './engine/pages.ts';
import { earliestBy, indexOn, remove, type SelectiveProjection } from './engine/projection.ts';
import { outsideReview, statusFolds } from './statusFolds.ts';

/**
 * A submission in review: what the queue is ordered and filtered by. What is shown of it is in `submissions`.
 */
export type WaitingDocument = Readonly<{
  id: string;
  companyId: string;
  mode: Mode;
  slug: string;
  /** Since when it has been in review, in ISO 8601. */
  since: string;
  /** Null where fraud was not checked: its values are typed. */
  fraudStatus: FraudStatus | null;
  fraudScore: number;
  confidence: number;
  /** The codes of its review reasons. */
  reasons: Readonly<Partial<Record<ReviewReason['code'], true>>>;
  /** Who made the first of two decisions (`actorText`); null for nobody. */
  firstBy: string | null;
  /** The user who is to review it; null for nobody in particular. */
  assignee: string | null;
  /** Until when its review is put off, in ISO 8601; also a time that has passed. Null where it is not. */
  postponedUntil: string | null;
}>;

/** The orders of the queue (review-queue-2); in each an earlier submission comes first among equals. */
const orders: Readonly<Record<QueueOrder, Sort>> = {
  oldest: earliestBy('since'),
  riskiest: [
    { path: 'fraudScore', direction: 'descending' },
    { path: 'confidence', direction: 'ascending' },
    { path: 'id', direction: 'ascending' },
  ],
};

/** Where a document has what the queue is restricted by, but for its reasons; claims are not in it. */
const filterPaths = {
  workflow: 'slug',
  fraudStatus: 'fraudStatus',
  assignee: 'assignee',
} as const satisfies FilterPaths<
  WaitingDocument,
  typeof queueFilters,
  { order: never; reason: never; claimed: never; assigned: 'assignee'; postponed: never }
>;
const paths = { companyId: 'companyId', mode: 'mode', ...filterPaths } as const;

const scope = ['companyId', 'mode'];
const filtered: Readonly<Record<string, readonly string[]>> = {
  all: [],
  workflow: [filterPaths.workflow],
  fraud: [filterPaths.fraudStatus],
  assignee: [filterPaths.assignee],
  ...Object.fromEntries(reviewReasonCodes.map((code) => [code, [`reasons.${code}`]])),
};

type Begun = Recorded<EventOf<SubmissionEvent, 'SubmissionProcessed' | 'SubmissionOpenedForEntry'>>;
type Assessed = Pick<WaitingDocument, 'fraudStatus' | 'fraudScore' | 'confidence'>;

const waiting = ({ data, metadata }: Begun, assessed: Assessed): WaitingDocument => ({
  id: data.submissionId,
  ...pick(data, 'companyId', 'mode'),
  slug: data.workflow.slug,
  since: metadata.at,
  ...pick(assessed, 'fraudStatus', 'fraudScore', 'confidence'),
  reasons: Object.fromEntries(data.reviewReasons.map(({ code }) => [code, true] as const)),
  firstBy: null,
  assignee: null,
  postponedUntil: null,
});

const NOT_READ = { fraudStatus: null, fraudScore: 0, confidence: 0 } as const;

/**
 * The submissions in review, a document each: as many as wait, however many there are. An event that neither
 * begins nor ends a review touches none, but a resolution and a first decision.
 */
export const reviewQueue: SelectiveProjection<WaitingDocument, SubmissionEvent> = {
  name: 'reviewQueue',
  version: 2,
  prefixes: ['submission-'],
  indexes: [
    ...Object.entries(orders).flatMap(([order, sort]) =>
      Object.entries(filtered).map(([name, paths]) =>
        indexOn(`${order}_${name}`, [...scope, ...paths], sort),
      ),
    ),
    indexOn('postponed', scope, earliestBy('postponedUntil')),
  ],
  keys: ({ data }) =>
    'to' in data && data.to !== 'review' && data.from !== 'review' ? [] : [data.submissionId],
  on: statusFolds<WaitingDocument>({
    SubmissionProcessed: (_document, event) => waiting(event, event.data),
    SubmissionOpenedForEntry: (_document, event) => waiting(event, NOT_READ),
    SubmissionFraudMatchResolved: (document, { data }) =>
      document && { ...document, ...pick(data, 'fraudStatus', 'fraudScore') },
    SubmissionFirstDecisionMade: (document, { data }) =>
      document && { ...document, firstBy: actorText(data.by) },
    SubmissionAssigned: (document, { data: { assignee } }) => document && { ...document, assignee },
    SubmissionPostponed: (document, { data: { until } }) =>
      document && { ...document, postponedUntil: until },
    SubmissionResumed: (document) => document && { ...document, postponedUntil: null },
    SubmissionApproved: remove,
    SubmissionRejected: remove,
    SubmissionCancelled: remove,
    ...outsideReview,
  }),
};

/** Conditions of the queue; all that are given must hold. */
export type QueueFilters = Conditions<typeof paths> &
  Readonly<{ companyId: string; mode: Mode; reason?: ReviewReason['code'] }>;

/** Where a page ends: the values that its order sorts by. */
type Place = readonly Scalar[];

/** The queries behind the review queue. */
export const reviewQueueQueries = (models: ReadModels) => ({
  /** A page in the queue's order, of those that `isChosen` gives: the others are read over. */
  page: async (
    filters: QueueFilters,
    order: QueueOrder,
    limit: number,
    after: After,
    isChosen: (document: WaitingDocument) => boolean,
  ): Promise<ResultPage<WaitingDocument>> => {
    const where = whereOf(filters);
    const items: WaitingDocument[] = [];
    let place = after;
    do {
      const query = { where, sort: orders[order], limit: limit - items.length, after: place };
      const page: ResultPage<WaitingDocument> = await models.page('reviewQueue', query);
      items.push(...page.items.filter(isChosen));
      place = page.next;
    } while (place !== null && items.length < limit);
    return { items, next: place };
  },

  /** The same among these submissions alone. */
  pageAmong: async (
    ids: readonly string[],
    filters: QueueFilters,
    order: QueueOrder,
    limit: number,
    after: After,
    isChosen: (document: WaitingDocument) => boolean,
  ): Promise<ResultPage<WaitingDocument>> => {
    const where = Object.entries(whereOf(filters));
    const found = await models.getMany<WaitingDocument>('reviewQueue', ids);
    const behind = [...found.values()]
      .filter((document) => where.every(([path, value]) => memberAt(document, path) === value))
      .filter(isChosen)
      .map((document) => ({ document, place: orders[order].map(({ path }) => memberAt(document, path)) }))
      .filter(({ place }) => after === null || compare(place, after, orders[order]) > 0)
      .sort((one, other) => compare(one.place, other.place, orders[order]));
    const page = behind.slice(0, limit);
    const next = behind.length > limit ? (page.at(-1)?.place ?? null) : null;
    return { items: page.map(({ document }) => document), next };
  },

  /**
   * How many wait for each review reason and of each fraud status, counted up to `MAX_COUNTED`; none is left
   * out.
   */
  counts: async (scope: Pick<QueueFilters, 'companyId' | 'mode'>) => {
    const count = (more: Partial<QueueFilters>): Promise<number> =>
      models.count('reviewQueue', whereOf({ ...scope, ...more }), MAX_COUNTED);
    const [reasons, fraud] = await Promise.all([
      Promise.all(reviewReasonCodes.map(async (code) => ({ code, waiting: await count({ reason: code }) }))),
      Promise.all(
        fraudStatuses.map(async (fraudStatus) => ({ fraudStatus, waiting: await count({ fraudStatus }) })),
      ),
    ]);
    const some = ({ waiting: size }: Readonly<{ waiting: number }>): boolean => size > 0;
    return { reasons: reasons.filter(some), fraudStatuses: fraud.filter(some) };
  },

  /** How many are assigned to a user, and how many are put off to a time after `now`: up to `MAX_COUNTED`. */
  countShared: async (scope: Pick<QueueFilters, 'companyId' | 'mode'>, userId: string, now: string) => {
    const count = (more: Where): Promise<number> =>
      models.count('reviewQueue', { ...whereOf(scope), ...more }, MAX_COUNTED);
    const [assigned, postponed] = await Promise.all([
      count({ assignee: userId }),
      count({ postponedUntil: { from: now } }),
    ]);
    return { assigned, postponed };
  },

  /** Those of these submissions that wait. */
  among: async (ids: readonly string[]): Promise<readonly string[]> => [
    ...(await models.getMany<WaitingDocument>('reviewQueue', ids)).keys(),
  ],
});

const conditions = conditionsOn(paths);

const whereOf = ({ reason, ...filters }: QueueFilters): Where => ({
  ...conditions(filters),
  ...(reason ? { [`reasons.${reason}`]: true } : {}),
});

/** As the store compares numbers, and text that is all ASCII. */
const compare = (one: Place, other: Place, sort: Sort): number => {
  for (const [n, { direction }] of sort.entries()) {
    const [a, b] = [one[n] ?? '', other[n] ?? ''];
    if (a !== b) return a < b === (direction === 'ascending') ? -1 : 1;
  }
  return 0;
};

/** The member at a path of one or two names; null for none. */
const memberAt = (document: object, path: string): Scalar => {
  const [name = '', inner] = path.split('.');
  const member =
    (document as Readonly<Record<string, Scalar | Readonly<Record<string, Scalar>>>>)[name] ?? null;
  if (typeof member !== 'object' || member === null) return member;
  return member[inner ?? ''] ?? null;
};
