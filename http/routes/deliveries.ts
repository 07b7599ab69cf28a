import { eventIdOf } from '../../domain/webhookDelivery.ts';
import { pick } from '../../kernel/pick.ts';
import type { DeliveryDocument, deliveryQueries } from '../../projections/deliveries.ts';
import { deliveryFilters } from '../../schemas/listFilters.ts';
import { cursor, deliveryId, limit } from '../../schemas/parameters.ts';
import {
  type Delivery,
  DeliveryCount,
  DeliveryDetail,
  DeliveryPage,
  MAX_COUNTED,
} from '../../schemas/webhooks.ts';
import { givenFilters, pageOf, type ReadPage } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { ownOf } from './caller.ts';
import { chosenOf, findingDelivery } from './deliveryScope.ts';
import { type RedeliveryPorts, redeliveryRoutes } from './redeliveries.ts';

type DeliveryPorts = RedeliveryPorts & Readonly<{ deliveries: ReturnType<typeof deliveryQueries> }>;

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
      description: 'Attempts are oldest first: the status, the duration and the error of each.',
      method: 'GET',
      path: '/api/v1/webhook-deliveries/{deliveryId}',
      access: 'deliveries.read',
      parameters: { deliveryId },
      answers: { 200: DeliveryDetail },
    })({
      find: findingDelivery(deliveries),
      run: async ({ found }) => ({ status: 200, body: { ...deliveryOf(found), attempts: found.attempts } }),
    }),
    ...redeliveryRoutes(ports),
  ];
};

/** What the deliveries of another key are to a key. */
const NOTHING = { items: [], next: null };

const deliveryOf = (document: DeliveryDocument): Delivery => ({
  id: document.id,
  eventId: eventIdOf(document.id),
  endpointId: document.endpointId ?? null,
  ...pick(document, 'eventType', 'sessionId', 'submissionId', 'keyId'),
  ...pick(document, 'status', 'occurredAt', 'createdAt', 'nextAttemptAt'),
});
