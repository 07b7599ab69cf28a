import type { Checks } from '../http/health.ts';
import { WrongExpectedRevision } from '../stores/errors.ts';
import type { EventStore } from '../stores/events/port.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import type { Role } from './config.ts';
import type { Probes } from './outages.ts';
import type { Core } from './wire.ts';

/** The parts that a process in these roles needs. Each probe throws while its part can't do what it is there for. */
export const probesOf = (core: Core, objects: ObjectStore, roles: readonly Role[]): Probes => ({
  events: () => probeEvents(core),
  documents: () => probeDocuments(core),
  ...(needsObjects(roles) ? { objects: () => objects.check() } : {}),
});

const needsObjects = (roles: readonly Role[]): boolean => roles.includes('api') || roles.includes('workers');

/** A stream that is never there: an append to it is decided, and stores nothing. */
const NOWHERE = 'health-probe';

/** A log that takes no appends can often be read still. */
const probeEvents = async ({ events, ids, clock }: Core): Promise<void> => {
  const metadata = {
    schema: 1,
    at: clock.now().toISOString(),
    $correlationId: ids.event(),
    $causationId: ids.event(),
    actor: { kind: 'system', id: 'health' },
    prev: null,
  } as const;
  const event = { id: ids.event(), type: 'Probed', data: {}, metadata };
  await Promise.all([events.head(), refused(events, event)]);
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

/** A disk that is full can still be read. */
const probeDocuments = async ({ clock, documents: { tables } }: Core): Promise<void> => {
  const found = await tables.read('health', 'checked');
  const row = { at: clock.now().toISOString() };
  await (found
    ? tables.replace('health', 'checked', found.version, row)
    : tables.insert('health', 'checked', row));
};

/** How long a look at the read models waits for what has just been appended. */
const BEHIND_MS = 1_500;

/** What GET /health/ready asks: whether the process has begun, whether its parts are there, and whether it shows what is in the log. */
export const checksOf = (
  { log, progress, outages }: Core,
  probes: Probes,
  roles: readonly Role[],
  hasBegun: () => boolean,
): Checks => {
  const parts = Object.keys(probes).map(
    (part) => [part, () => outages.probe(part).then(() => null)] as const,
  );
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
