import { LeaseLost } from '../../../kernel/errors.ts';
import { pause } from '../../../kernel/signals.ts';
import { holding, LEASE_MS } from '../../../stores/documents/lease.ts';
import type { Fence, Leases } from '../../../stores/documents/port.ts';
import type { FoldPorts } from '../foldLog.ts';
import { LIVE_LEASE } from '../live.ts';
import type { Projection } from '../projection.ts';
import { servedReadModels } from '../readModels.ts';
import { dropRetired, hasRetired, type RebuildEvent, type RebuildPorts, rebuild } from './rebuild.ts';
import { REBUILD_LEASE } from './registry.ts';
import { type Retried, type RetryPorts, retryQuarantined } from './retry.ts';

/** A read model is not served as this release makes it: only a rebuild helps. */
export class NotLive extends Error {
  override readonly name = 'NotLive';

  constructor(projection: string) {
    super(`${projection} is not served as this release makes it.`);
  }
}

/** Another process holds the rebuild lease. */
export class RebuildInProgress extends Error {
  override readonly name = 'RebuildInProgress';
}

type LeasedOptions = FoldPorts &
  Readonly<{
    owner: string;
    signal: AbortSignal;
    /** Events committed together: more are faster, and block the event loop for longer. */
    page: number;
    /** Events read and folded together, unless `page` is less (500, unless given). */
    read?: number;
    /** How long to wait for the rebuild lease, in milliseconds: a process that died holds it for 15 s. */
    patienceMs: number;
  }>;

type RebuildOptions = LeasedOptions &
  Readonly<{
    onEvent(event: RebuildEvent): void;
    /** How long the old collections stay after the swap, in milliseconds: queries may still read them. */
    graceMs: number;
    /**
     * Whether any process answers queries (yes, unless given): without one the old collections go at once.
     */
    isServed?(): Promise<boolean>;
    /** Start again even if an earlier rebuild was not finished. */
    anew?: boolean;
  }>;

const POLL_MS = 500;
/** Enough for the lease of a dead process to expire. */
export const PATIENCE_MS = LEASE_MS + 2_000;

/**
 * Rebuilds read models and drops the old collections. False when the signal cancelled it. Throws
 * `RebuildInProgress`, and `LeaseLost` when another process has taken over.
 */
export const runRebuild = async (
  options: RebuildOptions,
  projections: readonly Projection[],
): Promise<boolean> => {
  const { documents, onEvent, anew } = options;
  let serves = false;
  const run = async (ports: RetryPorts): Promise<boolean> => {
    await dropRetired({ documents, onEvent }, projections);
    serves = await rebuild({ ...ports, onEvent, random: Math.random }, projections, anew);
    if (serves) await dropLater(options, projections, ports.signal);
    return serves;
  };
  try {
    return await leased(options, false, run, () => onEvent({ event: 'waiting' }));
  } catch (error) {
    // After the swap the new holder of the lease drops the old collections.
    if (serves && error instanceof LeaseLost) return true;
    throw error;
  }
};

const dropLater = async (
  { documents, onEvent, graceMs, isServed = async () => true }: RebuildOptions,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<void> => {
  if (!(await hasRetired(documents, projections))) return;
  if (await isServed()) await pause(graceMs, signal);
  if (!signal.aborted) await dropRetired({ documents, onEvent }, projections);
};

/** Drops the collections that a rebuild has retired but not dropped. Throws what `runRebuild` throws. */
export const runDrop = async (
  options: Omit<RebuildOptions, 'anew'>,
  projections: readonly Projection[],
): Promise<void> => {
  if (!(await hasRetired(options.documents, projections))) return;
  await leased(options, undefined, ({ signal }) => dropLater(options, projections, signal));
};

/**
 * Folds the quarantined documents of a projection again, or one of them. Null when cancelled. Throws
 * `NotLive`, and what `runRebuild` throws.
 */
export const runRetry = (
  options: LeasedOptions,
  projection: Projection,
  document: string | null = null,
): Promise<Retried | null> =>
  leased(options, null, async (ports) => {
    const [readModel] = await servedReadModels([projection], options.documents.models);
    if (readModel?.state !== 'live') throw new NotLive(projection.name);
    return retryQuarantined(ports, readModel, document);
  });

const leased = async <T>(
  options: LeasedOptions,
  cancelled: T,
  run: (ports: RetryPorts) => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<T> => {
  const { owner, signal } = options;
  const { leases } = options.documents;
  const fence = await acquired(options, onWait);
  if (!fence && signal.aborted) return cancelled;
  if (!fence) throw new RebuildInProgress('Another process rebuilds read models at this moment.');
  return holdingOrThrow(leases, fence, signal, (held) => {
    const withLivePaused: RebuildPorts['withLivePaused'] = (body) => pauseLive(leases, owner, held, body);
    return run({ ...options, fence, signal: held, withLivePaused });
  });
};

/** The rebuild lease; null when it is not free within `patienceMs`, or the signal is aborted. */
const acquired = async (
  { documents: { leases }, owner, signal, patienceMs }: LeasedOptions,
  onWait: () => void,
): Promise<Fence | null> => {
  const until = performance.now() + patienceMs;
  for (let attempts = 0; ; attempts += 1) {
    const fence = await leases.acquire(REBUILD_LEASE, owner, LEASE_MS);
    if (fence || signal.aborted || performance.now() >= until) return fence;
    if (attempts === 0) onWait();
    await pause(POLL_MS, signal);
  }
};

/** As `holding`, but throws `LeaseLost` when the lease was lost. */
const holdingOrThrow = <T>(
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

/** Takes the lease of the live read models from its holder, who acquires it again afterwards. */
const pauseLive = async <T>(
  leases: Leases,
  owner: string,
  signal: AbortSignal,
  body: (fence: Fence, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const fence = await leases.take(LIVE_LEASE, `${owner} (rebuild)`, LEASE_MS);
  return holdingOrThrow(leases, fence, signal, (held) => body(fence, held));
};
