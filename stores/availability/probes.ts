import type { Clock } from '../../kernel/clock.ts';
import { WrongExpectedRevision } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { waitFor } from '../../kernel/timeLimit.ts';
import type { DocumentStore } from '../documents/port.ts';
import { changeRow } from '../documents/rows.ts';
import type { EventStore, StoredEvent } from '../events/port.ts';
import type { ObjectStore } from '../objects/port.ts';
import type { Probes } from './availability.ts';

type Stores = Readonly<{ events: EventStore; documents: DocumentStore; ids: Ids; clock: Clock }>;

/** Probes of the log and the documents, and of the objects where a process needs them. */
export const probesOf = (stores: Stores, objects: ObjectStore | null): Probes => ({
  events: (canRead) => probeEvents(stores, canRead),
  documents: (canRead) => probeDocuments(stores, canRead),
  ...(objects === null ? {} : { objects: () => objects.check() }),
});

/** A stream that never exists: an append to it is decided, and stores nothing. */
const MISSING_STREAM = 'health-probe';

/** How long to wait for a read of a log that takes no appends. */
const READ_MS = 1_000;

type CanRead = (() => void) | undefined;

/** A log that takes no appends can often still be read. */
const probeEvents = async ({ events, ids, clock }: Stores, canRead: CanRead): Promise<void> => {
  const metadata = {
    schema: 1,
    at: clock.now().toISOString(),
    $correlationId: ids.event(),
    $causationId: ids.event(),
    actor: { kind: 'system', id: 'health' },
    prev: null,
  } as const;
  const event = { id: ids.event(), type: 'Probed', data: {}, metadata };
  const reading = events.head().then(() => canRead?.());
  try {
    await Promise.all([reading, probeAppend(events, event)]);
  } catch (error) {
    // Which of the two failed? A successful read has ended by then; a silent server may take long to fail.
    await waitFor(
      reading.catch(() => undefined),
      READ_MS,
    );
    throw error;
  }
};

const probeAppend = async (events: EventStore, event: StoredEvent): Promise<void> => {
  try {
    await events.append(MISSING_STREAM, 0, [event]);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return;
    throw error;
  }
  throw new Error(`the log took an append to ${MISSING_STREAM} at a revision that it does not have`);
};

/** A lease without a holder: to release it writes nothing, and fails where nothing can be written. */
const NO_FENCE = { lease: 'health-probe', owner: 'health', token: 0 } as const;

/** A disk that is full can still be read. */
const probeDocuments = async ({ clock, documents }: Stores, canRead: CanRead): Promise<void> => {
  const { models, tables, leases } = documents;
  await Promise.all([tables.read('health', 'checked'), models.checkpoint('health')]);
  canRead?.();
  await leases.release(NO_FENCE);
  await changeRow(tables, 'health', 'checked', () => ({ at: clock.now().toISOString() }));
};
