import { webhookDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import type { WebhookEventType } from '../domain/webhookEvents.ts';
import type { Position } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import type { ResultPage, Scalar } from '../stores/documents/port.ts';
import type { Context, Handle } from './handle.ts';

type Page = ResultPage<Readonly<{ id: string }>>;
type Deliveries = Readonly<{
  list(
    filters: Readonly<{ companyId: string; mode: Mode; sessionId?: string; eventType?: WebhookEventType }>,
    limit: number,
    after: readonly Scalar[] | null,
  ): Promise<Page>;
}>;

/** Deliveries per query, and per round of work. */
const AT_ONCE = 32;

/**
 * Ends the deliveries, such as those of a session, as the read models have them: their addresses and bytes
 * are not read again, and pending ones are given up. Gives how many there are, and the position of the last
 * event. `isMeant`: which of those found, by their identifiers.
 */
export const redactDeliveries =
  (handle: Handle, deliveries: Deliveries) =>
  async (
    filters: Parameters<Deliveries['list']>[0],
    context: Context,
    isMeant: (deliveryId: string) => boolean = () => true,
  ): Promise<Readonly<{ count: number; position: Position | null }>> => {
    const positions: Position[] = [];
    let after: readonly Scalar[] | null = null;
    do {
      const found: Page = await deliveries.list(filters, AT_ONCE, after);
      const redacted = found.items
        .filter(({ id }) => isMeant(id))
        .map(({ id }) =>
          handle(webhookDelivery, webhookDeliveryStream(id), { type: 'RedactDelivery' }, context),
        );
      for (const { position } of await Promise.all(redacted)) positions.push(position);
      after = found.next;
    } while (after !== null);
    return { count: positions.length, position: positions.sort().at(-1) ?? null };
  };
