import { hash } from 'node:crypto';
import type { Claims } from '../../commands/claims.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ReadModelNotBuilt } from '../../kernel/errors.ts';
import type { Position } from '../../kernel/event.ts';
import { laneOf } from '../../kernel/lane.ts';
import { sharedBy } from '../../kernel/once.ts';
import type { Mode } from '../../kernel/scope.ts';
import type { activityQueries } from '../../projections/activity.ts';
import type { reviewCountsQueries } from '../../projections/reviewCounts.ts';
import type { reviewQueueQueries, WaitingDocument } from '../../projections/reviewQueue.ts';
import type { submissionQueries } from '../../projections/submissions.ts';
import type { queueFilters } from '../../schemas/listFilters.ts';
import type { cursor, decidedSince, limit } from '../../schemas/parameters.ts';
import type { Counts, QueueOrder } from '../../schemas/reviewQueue.ts';
import { actorOf, type CompanyCaller } from '../engine/access/caller.ts';
import { envelope, givenFilters, readCursor } from '../engine/request/paging.ts';
import type { Values } from '../engine/route.ts';

export type QueuePorts = Readonly<{
  queue: ReturnType<typeof reviewQueueQueries>;
  counts: ReturnType<typeof reviewCountsQueries>['find'];
  rows: ReturnType<typeof submissionQueries>['waiting'];
  countDecisions: ReturnType<typeof activityQueries>['countDecisions'];
  claims: Claims;
  clock: Clock;
}>;

/** The query of GET /review-queue; null for what is not given. */
export type QueueQuery = Values<
  typeof queueFilters &
    Readonly<{ decidedSince: typeof decidedSince; cursor: typeof cursor; limit: typeof limit }>
>;

/** How many values each order sorts by. */
const WIDTHS: Readonly<Record<QueueOrder, number>> = { oldest: 2, riskiest: 3 };

/** Gives a page of the review queue in bytes, and the tag that changes with it. */
export const queuePage = (ports: QueuePorts) => {
  // A change wakes all who wait on a lane at once. A reading of an earlier state does not serve them.
  const found = sharedBy(
    ({ companyId, mode, position }: Counted) => `${laneOf(companyId, mode)} ${position}`,
    ({ companyId, mode }) => ports.queue.counts({ companyId, mode }),
  );
  return async (
    caller: CompanyCaller,
    query: QueueQuery,
  ): Promise<Readonly<{ tag: string; body: Buffer }>> => {
    const { companyId, mode } = caller;
    const { cursor, limit, claimed, assigned, postponed, order: given, decidedSince, ...filters } = query;
    const order = given ?? 'oldest';
    const list = { list: 'reviewQueue', companyId, mode, order, claimed, assigned, postponed, ...filters };
    const after = readCursor(cursor, list, WIDTHS[order]);
    const claims = await ports.claims.of(laneOf(companyId, mode));
    const own = actorOf(caller).id;
    const within = { companyId, mode, ...givenFilters(filters), ...assignedTo(assigned, own) };
    const now = ports.clock.now().toISOString();
    const isChosen = (document: WaitingDocument): boolean =>
      (claimed !== 'none' || !claims.has(document.id)) &&
      (assigned !== 'others' || isOfAnother(document, own)) &&
      (postponed === 'with' || isPostponed(document, now) === (postponed === 'only'));
    const { items, next } = isByOne(claimed)
      ? await ports.queue.pageAmong(claimedBy(claimed, caller, claims), within, order, limit, after, isChosen)
      : await ports.queue.page(within, order, limit, after, isChosen);
    const [rows, counts, decided] = await Promise.all([
      ports.rows(items.map(({ id }) => id)),
      countsOf({ ...ports, found }, caller, claims, now),
      decidedBy(ports, caller, decidedSince),
    ]);
    const data = rows.map(({ id, row }) => withClaim(row, claims.get(id)));
    const { pagination } = envelope([], next, list);
    const rest = JSON.stringify({ pagination, counts: { ...counts, decided } }).slice(1);
    const body = Buffer.from(`{"data":[${data.join()}],${rest}`);
    return { tag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`, body };
  };
};

/** A lane, and the last event that changed its queue; null before the first. */
type Counted = Readonly<{ companyId: string; mode: Mode; position: Position | null }>;

type CountPorts = Pick<QueuePorts, 'counts' | 'queue'> &
  Readonly<{ found(of: Counted): ReturnType<QueuePorts['queue']['counts']> }>;

const isByOne = (claimed: QueueQuery['claimed']): claimed is 'mine' | 'others' =>
  claimed === 'mine' || claimed === 'others';

/** The submissions that the caller has claimed, or that others have: a key claims none. */
const claimedBy = (
  whose: 'mine' | 'others',
  caller: CompanyCaller,
  claims: ReadonlyMap<string, string>,
): readonly string[] => {
  const { id: own } = actorOf(caller);
  return [...claims].flatMap(([id, userId]) => ((userId === own) === (whose === 'mine') ? [id] : []));
};

const assignedTo = (assigned: QueueQuery['assigned'], own: string) =>
  assigned === 'mine' || assigned === 'none' ? { assignee: assigned === 'mine' ? own : null } : {};

/** Whether it is assigned to somebody else. */
export const isOfAnother = ({ assignee }: WaitingDocument, own: string): boolean =>
  assignee !== null && assignee !== own;

/** Whether its review is put off. `now`: ISO 8601. */
export const isPostponed = ({ postponedUntil }: WaitingDocument, now: string): boolean =>
  postponedUntil !== null && Date.parse(postponedUntil) > Date.parse(now);

/** A row in JSON with its last member. */
const withClaim = (row: string, userId: string | undefined): string =>
  `${row.slice(0, -1)},"claim":${userId === undefined ? null : JSON.stringify({ userId })}}`;

const countsOf = async (
  { counts, queue, found }: CountPorts,
  caller: CompanyCaller,
  claims: ReadonlyMap<string, string>,
  now: string,
): Promise<Omit<Counts, 'decided'>> => {
  const { companyId, mode } = caller;
  const sizes = await counts(laneOf(companyId, mode));
  const [more, shared, mine, others] = await Promise.all([
    found({ companyId, mode, position: sizes?.position ?? null }),
    queue.countShared({ companyId, mode }, actorOf(caller).id, now),
    queue.among(claimedBy('mine', caller, claims)),
    queue.among(claimedBy('others', caller, claims)),
  ]);
  const { waiting = 0, workflows = {} } = sizes ?? {};
  const bySlug = Object.entries(workflows).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    waiting,
    workflows: bySlug.map(([slug, count]) => ({ slug, waiting: count })),
    ...more,
    claimed: { mine: mine.length, others: others.length },
    ...shared,
  };
};

/** How many decisions the caller has made since a time (figures-4); null where nobody asks. */
const decidedBy = async (
  { countDecisions }: Pick<QueuePorts, 'countDecisions'>,
  caller: CompanyCaller,
  createdAfter: string | null,
): Promise<number | null> => {
  const { companyId, mode } = caller;
  if (createdAfter === null) return null;
  try {
    return await countDecisions({ companyId, mode, actor: actorOf(caller).id, createdAfter });
  } catch (error) {
    // The queue must not wait for a read model that came with a release.
    if (error instanceof ReadModelNotBuilt) return null;
    throw error;
  }
};
