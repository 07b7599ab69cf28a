import { supervise } from '../kernel/supervise.ts';
import { runWorker, type WorkerOptions } from '../reactors/engine/worker.ts';
import { claimWhileAvailable } from '../stores/availability/availability.ts';
import type { Capacity } from '../stores/documents/port.ts';
import type { Core } from './wire.ts';

/** `needs`: the parts without which nothing is claimed. */
type Options<D> = Readonly<{
  name: string;
  queue: string;
  needs: readonly string[];
  capacity(running: number): Capacity;
  work: WorkerOptions<D>['work'];
  signal: AbortSignal;
}>;

/** Runs a worker on a queue until the signal is aborted. */
export const workerLoop = <D>(
  { documents: { leases }, availability, owner, progress, report }: Core,
  { name, queue, needs, capacity, work, signal }: Options<D>,
): Promise<void> => {
  const common = { queue, owner, leases, progress, report, work };
  const available = claimWhileAvailable(availability, needs, capacity);
  const run = (inner: AbortSignal) => runWorker<D>({ ...common, capacity: available, signal: inner });
  return supervise(name, run, signal, report);
};
