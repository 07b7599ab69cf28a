import type { envelopes, feedQueries } from '../../projections/feed.ts';
import { eventTypes } from '../../schemas/listFilters.ts';
import { cursor, limit } from '../../schemas/parameters.ts';
import { webhookUrlFaults } from '../../schemas/sessionRules.ts';
import { EventFeed, WebhookTestRequest, WebhookTestResult } from '../../schemas/webhooks.ts';
import { actorOf } from '../engine/access/caller.ts';
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
    access: 'events.read',
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

type WebhookTestPorts = Readonly<{
  /** Throws 429 when a key has used up its tests. */
  limit(keyId: string): Promise<void>;
  testReceiver(url: string): Promise<WebhookTestResult>;
}>;

/** Sends a test request to a webhook address (webhook-tests-1). */
export const webhookTestRoute = ({ limit, testReceiver }: WebhookTestPorts): Route =>
  route({
    name: 'testWebhook',
    summary: 'Send an unsigned test request to an address',
    description:
      'A failure of the target is a result, not a problem: `success` is true for a 2xx answer within 5 seconds. Redirects are not followed. A receiver that requires signatures may refuse it. The limit is 10 tests a minute for a key.',
    method: 'POST',
    path: '/api/v1/webhooks/test',
    access: 'webhooks.test',
    body: WebhookTestRequest,
    answers: { 200: WebhookTestResult },
  })({
    check: ({ body }) => webhookUrlFaults(body),
    run: async ({ caller, body }) => {
      await limit(actorOf(caller).id);
      return { status: 200, body: await testReceiver(body.webhookUrl) };
    },
  });
