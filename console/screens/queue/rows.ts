import { useEffect, useRef, useState } from 'preact/hooks';
import type { Counts, ReviewQueue } from '../../../schemas/reviewQueue.ts';
import { type Live, useLive } from '../../app/live.ts';
import { type Pages, readPage } from '../../app/pages.ts';
import type { Problem } from '../../app/problem.ts';
import type { Query } from '../../app/router.ts';
import { useStore } from '../../app/store.ts';
import { rememberWaiting } from '../../app/waiting.ts';
import { startOfToday, zone } from '../../app/zone.ts';

const PATH = '/api/v1/review-queue';
/** The rows that are followed; those after them are as they were read. */
const FOLLOWED = 100;

type Page = ReviewQueue;
export type Row = Page['data'][number];

type Queue = Readonly<{ pages: Pages<Row>; counts: Counts | null; live: Live<Page> }>;
type Tail = Readonly<{ of: string; rows: readonly Row[]; cursor: string | null; problem: Problem | null }>;

/** The queue, live: its first rows as they are now, and as many after them as the person has scrolled to. */
export const useQueue = (query: Query): Queue => {
  useStore(zone);
  const live = useLive(PATH, { ...query, limit: FOLLOWED, decidedSince: startOfToday() });
  const of = JSON.stringify(query);
  const [kept, setTail] = useState<Tail | null>(null);
  const reading = useRef(false);
  const head = live.value;
  const first = head?.pagination.nextCursor ?? null;
  // Where the first page is all, nothing waits after it any more.
  const tail = kept?.of === of && !(head && first === null) ? kept : null;
  const cursor = tail ? tail.cursor : first;
  const read = async (from: string | null, place: (page: Page, before: Tail) => Tail): Promise<void> => {
    if (from === null || reading.current) return;
    reading.current = true;
    const found = await readPage<Page>(PATH, { query: { ...query, limit: FOLLOWED, cursor: from } });
    reading.current = false;
    const before = tail ?? { of, rows: [], cursor: from, problem: null };
    if (found) setTail('data' in found ? place(found, before) : { ...before, problem: found });
  };
  useEffect(() => {
    if (head) rememberWaiting(head.counts);
  }, [head]);
  // What new rows have pushed out of those that are followed is in the page after them.
  useEffect(() => {
    if (tail) void read(first, ({ data }, before) => ({ ...before, rows: joined(data, before.rows) }));
  }, [head]);
  const more = (): void =>
    void read(cursor, ({ data, pagination }, { rows }) => ({
      ...{ of, rows: [...rows, ...data], cursor: pagination.nextCursor, problem: null },
    }));
  const reload = (): void => {
    setTail(null);
    live.reload();
  };
  const pages = {
    rows: head ? joined(head.data, tail?.rows ?? []) : [],
    hasMore: head && cursor !== null,
    problem: head ? (tail?.problem ?? null) : live.problem,
    ...{ more, reload },
  };
  return { pages, counts: head?.counts ?? null, live };
};

const joined = (head: readonly Row[], tail: readonly Row[]): readonly Row[] => {
  const ids = new Set(head.map(({ id }) => id));
  return tail.length === 0 ? head : [...head, ...tail.filter(({ id }) => !ids.has(id))];
};
