import type { recover, redeliver, redeliverAll } from '../../commands/redeliver.ts';
import { type Fault, faultIf } from '../../kernel/fault.ts';
import type { DeliveryDocument, deliveryQueries } from '../../projections/deliveries.ts';
import { deliveryId } from '../../schemas/parameters.ts';
import { NoMembers } from '../../schemas/sessions.ts';
import { Recovered, RecoverRequest, Redelivered, RedeliveryRange } from '../../schemas/webhooks.ts';
import type { ReadPage } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';
import { chosenOf, findingDelivery } from './deliveryScope.ts';

export type RedeliveryPorts = Readonly<{
  deliveries: Pick<ReturnType<typeof deliveryQueries>, 'find' | 'count' | 'oldest'>;
  redeliver: ReturnType<typeof redeliver>;
  redeliverAll: ReturnType<typeof redeliverAll>;
  recover: ReturnType<typeof recover>;
}>;

/**
 * Webhook deliveries that are sent again: one, those of a time, or all that failed since a time
 * (deliveries-4).
 */
export const redeliveryRoutes = (ports: RedeliveryPorts): readonly Route[] => [
  oneRoute(ports),
  manyRoute(ports),
  recoverRoute(ports),
];

const oneRoute = ({ deliveries, redeliver }: RedeliveryPorts): Route =>
  route({
    name: 'redeliver',
    summary: 'Send a delivery again',
    description:
      'The same bytes are sent with the same identifier, at once and with a new retry schedule. A pending delivery stays as it is: `count` is 0.',
    method: 'POST',
    path: '/api/v1/webhook-deliveries/{deliveryId}/redeliver',
    access: 'deliveries.send',
    parameters: { deliveryId },
    body: NoMembers,
    answers: { 202: Redelivered },
    headers: ['Retry-After'],
    refusals: ['delivery-gone'],
  })({
    find: findingDelivery(deliveries),
    run: async (request) => queued(await redeliver(request.found.id, commandContext(request))),
  });

const manyRoute = ({ deliveries, redeliverAll }: RedeliveryPorts): Route =>
  route({
    name: 'redeliverMany',
    summary: 'Send the deliveries of a period again',
    description:
      'Deliveries created from `from` to before `to`, up to 1,000, oldest first. Pending deliveries, and those whose bytes are no longer kept, are skipped.',
    method: 'POST',
    path: '/api/v1/webhook-deliveries/redeliver',
    access: 'deliveries.send',
    body: RedeliveryRange,
    answers: { 202: Redelivered },
    headers: ['Retry-After'],
  })({
    check: ({ body }) => timeFaults(body),
    run: async (request) => {
      const { from, to, keyId, endpointId, ...filters } = request.body;
      const own = chosenOf(request.caller, { keyId, endpointId });
      if (own === null) return queued(NONE);
      const times = { createdAfter: canonical(from), createdBefore: canonical(to) };
      const where = { ...filters, ...times, ...own };
      const count = (max: number) => deliveries.count(where, max);
      const page: ReadPage<DeliveryDocument> = (limit, after) => deliveries.oldest(where, limit, after);
      return queued(await redeliverAll({ count, page }, commandContext(request)));
    },
  });

const recoverRoute = ({ deliveries, recover }: RedeliveryPorts): Route =>
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
      const { since, keyId, endpointId, ...filters } = request.body;
      const own = chosenOf(request.caller, { keyId, endpointId });
      if (own === null) return recovered({ ...NONE, next: null });
      const where = { ...filters, status: 'failed', createdAfter: canonical(since), ...own };
      const page: ReadPage<DeliveryDocument> = (limit, after) => deliveries.oldest(where, limit, after);
      return recovered(await recover(page, commandContext(request)));
    },
  });

const queued = ({ count, position }: Awaited<ReturnType<RedeliveryPorts['redeliver']>>) =>
  ({ status: 202, headers: { 'Retry-After': '1' }, position, body: { count } }) as const;

const recovered = ({ next, ...some }: Awaited<ReturnType<RedeliveryPorts['recover']>>) => {
  const { body, ...answer } = queued(some);
  return { ...answer, body: { ...body, next } };
};

const NONE = { count: 0, position: null };

const timeFaults = (body: Partial<RedeliveryRange>): readonly Fault[] => {
  const unparsable = [...leapFaults(body, 'from'), ...leapFaults(body, 'to')];
  const { from, to } = body;
  if (unparsable.length > 0 || from === undefined || to === undefined) return unparsable;
  return faultIf(Date.parse(from) >= Date.parse(to), '/to', 'must be after from');
};

/** A leap second has the form of a time, but JavaScript has no such time. */
const leapFaults = <N extends string>(body: { readonly [Name in N]?: string }, name: N): readonly Fault[] => {
  const time = body[name];
  const isLeap = time !== undefined && Number.isNaN(Date.parse(time));
  return faultIf(isLeap, `/${name}`, 'must be a time, and not a leap second');
};

/** A time in the form that the service itself writes, so that it compares as text. */
const canonical = (time: string): string => new Date(time).toISOString();
