import type { Database } from '../../sqlite/database.ts';
import type { Transact } from '../../sqlite/transactions.ts';
import type { Fence, Leases } from '../port.ts';
import type { Claims } from './claims.ts';

/** Leases and claims as the port has them, each act in a transaction. */
export const sqliteLeases = (leases: LeaseRegistry, claims: Claims, transact: Transact): Leases => {
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

/** Leases in a SQLite file; calls belong in transactions. After `sweep` only live leases have a row. */
export type LeaseRegistry = Readonly<{
  /** Forgets all leases that have expired. */
  sweep(): void;
  holder(lease: string): Fence | null;
  /** Gives a lease that nobody holds. Its token is greater than any given before, to whatever lease. */
  grant(lease: string, owner: string, leaseMs: number): Fence;
  holds(fence: Fence): boolean;
  extend(fence: Fence, leaseMs: number): boolean;
  release(fence: Fence): void;
  releaseAll(): void;
}>;

/**
 * All leases share one counter of tokens. So a row can go when its lease ends, as it must (each document ever
 * claimed had one), and the next token is greater none the less. `now` is in milliseconds, and never set back
 * or ahead.
 */
export const leaseRegistry = (database: Database, now: () => number): LeaseRegistry => {
  const sweep = database.prepare(`DELETE FROM leases WHERE expires <= ?1 OR expires > ?1 + ${MAX_LEASE_MS}`);
  const holder = database.texts<[owner: string, token: string]>(
    'SELECT owner, token FROM leases WHERE name = ?',
  );
  const count = database.prepare<[number]>(NEXT);
  const add = database.prepare('INSERT INTO leases VALUES (?, ?, ?, ?)');
  const held = database.prepare<[number]>(`SELECT 1 FROM leases ${MINE} AND expires > ?`);
  const extend = database.prepare(`UPDATE leases SET expires = ? ${MINE} AND expires > ?`);
  const remove = database.prepare(`DELETE FROM leases ${MINE}`);
  const removeAll = database.prepare('DELETE FROM leases');
  return {
    sweep: () => void sweep.run(now()),
    holder: (lease) => {
      const [row] = holder(lease);
      return row ? { lease, owner: row[0], token: Number(row[1]) } : null;
    },
    grant: (lease, owner, leaseMs) => {
      const [token] = count.all()[0] ?? [0];
      add.run(lease, owner, token, now() + leaseMs);
      return { lease, owner, token };
    },
    holds: ({ lease, owner, token }) => held.get(lease, owner, token, now()) !== undefined,
    extend: ({ lease, owner, token }, leaseMs) =>
      extend.run(now() + leaseMs, lease, owner, token, now()).changes === 1,
    release: ({ lease, owner, token }) => void remove.run(lease, owner, token),
    releaseAll: () => void removeAll.run(),
  };
};

/** A lease that lasts longer was written before the machine began to count anew, with its last start. */
const MAX_LEASE_MS = 600_000;

const MINE = 'WHERE name = ? AND owner = ? AND token = ?';

const NEXT = 'INSERT INTO tokens VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET last = last + 1 RETURNING last';

/** The tables of leases and of their tokens. */
export const LEASES = `
  CREATE TABLE IF NOT EXISTS leases (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, token INTEGER NOT NULL, expires INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS leases_by_expiry ON leases (expires);
  CREATE TABLE IF NOT EXISTS tokens (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL)`;
