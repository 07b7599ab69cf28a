import type { Clock } from '../../kernel/clock.ts';
import { isPassing, StoreDamaged, StoreUnavailable } from '../../kernel/errors.ts';
import type { Report } from '../../kernel/report.ts';
import { pause } from '../../kernel/signals.ts';
import type { Capacity } from '../documents/port.ts';

/**
 * Probes of the parts of the service, by name: each throws while its part can't be used. One that calls
 * `canRead` before it throws has found that its part can still be read: a disk is full, a server takes no
 * writes.
 */
export type Probes = Readonly<Record<string, (canRead?: () => void) => Promise<void>>>;

export type Availability = Readonly<ReturnType<typeof createAvailability>>;

/** Between two probes: an outage and its end are found within that time and what a probe takes. */
const POLL_MS = 500;
/** A part that takes longer to answer than this does not hold up the probes of the others. */
const SILENT_MS = 2_000;
/** An error that returns again and again, though its part is available, is logged once in this time. */
const REPEATED_MS = 60_000;
/** What waited for a part may fail so long after its return. */
const STRAGGLE_MS = 15_000;

/** How many outages are remembered that have ended. */
const KEPT = 20;

type Ongoing = Readonly<{ since: number; from: string; kind: string; readable: boolean; error: unknown }>;

/**
 * An outage of a part, with the error of its last probe; `until` is null while it lasts. Times in ISO 8601.
 */
export type Outage = Readonly<{ part: string; until: string | null }> &
  Pick<Ongoing, 'from' | 'readable' | 'error'>;

/**
 * Which parts of the service are unavailable, as one process finds it. An outage is logged once when it
 * starts and once when it ends, whatever number of loops and requests it fails. Nothing is known before
 * `watch` is called. `onProbed` is called after each probe.
 */
export const createAvailability = (
  report: Report,
  onProbed: (part: string, isUnavailable: boolean) => void,
  clock: Clock,
) => {
  const outages = new Map<string, Ongoing>();
  let ended: readonly Outage[] = [];
  const logged = new Map<string, number>();
  const succeededAt = new Map<string, number>();
  let probes: Probes = {};
  let watching = false;
  let suspected: Error | null = null;
  let lastEnd = Number.NEGATIVE_INFINITY;

  const failed = (part: string, error: unknown, started: number, canRead: boolean): void => {
    // It waited for an answer while a later probe had one, or until nothing was watched any more.
    if (!watching || (succeededAt.get(part) ?? started) > started) return;
    const kind = error instanceof Error ? error.name : typeof error;
    const outage = outages.get(part);
    // Nothing that a damaged file gives can be trusted.
    const readable = canRead && !(error instanceof StoreDamaged);
    const { since = performance.now(), from = clock.now().toISOString() } = outage ?? {};
    outages.set(part, { since, from, kind, readable, error });
    onProbed(part, true);
    if (outage?.kind !== kind)
      report.error('a part of the service can’t be used', { part, readable, err: error });
  };
  const succeeded = (part: string): void => {
    succeededAt.set(part, performance.now());
    onProbed(part, false);
    const outage = outages.get(part);
    if (!outage) return;
    outages.delete(part);
    ended = [outageOf(part, outage, clock.now().toISOString()), ...ended.slice(0, KEPT - 1)];
    lastEnd = performance.now();
    const outageMs = Math.round(lastEnd - outage.since);
    report.info('a part of the service can be used again', { part, outageMs });
  };
  /** Probes one part. Throws its error. */
  const probe = async (part: string): Promise<void> => {
    const started = performance.now();
    let canRead = false;
    try {
      await probes[part]?.(() => {
        canRead = true;
      });
    } catch (error) {
      failed(part, error, started, canRead);
      throw error;
    }
    succeeded(part);
  };
  /** Probes every part. Throws one of their errors, first one that waiting does not mend. */
  const probeAll = async (): Promise<void> => {
    const ends = await Promise.allSettled(Object.keys(probes).map(probe));
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (reasons.length > 0) throw reasons.find((reason) => !isPassing(reason)) ?? reasons[0];
  };
  /** Every part is available again: what failed is logged now or never. */
  const logPassed = (error: Error): void => {
    const now = performance.now();
    if (now - lastEnd < STRAGGLE_MS) return;
    for (const [message, at] of logged) if (now - at > REPEATED_MS) logged.delete(message);
    if (!logged.has(error.message)) {
      if (error instanceof StoreDamaged) report.error('a file is damaged', { err: error });
      else report.warn('a store failed for a moment', { err: error });
    }
    logged.set(error.message, logged.get(error.message) ?? now);
  };
  return {
    /**
     * True for an outage, which is then probed and logged here; false for any other error, and while nothing
     * is watched.
     */
    suspect: (error: unknown): boolean => {
      if (!watching || !(error instanceof StoreUnavailable)) return false;
      suspected = error;
      return true;
    },
    /** The parts whose last probe failed. */
    unavailable: (): readonly string[] => [...outages.keys()],
    /** Those of them that could not be read either. */
    unreadable: (): readonly string[] =>
      [...outages].flatMap(([part, { readable }]) => (readable ? [] : [part])),
    /** The error of a part's last probe; null when it succeeded. */
    reason: (part: string): unknown => outages.get(part)?.error ?? null,
    /** The parts that are watched. */
    parts: (): readonly string[] => Object.keys(probes),
    /** The outages that last, then the last 20 that have ended, newest first. */
    outages: (): readonly Outage[] => [
      ...[...outages].map(([part, outage]) => outageOf(part, outage, null)),
      ...ended,
    ],
    probe,
    probeAll,
    /** Probes the parts when an outage is suspected, and on until it has ended; ends with the signal. */
    watch: async (parts: Probes, signal: AbortSignal): Promise<void> => {
      probes = parts;
      watching = true;
      for (const part of Object.keys(parts)) onProbed(part, false);
      while (!signal.aborted) {
        const [suspect, wasAvailable] = [suspected, outages.size === 0];
        suspected = null;
        if (suspect || !wasAvailable) {
          const probed = probeAll().then(
            () => true,
            () => false, // `failed` has logged it
          );
          const isAvailable = await Promise.race([probed, pause(SILENT_MS, signal)]);
          if (isAvailable && wasAvailable && suspect) logPassed(suspect);
          // Undecided: the next probe finds out.
          if (isAvailable === undefined) suspected ??= suspect;
        }
        await pause(POLL_MS, signal);
      }
      watching = false;
    },
  };
};

const outageOf = (part: string, { from, readable, error }: Ongoing, until: string | null): Outage => ({
  ...{ part, from, until, readable, error },
});

/**
 * Claims nothing while one of these parts is unavailable: each work item would fail, and count as an attempt.
 */
export const claimWhileAvailable =
  (availability: Availability, parts: readonly string[], capacity: (running: number) => Capacity) =>
  (running: number): Capacity =>
    availability.unavailable().some((part) => parts.includes(part))
      ? { limit: 0, perLane: 0, skip: [] }
      : capacity(running);
