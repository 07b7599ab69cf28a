import type { Changes } from '../../projections/engine/changes.ts';
import type { envelopes, feedQueries } from '../../projections/feed.ts';
import { eventTypes } from '../../schemas/listFilters.ts';
import { cursor, feedStart, limit, waitForEvent } from '../../schemas/parameters.ts';
import { EventFeed } from '../../schemas/webhookEvents.ts';
import { malformed } from '../engine/problems/problem.ts';
import type { LongPolls } from '../engine/request/longPolls.ts';
import { readCursor, writeCursor } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';

type EventPorts = Readonly<{
  feed: ReturnType<typeof feedQueries>;
  envelopes: ReturnType<typeof envelopes>;
  polls: LongPolls;
  /** Of the events of each key. */
  changes: Changes;
}>;

/** Sorts before every position. */
const ORIGIN = '';

/** The events of the key, for polling (feed-1). */
export const eventRoute = ({ feed, envelopes, polls, changes }: EventPorts): Route =>
  route({
    name: 'listEvents',
    summary: 'List the events of the key, oldest first',
    description:
      'The envelopes of webhooks, in the order in which they were stored, also for sessions without a webhookUrl. `nextCursor` is always given: keep it, and send it to get the events since. No event is skipped. With `wait` the answer comes as soon as there is an event, and is an empty page in the end. Up to four requests of a key may wait at once.',
    method: 'GET',
    path: '/api/v1/events',
    access: 'events.read',
    query: { cursor, from: feedStart, types: eventTypes, wait: waitForEvent, limit },
    answers: { 200: EventFeed },
  })({
    run: async ({ caller: { keyId }, query, client }) => {
      const { types, from } = query;
      if (from !== null && query.cursor !== null) throw malformed([TWO_STARTS]);
      const scope = { list: 'events', keyId, types: types?.join() ?? null };
      const after = readCursor(query.cursor, scope, 1) ?? [(await placeOf(feed, keyId, from)) ?? ORIGIN];
      const { items, hasMore } = await polls.answer(
        { changes, key: keyId, callerId: keyId, waitMs: query.wait * 1_000, client: client() },
        { read: () => feed.page(keyId, types, query.limit, after), isNew: (page) => page.items.length > 0 },
      );
      const last = items.at(-1)?.position;
      const nextCursor = writeCursor(last === undefined ? after : [last], scope);
      return { status: 200, body: { data: await envelopes(items), pagination: { hasMore, nextCursor } } };
    },
  });

const TWO_STARTS = { pointer: '/query/from', detail: 'from and cursor both say where to start: send one' };

/**
 * How far the order of times may differ from that of the log: by what is stored at once, and by nodes'
 * clocks.
 */
const DISORDER_MS = 10_000;

/** The position after which a page starts (feed-5); null for the first event. */
const placeOf = (feed: EventPorts['feed'], keyId: string, from: string | null) => {
  if (from === null) return null;
  if (from === 'now') return feed.end();
  return feed.lastBefore(keyId, new Date(Date.parse(from) - DISORDER_MS).toISOString());
};
