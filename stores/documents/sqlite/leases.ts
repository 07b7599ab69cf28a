import type { Transact } from '../../sqlite/transact.ts';
import type { Fence, Leases } from '../port.ts';
import type { Claims } from './claims.ts';
import type { LeaseBook } from './leaseBook.ts';

/** Leases and claims as the port has them, each act in a transaction. */
export const sqliteLeases = (leases: LeaseBook, claims: Claims, transact: Transact): Leases => {
  const acquire = (lease: string, owner: string, leaseMs: number): Fence | null => {
    leases.sweep();
    const holder = leases.holder(lease);
    if (!holder) return leases.grant(lease, owner, leaseMs);
    return holder.owner === owner && leases.extend(holder, leaseMs) ? holder : null;
  };
  const take = (lease: string, owner: string, leaseMs: number): Fence => {
    const holder = leases.holder(lease);
    if (holder) leases.release(holder);
    return leases.grant(lease, owner, leaseMs);
  };
  return {
    take: (lease, owner, leaseMs) => transact(() => take(lease, owner, leaseMs)),
    acquire: (lease, owner, leaseMs) => transact(() => acquire(lease, owner, leaseMs)),
    renew: (fence, leaseMs) => transact(() => leases.extend(fence, leaseMs)),
    release: (fence) => transact(() => leases.release(fence)),
    breakAll: () => transact(() => leases.releaseAll()),
    claim: (claim) => transact(() => claims(claim)),
  };
};
