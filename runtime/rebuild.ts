import type { Projection } from '../projections/projection.ts';
import { dropRetired, type RebuildEvent, rebuild } from '../projections/rebuild/rebuild.ts';
import type { DocumentStore, Fence } from '../stores/documents/port.ts';
import { LeaseLost } from '../stores/errors.ts';
import type { EventLog } from '../stores/events/log.ts';
import { LIVE_LEASE } from './project.ts';
import { pause } from './signals.ts';
import { holding, LEASE_MS } from './supervise.ts';

/** Another process rebuilds already; only one does at a time. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';
}

type RebuildOptions = Readonly<{
  log: EventLog;
  documents: DocumentStore;
  owner: string;
  signal: AbortSignal;
  tell(event: RebuildEvent): void;
  /** Events folded at once: more are faster, and take longer turns of the event loop. */
  page: number;
  /** How long the old collections stay after the swap, in milliseconds: who has just asked one for a page may still ask it for more. */
  graceMs: number;
  /** Begin again even if an earlier rebuild was left unfinished. */
  anew?: boolean;
}>;

/** The lease of the one process that rebuilds. */
const LEASE = 'rebuild';

/**
 * Rebuilds read models beside the live ones, and drops the old collections after a grace period. False when it was cancelled by the signal. Throws
 * `RebuildUnderWay`, and `LeaseLost` when another process has taken over.
 */
export const rebuildBeside = async (
  options: RebuildOptions,
  projections: readonly Projection[],
): Promise<boolean> => {
  const { documents, owner, signal, tell, graceMs } = options;
  const { leases } = documents;
  const fence = await leases.acquire(LEASE, owner, LEASE_MS);
  if (!fence) throw new RebuildUnderWay('Another process rebuilds read models.');
  return holding(leases, fence, signal, async (held) => {
    const hold = <T>(body: (fence: Fence, signal: AbortSignal) => Promise<T>): Promise<T> =>
      holdLive(leases, owner, held, body);
    const rebuilding = { ...options, fence, signal: held, random: Math.random, hold };
    await dropRetired({ documents, tell }, projections);
    if (!(await rebuild(rebuilding, projections, options.anew))) return lostOrCancelled(held, signal);
    await pause(graceMs, held);
    if (!held.aborted) await dropRetired({ documents, tell }, projections);
    return true;
  });
};

/** Takes the live read models' lease from whoever moves them; he stands by, and finds what has changed when it is released. */
const holdLive = async <T>(
  leases: DocumentStore['leases'],
  owner: string,
  signal: AbortSignal,
  body: (fence: Fence, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const fence = await leases.take(LIVE_LEASE, `${owner} (rebuild)`, LEASE_MS);
  return holding(leases, fence, signal, (held) => body(fence, held));
};

const lostOrCancelled = (held: AbortSignal, cancelled: AbortSignal): false => {
  if (!cancelled.aborted && held.reason instanceof LeaseLost) throw held.reason;
  return false;
};
