import type { redeliver, redeliverAll } from '../../commands/redeliver.ts';
import type { Fault } from '../../kernel/fault.ts';
import { pick } from '../../kernel/pick.ts';
import type { DeliveryDocument, deliveryQueries } from '../../projections/deliveries.ts';
import type { envelopes, feedQueries } from '../../projections/feed.ts';
import { cursor, deliveryFilters, eventId, eventTypes, limit } from '../../schemas/parameters.ts';
import { webhookUrlFaults } from '../../schemas/sessionRules.ts';
import { NoMembers } from '../../schemas/sessions.ts';
import {
  type Delivery,
  DeliveryDetail,
  DeliveryPage,
  EventFeed,
  Redelivered,
  RedeliverRequest,
  WebhookTestRequest,
  WebhookTestResult,
} from '../../schemas/webhooks.ts';
import type { CompanyCaller } from '../engine/access/apiKeys.ts';
import { givenFilters, pageOf, type ReadPage, readCursor, writeCursor } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';

type DeliveryPorts = Readonly<{
  deliveries: ReturnType<typeof deliveryQueries>;
  redeliver: ReturnType<typeof redeliver>;
  redeliverAll: ReturnType<typeof redeliverAll>;
}>;

type DeliveryRequest = Readonly<{ caller: CompanyCaller; parameters: Readonly<{ eventId: string }> }>;

/** The webhook deliveries of the key (deliveries-1). */
export const deliveryRoutes = (ports: DeliveryPorts): readonly Route[] => {
  const { deliveries } = ports;
  const find = async ({ caller, parameters }: DeliveryRequest): Promise<DeliveryDocument | null> => {
    const found = await deliveries.find(parameters.eventId);
    return found?.keyId === caller.keyId ? found : null;
  };
  return [
    route({
      name: 'listDeliveries',
      summary: 'List the webhook deliveries of the key, newest first',
      method: 'GET',
      path: '/api/v1/webhook-deliveries',
      access: 'company',
      query: { ...deliveryFilters, cursor, limit },
      answers: { 200: DeliveryPage },
    })({
      run: async ({ caller: { keyId }, query: { cursor, limit, ...filters } }) => {
        const where = { keyId, ...givenFilters(filters) };
        const read: ReadPage<DeliveryDocument> = (limit, after) => deliveries.list(where, limit, after);
        const scope = { list: 'deliveries', keyId, ...filters };
        return { status: 200, body: await pageOf({ cursor, limit }, scope, read, deliveryOf) };
      },
    }),
    route({
      name: 'getDelivery',
      summary: 'Get a webhook delivery with its attempts',
      method: 'GET',
      path: '/api/v1/webhook-deliveries/{eventId}',
      access: 'company',
      parameters: { eventId },
      answers: { 200: DeliveryDetail },
    })({
      find,
      run: async ({ found }) => ({ status: 200, body: { ...deliveryOf(found), attempts: found.attempts } }),
    }),
    route({
      name: 'redeliver',
      summary: 'Send a delivery again',
      description:
        'The same bytes are sent with the same identifier, at once and with a new retry schedule. A pending delivery stays as it is: `count` is 0.',
      method: 'POST',
      path: '/api/v1/webhook-deliveries/{eventId}/redeliver',
      access: 'company',
      parameters: { eventId },
      body: NoMembers,
      answers: { 202: Redelivered },
      headers: ['Retry-After'],
      refusals: ['delivery-gone'],
    })({
      find,
      run: async (request) => queued(await ports.redeliver(request.found.id, commandContext(request))),
    }),
    route({
      name: 'redeliverMany',
      summary: 'Send the deliveries of a period again',
      description:
        'Deliveries created from `from` to before `to`, up to 1,000, oldest first. Pending deliveries, and those whose bytes are no longer kept, are skipped.',
      method: 'POST',
      path: '/api/v1/webhook-deliveries/redeliver',
      access: 'company',
      body: RedeliverRequest,
      answers: { 202: Redelivered },
      headers: ['Retry-After'],
    })({
      check: ({ body }) => timeFaults(body),
      run: async (request) => {
        const { from, to, ...filters } = request.body;
        const where = { keyId: request.caller.keyId, ...filters };
        const times = { from: canonical(from), to: canonical(to) };
        const count = (max: number) => deliveries.countOfTime(where, times, max);
        const page: ReadPage<DeliveryDocument> = (limit, after) =>
          deliveries.ofTime(where, times, limit, after);
        return queued(await ports.redeliverAll({ count, page }, commandContext(request)));
      },
    }),
  ];
};

const queued = ({ count, position }: Awaited<ReturnType<DeliveryPorts['redeliver']>>) =>
  ({ status: 202, headers: { 'Retry-After': '1' }, position, body: { count } }) as const;

const deliveryOf = (document: DeliveryDocument): Delivery => ({
  eventId: document.id,
  ...pick(document, 'eventType', 'sessionId', 'submissionId'),
  ...pick(document, 'status', 'occurredAt', 'createdAt', 'nextAttemptAt'),
});

const timeFaults = ({ from, to }: Partial<RedeliverRequest>): readonly Fault[] => {
  // A leap second has the form of a time, and is none for JavaScript.
  const unparsable = Object.entries({ from, to }).filter(
    ([, time]) => time && Number.isNaN(Date.parse(time)),
  );
  if (unparsable.length > 0)
    return unparsable.map(([name]) => ({
      pointer: `/${name}`,
      detail: 'must be a time, and not a leap second',
    }));
  if (from === undefined || to === undefined || Date.parse(from) < Date.parse(to)) return [];
  return [{ pointer: '/to', detail: 'must be after from' }];
};

/** A time in the form that the service itself writes, so that it compares as text. */
const canonical = (time: string): string => new Date(time).toISOString();

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
    access: 'anyKey',
    body: WebhookTestRequest,
    answers: { 200: WebhookTestResult },
  })({
    check: ({ body }) => webhookUrlFaults(body),
    run: async ({ caller, body }) => {
      await limit(caller.keyId);
      return { status: 200, body: await testReceiver(body.webhookUrl) };
    },
  });
