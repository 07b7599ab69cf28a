import { StoreDamaged, StoreMisconfigured, StoreUnavailable } from '../kernel/errors.ts';
import type { Position } from '../kernel/event.ts';
import { pause } from '../kernel/signals.ts';
import { allProjections } from '../projections/all.ts';
import { liveCheckpoint } from '../projections/engine/readModels.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Locations } from './dataFolder.ts';
import type { Core } from './wire.ts';

type Stores = Pick<Core, 'documents' | 'log' | 'keyring' | 'locations' | 'embedded'>;
type Inspected = Pick<Core, 'events' | 'documents' | 'report' | 'closing'>;

/**
 * Delays before the end of a log on a server is read again: a leader that was frozen, and replaced in the
 * meantime, gives an old end for about a second after it wakes.
 */
const RETRY_MS = [250, 750, 1_500, 3_000, 4_500];

/**
 * Refuses stores that don't belong together, before anything new is sealed under the wrong key or appended
 * where no read model reads. Throws `StoreMisconfigured`, and `StoreUnavailable` when they can't be read, or
 * `ended` is aborted.
 */
export const checkStores = async (
  stores: Stores,
  ended: AbortSignal = new AbortController().signal,
  wait = pause,
): Promise<void> => {
  await loadKeyring(stores);
  const { documents, log, locations, embedded } = stores;
  // In this order: the log grows in the meantime.
  const visible = await liveCheckpoint(allProjections, documents.models);
  let end = await endOf(log);
  for (const ms of embedded.log ? [] : RETRY_MS) {
    if (visible === null || visible.length !== end.length || visible <= end) break;
    await wait(ms, ended);
    if (ended.aborted) throw new StoreUnavailable('the check of the stores was ended');
    end = await endOf(log);
  }
  if (visible !== null && visible.length !== end.length)
    throw new StoreMisconfigured(
      `The read models (${locations.models}) were made from another log than ${locations.log}. Set the one that was used, or empty read models.`,
    );
  if (visible === null || visible <= end) return;
  throw new StoreMisconfigured(
    `The log (${locations.log}) ends before what the read models (${locations.models}) have folded: it is missing, or an older copy. Restore the newest one; if there is none, remove the read models, which are made again from the log that you have.`,
  );
};

/** The position of the newest event; for an empty log that of read models which are up to date. */
const endOf = async (log: EventLog): Promise<Position> => {
  const head = await log.head();
  if (head !== null) return head;
  const stop = new AbortController();
  for await (const { upTo } of log.follow(null, { prefixes: [], page: 1, signal: stop.signal })) return upTo;
  throw new Error('the log gave no page');
};

const loadKeyring = async ({ log, keyring, locations }: Stores): Promise<void> => {
  if (!(await keyring.exists())) {
    // Before the second look: a process that appends has made its keys first.
    const isUsed = await holdsEvents(log);
    if (isUsed && !(await keyring.exists())) throw new StoreMisconfigured(withoutTables(locations));
  }
  await keyring.load();
};

const withoutTables = ({ log, models }: Locations): string =>
  `The log (${log}) holds events, but the tables beside the read models (${models}) are empty: without them no API key is known and no private data can be read. Restore them from a backup, or set the store that was used.`;

/** Whether the log holds any event of this service. */
const holdsEvents = async (log: EventLog): Promise<boolean> => {
  const stop = new AbortController();
  const prefixes = [...new Set(allProjections.flatMap((projection) => projection.prefixes))];
  for await (const { events, live } of log.follow(null, { prefixes, page: 1, signal: stop.signal }))
    if (events.length > 0 || live) return events.length > 0;
  return false;
};

/** How long a start waits: by then small files have been checked, and of large ones the first part. */
const WAIT_MS = 250;

/**
 * Checks the files of the embedded stores for damage, of large ones behind the running service: damage found
 * then makes the store refuse writes, and its probe fail. Throws the `StoreDamaged` that is found at once.
 */
export const inspectStores = async ({ events, documents, report, closing }: Inspected): Promise<void> => {
  let waits = true;
  const inspected = Promise.all([events.inspect?.(closing), documents.inspect?.(closing)]).catch((err) => {
    if (waits && err instanceof StoreDamaged) throw err;
    report.error('the files of the data folder could not be checked', { err });
  });
  await Promise.race([inspected, pause(WAIT_MS, closing)]);
  waits = false;
};
