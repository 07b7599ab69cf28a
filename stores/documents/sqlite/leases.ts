import type { Clock } from '../../../runtime/clock.ts';
import type { Database } from '../../sqlite/database.ts';
import type { Leases } from '../port.ts';
import { claims } from './claims.ts';
import type { Collections } from './collections.ts';
import type { LeaseBook } from './leaseBook.ts';

/** Leases in a SQLite file, and the claims that rest on them. `clock` is the store's clock. */
export const sqliteLeases = (
  database: Database,
  books: Collections,
  leases: LeaseBook,
  clock: Clock,
): Leases => {
  const claim = claims(database, books, leases, clock);
  return {
    acquire: async (lease, owner, leaseMs) =>
      database.transaction(() => {
        leases.sweep();
        const holder = leases.holder(lease);
        if (!holder) return leases.grant(lease, owner, leaseMs);
        return holder.owner === owner && leases.extend(holder, leaseMs) ? holder : null;
      }),
    renew: async (fence, leaseMs) => leases.extend(fence, leaseMs),
    release: async (fence) => leases.release(fence),
    breakAll: async () => leases.releaseAll(),
    claim: async (terms) => claim(terms),
    now: async () => clock.now().toISOString(),
  };
};
