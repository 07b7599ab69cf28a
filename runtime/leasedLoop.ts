import { supervise } from '../kernel/supervise.ts';
import { underLease } from '../stores/documents/lease.ts';
import type { Fence } from '../stores/documents/port.ts';
import type { Core } from './wire.ts';

/** What the holder of a lease takes of the core. */
export type LeaseCore = Pick<Core, 'documents' | 'owner' | 'report'>;

/** Runs a loop on the one process that holds its lease, until the signal is aborted. */
export const leasedLoop = (
  { documents, owner, report }: LeaseCore,
  name: string,
  lease: string,
  run: (fence: Fence, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> =>
  supervise(name, (outer) => underLease(documents.leases, lease, owner, outer, run), signal, report);
