import type { Clock } from '../kernel/clock.ts';
import type { Report } from '../kernel/report.ts';
import { settleAll } from '../kernel/settleAll.ts';
import type { deliveryQueries } from '../projections/deliveries.ts';
import type { Scalar, Tables } from '../stores/documents/port.ts';
import { changeRow } from '../stores/documents/rows.ts';

type RetentionPorts = Readonly<{
  clock: Clock;
  tables: Tables;
  report: Report;
  /** How long a delivery is kept whole after its end, in milliseconds. */
  retentionMs: number;
  ended: ReturnType<typeof deliveryQueries>['ended'];
  forget(eventId: string, before: string): Promise<void>;
}>;

/** The table that says up to where deliveries were gone through: their streams tell it only one by one. */
const TABLE = 'retention';
const KEY = 'deliveries';
const AT_ONCE = 32;
/** After a shorter retention was set there may be millions: what else the sweep does must not wait for them. */
const PAGES = 30;

/**
 * Gives up the bytes and attempts of deliveries that ended longer ago than they are kept, the oldest first, about a thousand a call. A page
 * that was not finished is gone through again, one delivery that fails is reported and passed over. Throws `StoreUnavailable`.
 */
export const createRetention =
  ({ clock, tables, report, retentionMs, ended, forget }: RetentionPorts) =>
  async (signal: AbortSignal): Promise<void> => {
    const before = new Date(clock.now().getTime() - retentionMs).toISOString();
    for (let page = 0; page < PAGES && !signal.aborted; page += 1) {
      const place = await tables.read<{ after: readonly Scalar[] }>(TABLE, KEY);
      const { items, next } = await ended(before, AT_ONCE, place?.row.after ?? null);
      const last = items.at(-1);
      if (!last) return;
      await settleAll(
        items,
        ({ id }) => forget(id, before),
        ({ id }, err) => report.error('what a delivery sent could not be given up, and is kept', { id, err }),
      );
      await changeRow(tables, TABLE, KEY, () => ({ after: [last.endedAt, last.id] }));
      if (next === null) return;
    }
  };
