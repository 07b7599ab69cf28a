import { eventIdOf } from '../../domain/webhookDelivery.ts';
import type { Clock } from '../../kernel/clock.ts';
import { pick } from '../../kernel/pick.ts';
import type { DeliveryDocument, deliveryQueries } from '../../projections/deliveries.ts';
import type { DeliveryContent, deliveryContent } from '../../projections/deliveryFromLog.ts';
import { FAILING_DAYS, failingReceivers } from '../../projections/failingReceivers.ts';
import { deliveryFilters } from '../../schemas/listFilters.ts';
import { cursor, deliveryId, limit } from '../../schemas/parameters.ts';
import {
  type Delivery,
  DeliveryCount,
  DeliveryDetail,
  DeliveryPage,
  FailingReceivers,
  MAX_COUNTED,
} from '../../schemas/webhooks.ts';
import { givenFilters, pageOf, type ReadPage, wholeList } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { ownOf } from './caller.ts';
import { chosenOf, findingDelivery } from './deliveryScope.ts';
import { type RedeliveryPorts, redeliveryRoutes } from './redeliveries.ts';

type DeliveryPorts = RedeliveryPorts &
  Readonly<{
    deliveries: ReturnType<typeof deliveryQueries>;
    content: ReturnType<typeof deliveryContent>;
    clock: Clock;
  }>;

/** The webhook deliveries of the key, to people those of the company (deliveries-1). */
export const deliveryRoutes = (ports: DeliveryPorts): readonly Route[] => {
  const { deliveries } = ports;
  return [
    route({
      name: 'listDeliveries',
      summary: 'List the webhook deliveries of the key, or of a person’s company, newest first',
      description:
        'Filters are combined. What was sent, and how each attempt ended, is in the delivery itself.',
      method: 'GET',
      path: '/api/v1/webhook-deliveries',
      access: 'deliveries.read',
      query: { ...deliveryFilters, cursor, limit },
      answers: { 200: DeliveryPage },
    })({
      run: async ({ caller, query: { cursor, limit, ...filters } }) => {
        const { keyId, endpointId, ...others } = filters;
        const own = chosenOf(caller, filters);
        const scope = { list: 'deliveries', ...ownOf(caller), ofKey: keyId, endpointId, ...others };
        const where = { ...givenFilters(others), ...own };
        const read: ReadPage<DeliveryDocument> = async (limit, after) =>
          own ? deliveries.list(where, limit, after) : NOTHING;
        return { status: 200, body: await pageOf({ cursor, limit }, scope, read, deliveryOf) };
      },
    }),
    route({
      name: 'countDeliveries',
      summary: 'Count the webhook deliveries that the list has with the same filters',
      description: 'Counted up to a limit: `hasMore` says whether there are more.',
      method: 'GET',
      path: '/api/v1/webhook-deliveries/count',
      access: 'deliveries.read',
      query: deliveryFilters,
      answers: { 200: DeliveryCount },
    })({
      run: async ({ caller, query: { keyId, endpointId, ...filters } }) => {
        const own = chosenOf(caller, { keyId, endpointId });
        const found = own ? await deliveries.count({ ...givenFilters(filters), ...own }, MAX_COUNTED + 1) : 0;
        return {
          status: 200,
          body: { count: Math.min(found, MAX_COUNTED), hasMore: found > MAX_COUNTED },
        };
      },
    }),
    route({
      name: 'getDelivery',
      summary: 'Get a webhook delivery with its attempts',
      description:
        'With what is sent. Attempts are oldest first: where each went, the status, the duration, the error and the first 2 KiB of the answer.',
      method: 'GET',
      path: '/api/v1/webhook-deliveries/{deliveryId}',
      access: 'deliveries.read',
      parameters: { deliveryId },
      answers: { 200: DeliveryDetail },
    })({
      find: findingDelivery(deliveries),
      run: async ({ found }) => ({ status: 200, body: detailOf(found, await ports.content(found.id)) }),
    }),
    route({
      name: 'listFailingReceivers',
      summary: 'List the receivers of failed webhook deliveries, most first',
      description: `Of the newest ${MAX_COUNTED} of the last ${FAILING_DAYS} days that have failed and were not sent again, without those whose address is not kept any more.`,
      method: 'GET',
      path: '/api/v1/webhook-deliveries/failing-receivers',
      access: 'deliveries.read',
      answers: { 200: FailingReceivers },
    })({
      run: async ({ caller }) => {
        const found = await failingReceivers(deliveries)(ownOf(caller), ports.clock.now());
        return { status: 200, body: wholeList(found.map((one) => pick(one, 'receiver', 'count', 'since'))) };
      },
    }),
    ...redeliveryRoutes(ports),
  ];
};

const detailOf = (found: DeliveryDocument, { body, heardAt }: DeliveryContent): DeliveryDetail => ({
  ...deliveryOf(found),
  body,
  attempts: found.attempts.map((attempt) => {
    const { receiver = null, answer = null } = heardAt.get(attempt.at) ?? {};
    return { ...attempt, receiver, answer };
  }),
});

/** What the deliveries of another key are to a key. */
const NOTHING = { items: [], next: null };

const deliveryOf = (document: DeliveryDocument): Delivery => ({
  id: document.id,
  eventId: eventIdOf(document.id),
  endpointId: document.endpointId ?? null,
  ...pick(document, 'eventType', 'sessionId', 'submissionId', 'keyId'),
  receiver: document.receiver ?? null,
  ...pick(document, 'status', 'occurredAt', 'createdAt', 'nextAttemptAt'),
});
