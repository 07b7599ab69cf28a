import { webhookDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import type { Position } from '../kernel/event.ts';
import type { ResultPage, Scalar } from '../stores/documents/port.ts';
import type { Context, Handle } from './handle.ts';

type Page = ResultPage<Readonly<{ id: string }>>;
type Pages = (limit: number, after: readonly Scalar[] | null) => Promise<Page>;

/** Deliveries per query, and per round of work. */
const AT_ONCE = 32;

/**
 * Ends the deliveries that `pages` gives, such as those of a session: their addresses and bytes are not read
 * again, and pending ones are given up. Gives how many there are, and the position of the last event.
 */
export const redactDeliveries =
  (handle: Handle) =>
  async (pages: Pages, context: Context): Promise<Readonly<{ count: number; position: Position | null }>> => {
    const positions: Position[] = [];
    let after: readonly Scalar[] | null = null;
    do {
      const found: Page = await pages(AT_ONCE, after);
      const redacted = found.items.map(({ id }) =>
        handle(webhookDelivery, webhookDeliveryStream(id), { type: 'RedactDelivery' }, context),
      );
      for (const { position } of await Promise.all(redacted)) positions.push(position);
      after = found.next;
    } while (after !== null);
    return { count: positions.length, position: positions.sort().at(-1) ?? null };
  };
