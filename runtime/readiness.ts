import type { Checks } from '../http/routes/health.ts';
import { StoreDamaged, StoreUnavailable } from '../kernel/errors.ts';
import { scrubbed } from '../kernel/scrub.ts';
import { within } from '../kernel/timeLimit.ts';
import type { Progress } from '../projections/engine/progress.ts';
import type { Availability, Probes } from '../stores/availability/availability.ts';
import type { EventLog } from '../stores/events/log.ts';

type Ports = Readonly<{
  log: Pick<EventLog, 'head'>;
  progress: Progress;
  availability: Pick<Availability, 'unavailable' | 'unreadable' | 'reason' | 'probe'>;
  /** The parts that the process needs. */
  probes: Probes;
  /** Whether it needs the read models to be up to date. */
  needsReadModels: boolean;
  hasStarted(): boolean;
}>;

/** A part that takes longer to fail than this has mostly failed before. */
const KNOWN_MS = 1_500;

/** How long the read models may take to show what has just been appended. */
const BEHIND_MS = 1_500;

/**
 * What GET /health/ready checks: that the process has started, its parts are available, and the read models
 * up to date.
 */
export const readinessChecks = (ports: Ports): Checks => {
  const { log, progress, probes, needsReadModels, hasStarted } = ports;
  const parts = Object.keys(probes).map((part) => [part, () => checkPart(ports, part)] as const);
  const projections = async (): Promise<string | null> => {
    const head = await log.head();
    const isUpToDate = head === null || (await progress.reached(head, BEHIND_MS));
    return isUpToDate ? null : 'the read models are behind the log';
  };
  return {
    start: async () => (hasStarted() ? null : 'the process waits for its parts'),
    ...Object.fromEntries(parts),
    ...(needsReadModels ? { projections } : {}),
  };
};

/** Probes a part; of one that hangs it gives the error of its last probe. */
const checkPart = ({ availability }: Ports, part: string): Promise<string | null> => {
  const isReadable = (): boolean =>
    availability.unavailable().includes(part) && !availability.unreadable().includes(part);
  const probed = availability.probe(part).then(
    () => null,
    (error: unknown) => detailOf(error, isReadable),
  );
  return within(probed, KNOWN_MS, () => {
    const reason = availability.reason(part);
    return reason === null ? probed : detailOf(reason, isReadable);
  });
};

/**
 * A damaged file is named, as only a person can mend it. Throws an error that says nothing about the part.
 */
const detailOf = (error: unknown, isReadable: () => boolean): string => {
  if (isReadable() && !(error instanceof StoreDamaged)) return 'it can be read, and takes no writes';
  const detail = publicDetail(error);
  if (detail === null) throw error;
  return detail;
};

/**
 * What an answer may say of why a part is unavailable; null for an error that says nothing about the part.
 */
export const publicDetail = (error: unknown): string | null => {
  if (error instanceof StoreDamaged) return error.brief;
  return error instanceof StoreUnavailable ? scrubbed(error.message) : null;
};
