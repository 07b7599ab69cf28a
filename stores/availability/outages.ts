import { isPassing, StoreDamaged, StoreUnavailable } from '../../kernel/errors.ts';
import type { Report } from '../../kernel/report.ts';
import { pause } from '../../kernel/signals.ts';

/**
 * Looks at the parts of the service, by name: each throws while it can't be used. One that calls `canRead`
 * before it throws has found that its part can be read all the same: a disk is full, a server takes no
 * writes.
 */
export type Probes = Readonly<Record<string, (canRead?: () => void) => Promise<void>>>;

/**
 * Knows which parts of the service are away, and tells the log once when one goes and once when it is back: every loop and every request
 * meets the same outage, and none of them needs to tell. Nothing is known before `watch` is called.
 */
export type Outages = Readonly<{
  /** True for an outage, which is looked into and told of here; false for any other error, and while nobody watches. */
  suspect(error: unknown): boolean;
  /** The parts that were away when they were looked at last. */
  away(): readonly string[];
  /** Those of them that could not even be read. */
  unreadable(): readonly string[];
  /** What was wrong with a part when it was looked at last; null for one that was well. */
  reason(part: string): unknown;
  /** Looks at one part. Throws what is wrong with it. */
  probe(part: string): Promise<void>;
  /** Looks at every part. Throws what is wrong with one, first what waiting does not mend. */
  look(): Promise<void>;
  /** Looks at the parts when an outage is suspected, and on until all are back; ends when the signal is aborted. */
  watch(probes: Probes, signal: AbortSignal): Promise<void>;
}>;

/** Between two looks: an outage, and its end, are seen within that time and what the look takes. */
const LOOK_MS = 500;
/** A part that takes longer to answer than this keeps no look at the others waiting. */
const SILENT_MS = 2_000;
/** What fails again and again, though its part is well, is told so often at most. */
const PASSED_MS = 60_000;
/** What waited for a part may learn so long after its return that it had waited in vain. */
const STRAGGLE_MS = 15_000;

type Away = Readonly<{ since: number; kind: string; readable: boolean; error: unknown }>;

/** The outages of one process; `told` hears of each part whether it is away. */
export const createOutages = (report: Report, told: (part: string, isAway: boolean) => void): Outages => {
  const away = new Map<string, Away>();
  const passed = new Map<string, number>();
  const wellAt = new Map<string, number>();
  let probes: Probes = {};
  let watching = false;
  let suspected: Error | null = null;
  let lastEnd = Number.NEGATIVE_INFINITY;

  const failed = (part: string, error: unknown, asked: number, canRead: boolean): void => {
    // It waited for an answer while a later look had one, or until nobody wants to know.
    if (!watching || (wellAt.get(part) ?? asked) > asked) return;
    const kind = error instanceof Error ? error.name : typeof error;
    const known = away.get(part);
    // Nothing that a damaged file gives can be trusted.
    const readable = canRead && !(error instanceof StoreDamaged);
    away.set(part, { since: known?.since ?? performance.now(), kind, readable, error });
    told(part, true);
    if (known?.kind !== kind)
      report.error('a part of the service can’t be used', { part, readable, err: error });
  };
  const succeeded = (part: string): void => {
    wellAt.set(part, performance.now());
    told(part, false);
    const known = away.get(part);
    if (!known) return;
    away.delete(part);
    lastEnd = performance.now();
    const awayMs = Math.round(lastEnd - known.since);
    report.info('a part of the service can be used again', { part, awayMs });
  };
  const probe = async (part: string): Promise<void> => {
    const asked = performance.now();
    let canRead = false;
    try {
      await probes[part]?.(() => {
        canRead = true;
      });
    } catch (error) {
      failed(part, error, asked, canRead);
      throw error;
    }
    succeeded(part);
  };
  const look = async (): Promise<void> => {
    const ends = await Promise.allSettled(Object.keys(probes).map(probe));
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (reasons.length > 0) throw reasons.find((reason) => !isPassing(reason)) ?? reasons[0];
  };
  /** All is well again: what was met must be told now or never. */
  const tellPassed = (error: Error): void => {
    const now = performance.now();
    if (now - lastEnd < STRAGGLE_MS) return;
    for (const [message, at] of passed) if (now - at > PASSED_MS) passed.delete(message);
    if (!passed.has(error.message)) {
      if (error instanceof StoreDamaged) report.error('a file is damaged', { err: error });
      else report.warn('a store failed for a moment', { err: error });
    }
    passed.set(error.message, passed.get(error.message) ?? now);
  };
  return {
    suspect: (error) => {
      if (!watching || !isOutage(error)) return false;
      suspected = error;
      return true;
    },
    away: () => [...away.keys()],
    reason: (part) => away.get(part)?.error ?? null,
    unreadable: () => [...away].flatMap(([part, { readable }]) => (readable ? [] : [part])),
    probe,
    look,
    watch: async (parts, signal) => {
      probes = parts;
      watching = true;
      for (const part of Object.keys(parts)) told(part, false);
      while (!signal.aborted) {
        const [met, wasWell] = [suspected, away.size === 0];
        suspected = null;
        if (met || !wasWell) {
          const looked = look().then(
            () => true,
            () => false, // `failed` has told of it
          );
          const isWell = await Promise.race([looked, pause(SILENT_MS, signal)]);
          if (isWell && wasWell && met) tellPassed(met);
          // Not known yet: the next look will tell.
          if (isWell === undefined) suspected ??= met;
        }
        await pause(LOOK_MS, signal);
      }
      watching = false;
    },
  };
};

const isOutage = (error: unknown): error is StoreUnavailable => error instanceof StoreUnavailable;
