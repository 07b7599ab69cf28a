import { useEffect } from 'preact/hooks';
import type { ReviewQueue } from '../../../schemas/reviewQueue.ts';
import { api, scopeNow } from '../../app/api.ts';
import { place, type Query } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { rememberWaiting } from '../../app/waiting.ts';
import { startOfToday } from '../../app/zone.ts';
import {
  lacksOrder,
  neighbour,
  queueOfList,
  rememberOrder,
  rememberSeen,
  seenOnes,
  upTo,
} from '../submissions/list.ts';
import { endClaim } from './claiming.ts';
import { pendingIds } from './outbox.ts';

/** As many as the API skips. */
const MAX_SKIPPED = 1_000;
const PAGE = 100;

const mayClaim = (): boolean => may('submissions.claim');

const here = (): string => place.get().path + JSON.stringify(scopeNow());

/** Gives to `go` what `find` claims; where the person has gone elsewhere meanwhile, the claim ends. */
export const unlessGone = async (
  find: () => Promise<string | null>,
  go: (id: string | null) => void,
): Promise<void> => {
  const [before, scope] = [here(), scopeNow()];
  const id = await find();
  if (here() === before) go(id);
  else if (id !== null) await endClaim(id, scope);
};

let claimed: string | null = null;
/** The reading of the order, from when on "next" waits for it. */
let reading: Promise<unknown> = Promise.resolve();

/** Whether it was claimed by going to it: so it is this person's before it is read. */
export const isClaimed = (id: string): boolean => claimed === id;

/**
 * What to do after a submission: the one after it in the list that the person came from, or in the queue, of
 * which others may have more by now; at its end the first of the queue that nobody has, and that was not
 * looked at. Null for nothing. Throws `IntakeError`.
 */
export const nextAfter = async (id: string): Promise<string | null> => {
  await reading;
  const queue = queueOfList();
  const following = queue && mayClaim() ? null : neighbour(id, 1);
  rememberSeen(id);
  return following ?? (await claimNext(queue ?? {}, upTo(id))) ?? claimNext(queue ?? {});
};

/**
 * Claims the next of the queue that is none of `passed`; null for none, and for who may claim nothing. Throws
 * `IntakeError`.
 */
export const claimNext = async (queue: Query, passed: readonly string[] = []): Promise<string | null> => {
  if (!mayClaim()) return null;
  const after = [...new Set([...seenOnes(), ...passed, ...pendingIds()])].slice(-MAX_SKIPPED);
  const body = { ...queue, after };
  const row = await api.post('/api/v1/review-queue/next', { body });
  claimed = row?.id ?? null;
  return claimed;
};

/** Reads where a submission stands in the queue, while it waits there, for who came to it by another way. */
export const useOrder = (id: string, isWaiting: boolean): void => {
  useEffect(() => {
    if (!isWaiting || !lacksOrder(id)) return;
    const controller = new AbortController();
    // Without it "next" is the first of the queue, and there is no "back".
    reading = readOrder(id, controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, [id, isWaiting]);
};

const readOrder = async (id: string, signal: AbortSignal): Promise<void> => {
  const rows: ReviewQueue['data'][number][] = [];
  let cursor: string | null = null;
  do {
    const query: Query = { ...queueOfList(), limit: PAGE, cursor, decidedSince: startOfToday() };
    const { data, pagination, counts } = await api.get('/api/v1/review-queue', { query, signal });
    rememberWaiting(counts);
    rows.push(...data);
    cursor = pagination.nextCursor;
  } while (cursor !== null && rows.length < MAX_SKIPPED && !rows.some((row) => row.id === id));
  rememberOrder({ rows, hasMore: cursor !== null });
};
