import { supervise } from '../kernel/supervise.ts';
import { runWorker, type WorkerOptions } from '../reactors/engine/worker.ts';
import { claimWhileAvailable } from '../stores/availability/availability.ts';
import { tracedWork } from '../telemetry/traced.ts';
import type { Core } from './wire.ts';

/** What a loop takes of the core for its worker. */
export type WorkerCore = Pick<
  Core,
  'documents' | 'availability' | 'owner' | 'progress' | 'report' | 'tracing'
>;

/** `needs`: the parts without which nothing is claimed. */
type Options<D> = Omit<WorkerOptions<D>, 'owner' | 'leases' | 'progress' | 'report'> &
  Readonly<{ name: string; needs: readonly string[] }>;

/** Runs a worker on a queue until the signal is aborted. */
export const workerLoop = <D>(
  { documents: { leases }, availability, owner, progress, report, tracing }: WorkerCore,
  { name, needs, ...options }: Options<D>,
): Promise<void> => {
  const capacity = claimWhileAvailable(availability, needs, options.capacity);
  const work = tracedWork(options.work, tracing, options.queue);
  const run = (signal: AbortSignal) =>
    runWorker<D>({ ...options, work, owner, leases, progress, report, capacity, signal });
  return supervise(name, run, options.signal, report);
};
