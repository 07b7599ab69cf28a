import type { Role } from '../cli/runtime.ts';
import type { Checks } from '../http/routes/health.ts';
import { StoreDamaged, StoreUnavailable, WrongExpectedRevision } from '../kernel/errors.ts';
import { scrubbed } from '../kernel/scrub.ts';
import { waitFor, within } from '../kernel/timeLimit.ts';
import type { Probes } from '../stores/availability/outages.ts';
import type { EventStore } from '../stores/events/port.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import type { Core } from './wire.ts';

/** The parts that a process in these roles needs. Each probe throws while its part can't do what it is there for. */
export const probesOf = (core: Core, objects: ObjectStore, roles: readonly Role[]): Probes => ({
  events: (canRead) => probeEvents(core, canRead),
  documents: (canRead) => probeDocuments(core, canRead),
  ...(needsObjects(roles) ? { objects: () => objects.check() } : {}),
});

const needsObjects = (roles: readonly Role[]): boolean => roles.some((role) => role !== 'projections');

/** A stream that is never there: an append to it is decided, and stores nothing. */
const NOWHERE = 'health-probe';

/** How long a log that takes no appends is waited for to be read. */
const READ_MS = 1_000;

type CanRead = (() => void) | undefined;

/** A log that takes no appends can often be read still. */
const probeEvents = async ({ events, ids, clock }: Core, canRead: CanRead): Promise<void> => {
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
    await Promise.all([reading, refused(events, event)]);
  } catch (error) {
    // Which of both failed? Who reads has answered by then; who is silent may take long to be given up.
    await waitFor(
      reading.catch(() => undefined),
      READ_MS,
    );
    throw error;
  }
};

const refused = async (events: EventStore, event: Parameters<EventStore['append']>[2][number]) => {
  try {
    await events.append(NOWHERE, 0, [event]);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return;
    throw error;
  }
  throw new Error(`the log took an append to ${NOWHERE} at a revision that it does not have`);
};

/** A lease that nobody holds: to release it writes nothing, and fails where nothing can be written. */
const NOBODYS = { lease: 'health-probe', owner: 'health', token: 0 } as const;

/** A disk that is full can still be read. */
const probeDocuments = async ({ clock, documents }: Core, canRead: CanRead): Promise<void> => {
  const { models, tables, leases } = documents;
  const [found] = await Promise.all([tables.read('health', 'checked'), models.checkpoint('health')]);
  canRead?.();
  await leases.release(NOBODYS);
  const row = { at: clock.now().toISOString() };
  await (found
    ? tables.replace('health', 'checked', found.version, row)
    : tables.insert('health', 'checked', row));
};

const TAKES_NO_WRITES = 'it can be read, and takes no writes';

/**
 * A damaged file is named: nothing but a person mends it. What can be read is said to be so, else why the
 * part can't be used.
 */
const detailOf = (error: unknown, isReadable: () => boolean): string => {
  if (error instanceof StoreDamaged) return error.brief;
  if (isReadable()) return TAKES_NO_WRITES;
  if (error instanceof StoreUnavailable) return scrubbed(error.message);
  throw error;
};

/** What takes longer to fail than health waits has failed before, most often. */
const KNOWN_MS = 1_500;

/** How long a look at the read models waits for what has just been appended. */
const BEHIND_MS = 1_500;

/** What GET /health/ready asks: whether the process has begun, whether its parts are there, and whether it shows what is in the log. */
export const checksOf = (
  { log, progress, outages }: Pick<Core, 'log' | 'progress' | 'outages'>,
  probes: Probes,
  roles: readonly Role[],
  hasBegun: () => boolean,
): Checks => {
  const isReadable = (part: string): boolean =>
    outages.away().includes(part) && !outages.unreadable().includes(part);
  const parts = Object.keys(probes).map((part) => {
    const told = (error: unknown): string => detailOf(error, () => isReadable(part));
    const look = (): Promise<string | null> => {
      const looked = outages.probe(part).then(() => null, told);
      return within(looked, KNOWN_MS, () => {
        const reason = outages.reason(part);
        return reason === null ? looked : told(reason);
      });
    };
    return [part, look] as const;
  });
  const shows = async (): Promise<string | null> => {
    const head = await log.head();
    return head === null || (await progress.reached(head, BEHIND_MS))
      ? null
      : 'the read models are behind the log';
  };
  return {
    start: async () => (hasBegun() ? null : 'the process waits for its parts'),
    ...Object.fromEntries(parts),
    ...(roles.includes('api') || roles.includes('projections') ? { projections: shows } : {}),
  };
};
