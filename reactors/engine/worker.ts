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
  /** Does one piece of work; gives the position of what it appended, null when there was nothing to do. */
  work(item: Claimed<D>, signal: AbortSignal): Promise<Position | null>;
}>;

/** How often a worker looks for work that fell due without any event. */
const LOOK_MS = 250;
/** How long work that threw is held before it can be claimed again, and how long a store that is away is left alone. */
const AGAIN_MS = 1_000;
/** How long finished work is held until the queue shows that it is done. */
const SHOW_MS = 5_000;

/**
 * Claims due work and does it, as much at once as there is capacity, until the signal is aborted; then it waits for what is under
 * way. A piece that throws is reported and stays due: it is claimed again after a second. A store that is away is asked again after as long:
 * what is under way, which may take its time, holds up nobody then.
 */
export const runWorker = async <D>(options: WorkerOptions<D>): Promise<void> => {
  const { signal, progress } = options;
  const running = new Set<Promise<void>>();
  const bell = createBell();
  const unwatch = progress.watch((changed) => {
    if (changed === null || changed.has(options.queue)) bell.ring();
  });
  try {
    while (!signal.aborted) {
      const claimed = await claim(options, running.size);
      for (const item of claimed) {
        const task = perform(options, item).finally(() => {
          running.delete(task);
          bell.ring();
        });
        running.add(task);
      }
      // Claims and work on embedded stores may all be done within one turn: others must have theirs.
      await (claimed.length === 0 ? bell.wait(LOOK_MS, signal) : nextTurn());
    }
  } finally {
    unwatch();
    await Promise.all(running);
  }
};

const claim = async <D>(options: WorkerOptions<D>, running: number): Promise<readonly Claimed<D>[]> => {
  const { queue, owner, leases, capacity, report, signal } = options;
  const free = capacity(running);
  if (free.limit <= 0) return [];
  try {
    return await leases.claim<D>({ collection: queue, owner, leaseMs: LEASE_MS, ...free });
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error instanceof StoreDamaged) throw error;
    report.warn('due work can’t be claimed', { queue, err: error });
    await pause(AGAIN_MS, signal);
    return [];
  }
};

const perform = async <D>(options: WorkerOptions<D>, item: Claimed<D>): Promise<void> => {
  const { leases, report, signal, queue } = options;
  try {
    await holding(leases, item.fence, signal, (held) => attempt(options, item, held));
  } catch (error) {
    report.error('the lease of a piece of work was not released and will run out', {
      queue,
      id: item.id,
      err: error,
    });
  }
};

const attempt = async <D>(
  { work, progress, report, signal, queue }: WorkerOptions<D>,
  item: Claimed<D>,
  held: AbortSignal,
): Promise<void> => {
  try {
    const position = await work(item, held);
    if (position !== null) return void (await progress.reached(position, SHOW_MS));
    // The queue is behind the log: without a rest the same work would be claimed again at once.
    await pause(LOOK_MS, held);
  } catch (error) {
    if (signal.aborted) return;
    report.error('a piece of work failed and stays due', { queue, id: item.id, err: error });
    // While the lease is held: what fails at once must not be claimed again at once.
    await pause(AGAIN_MS, held);
  }
};

const createBell = () => {
  let rung = false;
  let wake = (): void => undefined;
  const ring = (): void => {
    rung = true;
    wake();
  };
  const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (!rung && !signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', wake);
      });
    signal.removeEventListener('abort', wake);
    rung = false;
    wake = () => undefined;
  };
  return { ring, wait };
};
