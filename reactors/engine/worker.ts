import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreDamaged, StoreUnavailable } from '../../kernel/errors.ts';
import type { Position } from '../../kernel/event.ts';
import type { Report } from '../../kernel/report.ts';
import { pause } from '../../kernel/signals.ts';
import type { Progress } from '../../projections/engine/progress.ts';
import { holding, LEASE_MS } from '../../stores/documents/lease.ts';
import type { Capacity, Claimed, Leases } from '../../stores/documents/port.ts';

export type WorkerOptions<D> = Readonly<{
  /** The queue: a read model of due work. */
  queue: string;
  owner: string;
  leases: Leases;
  progress: Progress;
  report: Report;
  signal: AbortSignal;
  capacity(running: number): Capacity;
  /** How often work that falls due without any event is looked for, in milliseconds (250, unless given). */
  pollMs?: number;
  /** Does one item; gives the position of what it appended, null when there was nothing to do. */
  work(item: Claimed<D>, signal: AbortSignal): Promise<Position | null>;
}>;

const POLL_MS = 250;
/** How long work that threw stays leased, and the pause after a claim that failed. */
const RETRY_MS = 1_000;
/** How long the lease of finished work is kept until the queue includes its end. */
const VISIBLE_MS = 5_000;

/**
 * Claims due work and does it, as much at once as there is capacity, until the signal is aborted; then it
 * waits for what is under way. Work that throws is reported and stays due: it is claimed again after a
 * second, and so is an unavailable store tried again.
 */
export const runWorker = async <D>(options: WorkerOptions<D>): Promise<void> => {
  const { signal, progress, pollMs = POLL_MS } = options;
  const tasks = new Set<Promise<void>>();
  let running = 0;
  const wakeUp = createWakeUp(signal);
  const unwatch = progress.watch((changed) => {
    if (changed === null || changed.has(options.queue)) wakeUp.trigger();
  });
  try {
    while (!signal.aborted) {
      const free = options.capacity(running);
      const claimed = await claim(options, free);
      for (const item of claimed) {
        running += 1;
        // Before its lease is released: the release and the next claim share a transaction.
        const onEnd = (): void => {
          running -= 1;
          wakeUp.trigger();
        };
        const task = perform(options, item, onEnd).finally(() => tasks.delete(task));
        tasks.add(task);
      }
      // Claims and work on embedded stores may all complete within one turn of the event loop.
      const isAll = claimed.length === 0 || isAllDue(free, claimed.length);
      await (isAll ? wakeUp.wait(pollMs) : nextTurn());
    }
  } finally {
    unwatch();
    wakeUp.end();
    await Promise.all(tasks);
  }
};

const claim = async <D>(
  { queue, owner, leases, report, signal }: WorkerOptions<D>,
  free: Capacity,
): Promise<readonly Claimed<D>[]> => {
  if (free.limit <= 0) return [];
  try {
    return await leases.claim<D>({ collection: queue, owner, leaseMs: LEASE_MS, ...free });
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error instanceof StoreDamaged) throw error;
    report.warn('due work can’t be claimed', { queue, err: error });
    await pause(RETRY_MS, signal);
    return [];
  }
};

/**
 * Whether a claim that gave so many has taken all that was due: no limit was reached, nothing passed over.
 */
const isAllDue = ({ limit, perLane, perTenant = limit, skip, skipTenants = [] }: Capacity, claimed: number) =>
  skip.length + skipTenants.length === 0 && claimed < Math.min(limit, perLane, perTenant);

const perform = async <D>(options: WorkerOptions<D>, item: Claimed<D>, onEnd: () => void): Promise<void> => {
  const { leases, report, signal, queue } = options;
  try {
    await holding(leases, item.fence, signal, (leased) => attempt(options, item, leased).finally(onEnd));
  } catch (error) {
    report.error('the lease of a work item was not released and will expire', {
      queue,
      id: item.id,
      err: error,
    });
  }
};

const attempt = async <D>(
  { work, progress, report, signal, queue }: WorkerOptions<D>,
  item: Claimed<D>,
  leased: AbortSignal,
): Promise<void> => {
  try {
    const position = await work(item, leased);
    if (position !== null) return void (await progress.reached(position, VISIBLE_MS));
    // The queue is behind the log: without a pause the same work would be claimed again at once.
    await pause(POLL_MS, leased);
  } catch (error) {
    if (signal.aborted) return;
    report.error('a work item failed and stays due', { queue, id: item.id, err: error });
    // Under the lease: what fails at once must not be claimed again at once.
    await pause(RETRY_MS, leased);
  }
};

/** A pause that `trigger` ends, also one that is still to come. */
const createWakeUp = (signal: AbortSignal) => {
  let isTriggered = false;
  let wake: (() => void) | null = null;
  const trigger = (): void => {
    isTriggered = true;
    wake?.();
  };
  signal.addEventListener('abort', trigger);
  return {
    trigger,
    wait: async (ms: number): Promise<void> => {
      await new Promise<void>((resolve) => {
        if (isTriggered || signal.aborted) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      [isTriggered, wake] = [false, null];
    },
    end: (): void => signal.removeEventListener('abort', trigger),
  };
};
