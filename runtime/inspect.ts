import { StoreDamaged } from '../kernel/errors.ts';
import type { Report } from '../kernel/report.ts';
import { pause } from '../kernel/signals.ts';
import type { DocumentStore } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/events/port.ts';

type Stores = Readonly<{
  events: EventStore;
  documents: DocumentStore;
  report: Report;
  closing: AbortSignal;
}>;

/**
 * How long a start waits: small files have been looked through by then, and of a large one the damage at its
 * beginning may have been seen.
 */
const WAIT_MS = 250;

/**
 * Looks through the files of the embedded stores, and goes on with it behind the running service where that
 * takes long; damage that is found then makes the store refuse writes, and is told by the parts' probes.
 * Throws the `StoreDamaged` that is found at once.
 */
export const inspectStores = async ({ events, documents, report, closing }: Stores): Promise<void> => {
  let waits = true;
  const inspected = Promise.all([events.inspect?.(closing), documents.inspect?.(closing)]).catch((err) => {
    if (waits && err instanceof StoreDamaged) throw err;
    report.error('a look through the files of the data folder failed', { err });
  });
  await Promise.race([inspected, pause(WAIT_MS, closing)]);
  waits = false;
};
