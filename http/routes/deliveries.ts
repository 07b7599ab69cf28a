import type { recover, redeliver, redeliverAll } from '../../commands/redeliver.ts';
import { type Fault, faultIf } from '../../kernel/fault.ts';
import { pick } from '../../kernel/pick.ts';
import type { DeliveryDocument, deliveryQueries } from '../../projections/deliveries.ts';
import { deliveryFilters } from '../../schemas/listFilters.ts';
import { cursor, eventId, limit } from '../../schemas/parameters.ts';
import { NoMembers } from '../../schemas/sessions.ts';
import {
  type Delivery,
  DeliveryCount,
  DeliveryDetail,
  DeliveryPage,
  MAX_COUNTED,
  Recovered,
  RecoverRequest,
  Redelivered,
  RedeliverRequest,
} from '../../schemas/webhooks.ts';
import type { CompanyCaller } from '../engine/access/caller.ts';
import { givenFilters, pageOf, type ReadPage } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext, ownOf, ownOfKey } from './caller.ts';

type DeliveryPorts = Readonly<{
  deliveries: ReturnType<typeof deliveryQueries>;
  redeliver: ReturnType<typeof redeliver>;
  redeliverAll: ReturnType<typeof redeliverAll>;
  recover: ReturnType<typeof recover>;
}>;

type DeliveryRequest = Readonly<{ caller: CompanyCaller; parameters: Readonly<{ eventId: string }> }>;

/** The webhook deliveries of the key, to people those of the company (deliveries-1). */
export const deliveryRoutes = (ports: DeliveryPorts): readonly Route[] => {
  const { deliveries } = ports;
  const find = async ({ caller, parameters }: DeliveryRequest): Promise<DeliveryDocument | null> => {
    const found = await deliveries.find(parameters.eventId);
    return found && isWithin(found, ownOf(caller)) ? found : null;
  };
  return [
    route({
      name: 'listDeliveries',
      summary: 'List the webhook deliveries of the key, or of a person’s company, newest first',
      method: 'GET',
      path: '/api/v1/webhook-deliveries',
      access: 'deliveries.read',
      query: { ...deliveryFilters, cursor, limit },
      answers: { 200: DeliveryPage },
    })({
      run: async ({ caller, query: { cursor, limit, ...filters } }) => {
        const { keyId, ...others } = filters;
        const own = ownOfKey(caller, keyId);
        const scope = { list: 'deliveries', ...ownOf(caller), ofKey: keyId, ...others };
        const where = { ...givenFilters(others), ...own };
        const read: ReadPage<DeliveryDocument> = async (limit, after) =>
          own ? deliveries.list(where, limit, after) : NOTHING;
        return { status: 200, body: await pageOf({ cursor, limit }, scope, read, deliveryOf) };
      },
    }),
    route({
      name: 'countDeliveries',
      summary: 'Count the webhook deliveries that the list has with the same filters',
      method: 'GET',
      path: '/api/v1/webhook-deliveries/count',
      access: 'deliveries.read',
      query: deliveryFilters,
      answers: { 200: DeliveryCount },
    })({
      run: async ({ caller, query: { keyId, ...filters } }) => {
        const own = ownOfKey(caller, keyId);
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
      method: 'GET',
      path: '/api/v1/webhook-deliveries/{eventId}',
      access: 'deliveries.read',
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
      access: 'deliveries.send',
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
      access: 'deliveries.send',
      body: RedeliverRequest,
      answers: { 202: Redelivered },
      headers: ['Retry-After'],
    })({
      check: ({ body }) => timeFaults(body),
      run: async (request) => {
        const { from, to, keyId, ...filters } = request.body;
        const own = ownOfKey(request.caller, keyId);
        if (own === null) return queued(NONE);
        const times = { createdAfter: canonical(from), createdBefore: canonical(to) };
        const where = { ...filters, ...times, ...own };
        const count = (max: number) => deliveries.count(where, max);
        const page: ReadPage<DeliveryDocument> = (limit, after) => deliveries.oldest(where, limit, after);
        return queued(await ports.redeliverAll({ count, page }, commandContext(request)));
      },
    }),
    route({
      name: 'recoverDeliveries',
      summary: 'Send all failed deliveries since a time again',
      description:
        'Failed deliveries created at `since` or later, oldest first. A call queues up to 1,000; where there are more, `next` is the `since` of the call that continues. Those whose bytes are no longer kept are skipped.',
      method: 'POST',
      path: '/api/v1/webhook-deliveries/recover',
      access: 'deliveries.send',
      body: RecoverRequest,
      answers: { 202: Recovered },
      headers: ['Retry-After'],
    })({
      check: ({ body }) => leapFaults(body, 'since'),
      run: async (request) => {
        const { since, keyId, ...filters } = request.body;
        const own = ownOfKey(request.caller, keyId);
        if (own === null) return recovered({ ...NONE, next: null });
        const where = { ...filters, status: 'failed', createdAfter: canonical(since), ...own };
        const page: ReadPage<DeliveryDocument> = (limit, after) => deliveries.oldest(where, limit, after);
        return recovered(await ports.recover(page, commandContext(request)));
      },
    }),
  ];
};

/** What the deliveries of another key are to a key. */
const NOTHING = { items: [], next: null };
const NONE = { count: 0, position: null };

/** Whether a delivery has these members. */
const isWithin = (document: DeliveryDocument, own: ReturnType<typeof ownOf>): boolean =>
  Object.entries(own).every(([name, value]) => document[name as keyof DeliveryDocument] === value);

const queued = ({ count, position }: Awaited<ReturnType<DeliveryPorts['redeliver']>>) =>
  ({ status: 202, headers: { 'Retry-After': '1' }, position, body: { count } }) as const;

const recovered = ({ next, ...some }: Awaited<ReturnType<DeliveryPorts['recover']>>) => {
  const { body, ...answer } = queued(some);
  return { ...answer, body: { ...body, next } };
};

const deliveryOf = (document: DeliveryDocument): Delivery => ({
  eventId: document.id,
  ...pick(document, 'eventType', 'sessionId', 'submissionId', 'keyId'),
  ...pick(document, 'status', 'occurredAt', 'createdAt', 'nextAttemptAt'),
});

const timeFaults = (body: Partial<RedeliverRequest>): readonly Fault[] => {
  const unparsable = [...leapFaults(body, 'from'), ...leapFaults(body, 'to')];
  const { from, to } = body;
  if (unparsable.length > 0 || from === undefined || to === undefined) return unparsable;
  return faultIf(Date.parse(from) >= Date.parse(to), '/to', 'must be after from');
};

/** A leap second has the form of a time, and is none for JavaScript. */
const leapFaults = <N extends string>(body: { readonly [Name in N]?: string }, name: N): readonly Fault[] => {
  const time = body[name];
  const isLeap = time !== undefined && Number.isNaN(Date.parse(time));
  return faultIf(isLeap, `/${name}`, 'must be a time, and not a leap second');
};

/** A time in the form that the service itself writes, so that it compares as text. */
const canonical = (time: string): string => new Date(time).toISOString();
