import { LeaseLost } from '../../../kernel/errors.ts';
import { pause } from '../../../kernel/signals.ts';
import { holding, LEASE_MS } from '../../../stores/documents/lease.ts';
import type { DocumentStore, Fence, Leases } from '../../../stores/documents/port.ts';
import type { EventLog } from '../../../stores/events/log.ts';
import { LIVE_LEASE } from '../live.ts';
import type { Projection } from '../projection.ts';
import type { ReadModel } from '../readModels.ts';
import { dropRetired, hasRetired, type RebuildEvent, type Rebuilding, rebuild } from './rebuild.ts';
import { REBUILD_LEASE } from './registry.ts';
import { type Retried, retryQuarantined } from './retry.ts';

/** Another process rebuilds already; only one does at a time. */
export class RebuildInProgress extends Error {
  override readonly name = 'RebuildInProgress';
}

type BesideOptions = Readonly<{
  log: EventLog;
  documents: DocumentStore;
  owner: string;
  signal: AbortSignal;
  /** Events committed at once: more are faster, and take longer turns of the event loop. */
  page: number;
  /** Events read and folded at once, unless `page` is less (500, unless told). */
  read?: number;
  /** How long to wait for another rebuild's lease, in milliseconds: one that died keeps it for 15 s. */
  patienceMs: number;
}>;

type RebuildOptions = BesideOptions &
  Readonly<{
    tell(event: RebuildEvent): void;
    /** How long the old collections stay after the swap, in milliseconds: who has begun to read one may still go on in it. */
    graceMs: number;
    /** Begin again even if an earlier rebuild was left unfinished. */
    anew?: boolean;
  }>;

const LOOK_MS = 500;
/** Enough for the lease of one that died to run out. */
export const PATIENCE_MS = LEASE_MS + 2_000;

/**
 * Rebuilds read models beside the live ones, and drops the old collections after a grace period. False when it was cancelled by the signal. Throws
 * `RebuildInProgress`, and `LeaseLost` when another process has taken over.
 */
export const runRebuild = async (
  options: RebuildOptions,
  projections: readonly Projection[],
): Promise<boolean> => {
  const { documents, tell, anew } = options;
  let serves = false;
  const run = async (ports: BesidePorts): Promise<boolean> => {
    await dropRetired({ documents, tell }, projections);
    serves = await rebuild({ ...ports, tell, random: Math.random }, projections, anew);
    if (serves) await dropLater(options, projections, ports.signal);
    return serves;
  };
  try {
    return await beside(options, false, run, () => tell({ event: 'waiting' }));
  } catch (error) {
    // What serves does: whoever has the lease now drops what is left.
    if (serves && error instanceof LeaseLost) return true;
    throw error;
  }
};

const dropLater = async (
  { documents, tell, graceMs }: RebuildOptions,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<void> => {
  if (await hasRetired(documents, projections)) await pause(graceMs, signal);
  if (!signal.aborted) await dropRetired({ documents, tell }, projections);
};

/** Drops what served before a rebuild that has ended early. Throws what `runRebuild` throws. */
export const runDrop = async (
  options: Omit<RebuildOptions, 'anew'>,
  projections: readonly Projection[],
): Promise<void> => {
  if (!(await hasRetired(options.documents, projections))) return;
  await beside(options, undefined, ({ signal }) => dropLater(options, projections, signal));
};

/**
 * Folds the quarantined documents of a live read model again. Null when it was cancelled by the signal. Throws what `runRebuild` throws.
 */
export const runRetry = (options: BesideOptions, target: ReadModel): Promise<Retried | null> =>
  beside(options, null, (ports) => retryQuarantined(ports, target));

type BesidePorts = Omit<Rebuilding, 'tell' | 'random'>;

const beside = async <T>(
  { log, documents, owner, signal, page, read, patienceMs }: BesideOptions,
  cancelled: T,
  run: (ports: BesidePorts) => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<T> => {
  const { leases } = documents;
  const first = await leases.acquire(REBUILD_LEASE, owner, LEASE_MS);
  if (!first && patienceMs > 0) onWait();
  const fence = first ?? (await acquired(leases, owner, performance.now() + patienceMs, signal));
  if (!fence && signal.aborted) return cancelled;
  if (!fence) throw new RebuildInProgress('Another process rebuilds read models at this moment.');
  return under(leases, fence, signal, (held) => {
    const hold: Rebuilding['hold'] = (body) => pauseLive(leases, owner, held, body);
    return run({ log, documents, fence, signal: held, page, hold, ...(read === undefined ? {} : { read }) });
  });
};

const acquired = async (
  leases: Leases,
  owner: string,
  until: number,
  signal: AbortSignal,
): Promise<Fence | null> => {
  const fence = await leases.acquire(REBUILD_LEASE, owner, LEASE_MS);
  if (fence || signal.aborted || performance.now() >= until) return fence;
  await pause(LOOK_MS, signal);
  return acquired(leases, owner, until, signal);
};

/** As `holding`, but what ends early since the lease was lost throws `LeaseLost`. */
const under = <T>(
  leases: Leases,
  fence: Fence,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  holding(leases, fence, signal, async (held) => {
    const done = await run(held);
    if (!signal.aborted && held.reason instanceof LeaseLost) throw held.reason;
    return done;
  });

/** Takes the live read models' lease from whoever moves them; he stands by, and finds what has changed when it is released. */
const pauseLive = async <T>(
  leases: Leases,
  owner: string,
  signal: AbortSignal,
  body: (fence: Fence, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const fence = await leases.take(LIVE_LEASE, `${owner} (rebuild)`, LEASE_MS);
  return under(leases, fence, signal, (held) => body(fence, held));
};
