import { queryOf } from '../../../client/request.ts';
import type { ReviewQueue } from '../../../schemas/reviewQueue.ts';
import type { SubmissionSummary } from '../../../schemas/submissions.ts';
import type { Pages } from '../../app/pages.ts';
import { given, hrefOf, place, type Query } from '../../app/router.ts';
import { createOwnStore, may, me } from '../../app/session.ts';
import { useStore } from '../../app/store.ts';
import { type FilterOf, filtersIn } from '../../parts/filters.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.submissions;

type QueueItem = Pick<ReviewQueue['data'][number], 'id' | 'claim'>;
/** A row of a list; `isOffered`: it waits for a review, and nobody else had it open. */
type Row = Readonly<{ id: string; isOffered: boolean }>;

/**
 * The list that the person came from: where it is, and its submissions in its order. `queue`: the order and
 * filters of the review queue, of which others may have changed much since; null for another list.
 */
type List = Readonly<{ of: string; href: string | null; queue: Query | null }> & ListPart<Row>;

/** The rows of a list that were read; `hasMore`: others come after them. */
type ListPart<R> = Pick<Pages<R>, 'rows' | 'hasMore'>;

/** The order and filters of the queue that the next one may have, too. */
const QUEUE: Readonly<
  Record<Exclude<FilterOf<'/api/v1/review-queue'>, 'claimed' | 'assigned' | 'postponed'>, true>
> = {
  order: true,
  workflow: true,
  reason: true,
  fraudStatus: true,
};

const last = createOwnStore<List | null>(null);

/** Calls back whenever a list that leads to submissions has rows. */
export const onRows = (call: () => void): void => {
  last.subscribe(() => last.get()?.rows.length && call());
};

/** Those that were looked at since the person left the queue: it gives others. */
const seen = createOwnStore<readonly string[]>([]);

/** A list is of one company and mode. */
const scope = (): string => {
  const { query } = place.get();
  return queryOf({ company: query.get('company'), mode: query.get('mode') });
};

/** The queue that a submission's address names: so it outlives that the page is loaded again. */
const named = (): List | null => {
  const text = place.get().query.get('queue');
  if (text === null) return null;
  const queue = filtersIn(QUEUE, new URLSearchParams(text));
  return { of: scope(), queue, href: hrefOf('/queue', queue), rows: [], hasMore: null };
};

const came = (): List | null => {
  const list = last.get() ?? named();
  // Whoever follows it is rendered again by each `set`.
  if (list !== last.get()) last.set(list);
  return list?.of === scope() ? list : null;
};

/** A submission's address, which names the queue that the person came from, or comes from now. */
export const submissionHref = (id: string, query: Query = {}, queue = listHref() && queueOfList()): string =>
  hrefOf(`/submissions/${id}`, {
    ...query,
    queue: queue ? queryOf({ order: 'oldest', ...given(queue) }).slice(1) : null,
  });

/** The person looks at a list: what `next` and `previous` go through. */
export const rememberList = (
  { rows, hasMore }: ListPart<Pick<SubmissionSummary, 'id' | 'submissionStatus'>>,
  href: string,
): void => {
  const offered = rows.map(({ id, submissionStatus }) => ({ id, isOffered: submissionStatus === 'review' }));
  last.set({ of: scope(), rows: offered, hasMore, href, queue: null });
};

/** The person looks at the queue: what was passed over before is given again. */
export const rememberQueue = (queue: Query, href: string, { rows, hasMore }: ListPart<QueueItem>): void => {
  last.set({ of: scope(), queue, href, rows: rows.map(offered), hasMore });
  seen.set([]);
};

/** The queue as it is now, for who came to a submission of it by another way. */
export const rememberOrder = ({ rows, hasMore }: ListPart<QueueItem>): void => {
  last.set({ ...(came() ?? { of: scope(), queue: {}, href: null }), rows: rows.map(offered), hasMore });
};

const offered = ({ id, claim }: QueueItem): Row => ({
  id,
  isOffered: claim === null || claim.userId === me()?.userId,
});

/** Whether it is not known where a submission stands in the queue, and no other list is looked through. */
export const lacksOrder = (id: string): boolean => {
  const from = came();
  return !from || (from.queue !== null && !from.rows.some((row) => row.id === id));
};

/**
 * Where a submission stands in the list that the person came from, such as `3 of 107`; null where it has no
 * place.
 */
export const usePlace = (id: string): string | null => {
  useStore(last);
  const { rows, hasMore } = came() ?? { rows: [], hasMore: null };
  const at = rows.findIndex((row) => row.id === id) + 1;
  return at === 0 ? null : say(hasMore ? own.placeOfMore : own.place, { at, count: rows.length });
};

/** A submission was looked at. */
export const rememberSeen = (id: string): void => {
  seen.set([...seen.get().filter((other) => other !== id), id]);
};

/** The person goes back from a submission: it is given again. */
export const forgetSeen = (id: string): void => {
  seen.set(seen.get().filter((other) => other !== id));
};

/** Those that were looked at since the person left the queue, the last one last. */
export const seenOnes = (): readonly string[] => seen.get();

/** The list that the person came from; null for who came by another way. */
export const listHref = (): string | null => came()?.href ?? null;

/** The order and filters of the queue that the person came from; null where they came from none. */
export const queueOfList = (): Query | null => came()?.queue ?? null;

/** Those of the queue up to a submission, and it. */
export const upTo = (id: string): readonly string[] => {
  const ids = queueOfList() ? (came()?.rows.map((row) => row.id) ?? []) : [];
  return ids.slice(0, ids.indexOf(id) + 1);
};

/** The submission after another in that list, or before it by -1; null at its end, and without a list. */
export const neighbour = (id: string, step: 1 | -1): string | null => {
  const ids = companionsOf(id, came()?.rows ?? []);
  const index = ids.indexOf(id);
  return index < 0 ? null : (ids[index + step] ?? null);
};

/** Who decides goes from one that is offered to others that are: the list has others among them. */
const companionsOf = (id: string, rows: readonly Row[]): readonly string[] => {
  const isOffered = may('submissions.decide') && rows.some((row) => row.id === id && row.isOffered);
  return rows.flatMap((row) => (isOffered && !row.isOffered ? [] : row.id));
};
