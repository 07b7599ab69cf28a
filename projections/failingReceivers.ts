import { groupBy } from '../kernel/groupBy.ts';
import { pick } from '../kernel/pick.ts';
import { type CompanyFailingReceiver, MAX_COUNTED } from '../schemas/webhooks.ts';
import type { DeliveryDocument, deliveryQueries } from './deliveries.ts';

/** So long a failed delivery is told of. */
export const FAILING_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Where the newest failed deliveries of the last days went, by company and mode, most first; those of `own`,
 * or of all companies. One whose address is not kept any more is left out (deliveries-11).
 */
export const failingReceivers =
  ({ list }: Pick<ReturnType<typeof deliveryQueries>, 'list'>) =>
  async (
    own: Partial<Pick<DeliveryDocument, 'companyId' | 'mode' | 'keyId'>>,
    now: Date,
  ): Promise<readonly CompanyFailingReceiver[]> => {
    const createdAfter = new Date(now.getTime() - FAILING_DAYS * DAY_MS).toISOString();
    const { items } = await list({ ...own, status: 'failed', createdAfter }, MAX_COUNTED, null);
    const kept = items.flatMap(({ receiver, ...rest }) => (receiver ? [{ ...rest, receiver }] : []));
    // They are newest first.
    return [...groupBy(kept, ({ companyId, mode, receiver }) => `${companyId} ${mode} ${receiver}`).values()]
      .flatMap((some) => {
        const oldest = some.at(-1);
        if (!oldest) return [];
        const facts = pick(oldest, 'companyId', 'mode', 'receiver');
        return [{ ...facts, count: some.length, since: oldest.createdAt }];
      })
      .toSorted((one, other) => other.count - one.count);
  };
