import type { envelopes, feedQueries } from '../../projections/feed.ts';
import { cursor, eventTypes, limit } from '../../schemas/parameters.ts';
import { EventFeed } from '../../schemas/webhook.ts';
import { readCursor, writeCursor } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';

type EventPorts = Readonly<{
  feed: ReturnType<typeof feedQueries>;
  envelopes: ReturnType<typeof envelopes>;
}>;

/** Sorts before every position. */
const ORIGIN = [''];

/** The events of the key, for polling (feed-1). */
export const eventRoute = ({ feed, envelopes }: EventPorts): Route =>
  route({
    name: 'listEvents',
    summary: 'List the events of the key, oldest first',
    description:
      'The envelopes of webhooks, in the order in which they were stored, also for sessions without a webhookUrl. `nextCursor` is always given: keep it, and send it to get the events since. No event is skipped.',
    method: 'GET',
    path: '/api/v1/events',
    access: 'company',
    query: { cursor, types: eventTypes, limit },
    answers: { 200: EventFeed },
  })({
    run: async ({ caller: { keyId }, query }) => {
      const scope = { list: 'events', keyId, types: query.types?.join() ?? null };
      const after = readCursor(query.cursor, scope, 1) ?? ORIGIN;
      const { items, hasMore } = await feed.page(keyId, query.types, query.limit, after);
      const last = items.at(-1)?.position;
      const nextCursor = writeCursor(last === undefined ? after : [last], scope);
      return { status: 200, body: { data: await envelopes(items), pagination: { hasMore, nextCursor } } };
    },
  });
