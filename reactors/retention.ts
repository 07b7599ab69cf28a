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

/** The table with the position reached among the ended deliveries. */
const TABLE = 'retention';
const KEY = 'deliveries';
const AT_ONCE = 32;
/** After a shorter retention was set there may be millions: the rest of the sweep must not wait for them. */
const PAGES = 30;

/**
 * Truncates deliveries that ended before the retention time, the oldest first, about a thousand a call. An
 * unfinished page is repeated; a delivery that fails is reported and skipped. Throws `StoreUnavailable`.
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
        ({ id }, err) =>
          report.error('the content of a delivery could not be deleted, and is kept', { id, err }),
      );
      await changeRow(tables, TABLE, KEY, () => ({ after: [last.endedAt, last.id] }));
      if (next === null) return;
    }
  };
