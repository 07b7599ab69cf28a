import type { redeliver, redeliverAll } from '../../commands/redeliver.ts';
import type { Fault } from '../../kernel/fault.ts';
import type { DeliveryDocument, deliveryQueries } from '../../projections/deliveries.ts';
import { cursor, deliveryStatus, eventId, eventType, limit, ofSession } from '../../schemas/parameters.ts';
import { NoMembers } from '../../schemas/session.ts';
import {
  type Delivery,
  DeliveryDetail,
  DeliveryPage,
  Redelivered,
  RedeliverRequest,
} from '../../schemas/webhook.ts';
import type { CompanyCaller } from '../engine/access/apiKeys.ts';
import { envelope, readCursor } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';
import { given } from './given.ts';

type DeliveryPorts = Readonly<{
  deliveries: ReturnType<typeof deliveryQueries>;
  redeliver: ReturnType<typeof redeliver>;
  redeliverAll: ReturnType<typeof redeliverAll>;
}>;

type Asked = Readonly<{ caller: CompanyCaller; parameters: Readonly<{ eventId: string }> }>;

/** When a client does well to look how a redelivery went, in seconds. */
const RETRY_AFTER = { 'Retry-After': '1' };

/** The webhook deliveries of the key (deliveries-1). */
export const deliveryRoutes = (ports: DeliveryPorts): readonly Route[] => {
  const { deliveries } = ports;
  const find = async ({ caller, parameters }: Asked): Promise<DeliveryDocument | null> => {
    const found = await deliveries.find(parameters.eventId);
    return found?.keyId === caller.keyId ? found : null;
  };
  return [
    route({
      name: 'listDeliveries',
      summary: 'The webhook deliveries of the key, newest first',
      method: 'GET',
      path: '/api/v1/webhook-deliveries',
      access: 'company',
      query: { sessionId: ofSession, status: deliveryStatus, eventType, cursor, limit },
      answers: { 200: DeliveryPage },
    })({
      run: async ({ caller, query }) => {
        const { cursor: page, limit: most, ...filters } = query;
        const scope = { list: 'deliveries', keyId: caller.keyId, ...filters };
        const after = readCursor(page, scope, 2);
        const where = { keyId: caller.keyId, ...given(filters) };
        const { items, next } = await deliveries.list(where, most, after);
        return { status: 200, body: envelope(items.map(deliveryOf), next, scope) };
      },
    }),
    route({
      name: 'getDelivery',
      summary: 'A webhook delivery with every attempt',
      method: 'GET',
      path: '/api/v1/webhook-deliveries/{eventId}',
      access: 'company',
      parameters: { eventId },
      answers: { 200: DeliveryDetail },
    })({
      find,
      run: async ({ found }) => ({
        status: 200,
        body: { ...deliveryOf(found), attempts: found.attempts },
      }),
    }),
    route({
      name: 'redeliver',
      summary: 'Sends a delivery again',
      description:
        'The same bytes go out under the same identifier, at once and with a new run of the retry schedule. One that is still under way stays as it is: `count` is 0.',
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
      run: async (asked) => {
        const { count, position } = await ports.redeliver(asked.found.id, commandContext(asked));
        return { status: 202, headers: RETRY_AFTER, position, body: { count } };
      },
    }),
    route({
      name: 'redeliverMany',
      summary: 'Sends the deliveries of a time again',
      description:
        'Those created from `from` to before `to`, up to 1,000, oldest first. Those under way, and those whose bytes are not kept any more, are passed over.',
      method: 'POST',
      path: '/api/v1/webhook-deliveries/redeliver',
      access: 'company',
      body: RedeliverRequest,
      answers: { 202: Redelivered },
      headers: ['Retry-After'],
    })({
      check: ({ body }) => timeFaults(body),
      run: async (asked) => {
        const { caller, body } = asked;
        const { status } = body;
        const where = { keyId: caller.keyId, ...(status === undefined ? {} : { status }) };
        const times = { from: canonical(body.from), to: canonical(body.to) };
        const chosen = {
          count: (most: number) => deliveries.countOfTime(where, times, most),
          page: (most: number, after: Parameters<typeof deliveries.ofTime>[3]) =>
            deliveries.ofTime(where, times, most, after),
        };
        const { count, position } = await ports.redeliverAll(chosen, commandContext(asked));
        return { status: 202, headers: RETRY_AFTER, position, body: { count } };
      },
    }),
  ];
};

const deliveryOf = (document: DeliveryDocument): Delivery => {
  const { id, eventType, sessionId, submissionId, status, occurredAt, createdAt, nextAttemptAt } = document;
  return { eventId: id, eventType, sessionId, submissionId, status, occurredAt, createdAt, nextAttemptAt };
};

const timeFaults = ({ from, to }: Partial<RedeliverRequest>): readonly Fault[] => {
  // A leap second has the form of a time, and is none for JavaScript.
  const odd = Object.entries({ from, to }).filter(([, time]) => time && Number.isNaN(Date.parse(time)));
  if (odd.length > 0)
    return odd.map(([name]) => ({ pointer: `/${name}`, detail: 'must be a time, and not a leap second' }));
  if (from === undefined || to === undefined || Date.parse(from) < Date.parse(to)) return [];
  return [{ pointer: '/to', detail: 'must be after from' }];
};

/** A time in the form that the service itself writes, so that it compares as text. */
const canonical = (time: string): string => new Date(time).toISOString();
