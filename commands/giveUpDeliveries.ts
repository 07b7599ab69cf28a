import { webhookDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import {
  type WebhookEndpointEvent,
  webhookEndpoint,
  webhookEndpointStream,
  whyClosed,
} from '../domain/webhookEndpoint.ts';
import { causedBy, type EventOf, type Recorded } from '../kernel/event.ts';
import type { ResultPage, Scalar } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Handle } from './handle.ts';
import { load } from './load.ts';

/** After which an endpoint gets nothing. */
export type EndpointClosed = EventOf<
  WebhookEndpointEvent,
  'WebhookEndpointDisabled' | 'WebhookEndpointDeleted'
>;

type Page = ResultPage<Readonly<{ id: string }>>;
type Ports = Readonly<{
  handle: Handle;
  log: EventLog;
  /** From the read models. */
  deliveries: Readonly<{
    list(
      filters: Readonly<{ companyId: string; mode: string; endpointId: string; status: 'pending' }>,
      limit: number,
      after: readonly Scalar[] | null,
    ): Promise<Page>;
  }>;
}>;

/** Deliveries per query, and per round of work. */
const AT_ONCE = 32;

/**
 * Gives up the pending deliveries of an endpoint that was disabled or deleted (endpoints-13), until the
 * signal is aborted; of one that was enabled since none. An attempt under way is recorded before, or finds
 * that its delivery has ended.
 */
export const giveUpDeliveries =
  ({ handle, log, deliveries }: Ports) =>
  async (event: Recorded<EndpointClosed>, signal: AbortSignal): Promise<void> => {
    const { endpointId, companyId, mode } = event.data;
    const error = whyClosed(await load(log, webhookEndpoint, webhookEndpointStream(endpointId)));
    if (error === null) return;
    const context = { actor: { kind: 'system', id: 'webhooks' }, ...causedBy(event) } as const;
    const giveUp = async ({ id }: Readonly<{ id: string }>): Promise<void> => {
      await handle(webhookDelivery, webhookDeliveryStream(id), { type: 'GiveUpDelivery', error }, context);
    };
    let after: readonly Scalar[] | null = null;
    do {
      const pending = { companyId, mode, endpointId, status: 'pending' } as const;
      const found: Page = await deliveries.list(pending, AT_ONCE, after);
      await Promise.all(found.items.map(giveUp));
      after = found.next;
    } while (after !== null && !signal.aborted);
  };
