import { LeaseLost } from '../../../kernel/errors.ts';
import type { Database } from '../../sqlite/database.ts';
import type { Fence, Held, RowOptions } from '../port.ts';

export type LeaseRegistry = ReturnType<typeof leaseRegistry>;

/**
 * Leases in a SQLite file; calls belong in transactions. All leases share one counter of tokens. So a row can
 * go when its lease ends, as it must (each document ever claimed had one), and the next token is greater none
 * the less. `now` is in milliseconds, and never set back or ahead.
 */
export const leaseRegistry = (database: Database, now: () => number) => {
  const expired = database.prepare(
    `DELETE FROM leases WHERE expires <= ?1 OR expires > ?1 + ${MAX_LEASE_MS}`,
  );
  const holders = database.texts<[owner: string, token: string]>(
    'SELECT owner, token FROM leases WHERE name = ?',
  );
  const living = database.texts<[name: string, owner: string, expires: string]>(LIVING);
  const count = database.prepare<[number]>(NEXT);
  const add = database.prepare(ADD);
  const live = database.prepare<[number]>(`SELECT 1 FROM leases ${MINE} AND expires > ?`);
  const renewal = database.prepare(`UPDATE leases SET expires = ? ${MINE} AND expires > ?`);
  const remove = database.prepare(`DELETE FROM leases ${MINE}`);
  const removeAll = database.prepare('DELETE FROM leases');
  const removeOf = database.prepare('DELETE FROM leases WHERE owner IN (SELECT value FROM json_each(?))');
  const raise = database.prepare(RAISE);
  const owners = new Set<string>();
  let highest = 0;

  /** Removes all leases that have expired: then only live ones have a row. */
  const sweep = (): void => void expired.run(now());
  const holder = (lease: string): Fence | null => {
    const [row] = holders(lease);
    return row ? { lease, owner: row[0], token: Number(row[1]) } : null;
  };
  /** Gives leases that nobody holds. Their tokens are greater than any given before, to whatever lease. */
  const grantAll = (leases: readonly string[], owner: string, leaseMs: number): readonly Fence[] => {
    if (leases.length === 0) return [];
    const [last] = count.all(leases.length)[0] ?? [0];
    const first = last - leases.length + 1;
    owners.add(owner);
    highest = last;
    add.run(JSON.stringify(leases), owner, first, now() + leaseMs);
    return leases.map((lease, index) => ({ lease, owner, token: first + index }));
  };
  const grant = (lease: string, owner: string, leaseMs: number): Fence => {
    const [fence] = grantAll([lease], owner, leaseMs);
    if (!fence) throw new Error('one lease was to be granted');
    return fence;
  };
  const renew = ({ lease, owner, token }: Fence, leaseMs: number): boolean =>
    renewal.run(now() + leaseMs, lease, owner, token, now()).changes === 1;
  const release = ({ lease, owner, token }: Fence): void => void remove.run(lease, owner, token);
  return {
    ...{ sweep, grantAll, renew, release },
    acquire: (lease: string, owner: string, leaseMs: number): Fence | null => {
      sweep();
      const current = holder(lease);
      if (!current) return grant(lease, owner, leaseMs);
      return current.owner === owner && renew(current, leaseMs) ? current : null;
    },
    take: (lease: string, owner: string, leaseMs: number): Fence => {
      const current = holder(lease);
      if (current) release(current);
      return grant(lease, owner, leaseMs);
    },
    held: (prefix: string, { after = '', limit = -1 }: RowOptions = {}): readonly Held[] => {
      const at = now();
      return living(prefix, `${prefix}${BEHIND}`, at, after, limit).map(([lease, owner, expires]) => ({
        ...{ lease, owner },
        remainingMs: Number(expires) - at,
      }));
    },
    /** Ends what was granted here, of which some may be gone, and gives none of its tokens again. */
    endOwn: (): void => {
      removeOf.run(JSON.stringify([...owners]));
      raise.run(highest);
    },
    releaseAll: (): void => void removeAll.run(),
    /** Throws `LeaseLost` when the fence is stale. */
    check: ({ lease, owner, token }: Fence): void => {
      if (!live.get(lease, owner, token, now())) throw new LeaseLost(lease);
    },
  };
};

/** A lease that lasts longer was written before the machine began to count anew, with its last start. */
const MAX_LEASE_MS = 600_000;

const LIVING = `
  SELECT name, owner, expires FROM leases
  WHERE name >= ?1 AND name < ?2 AND name > ?4 AND expires > ?3 AND expires <= ?3 + ${MAX_LEASE_MS}
  ORDER BY name LIMIT ?5`;

/** Greater than all that may follow a prefix. */
const BEHIND = '\u{10FFFF}';

const MINE = 'WHERE name = ? AND owner = ? AND token = ?';

/** Draws ?1 tokens and gives the last of them. */
const NEXT =
  'INSERT INTO tokens VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET last = last + ?1 RETURNING last';

/** Draws all tokens up to ?1. */
const RAISE = 'INSERT INTO tokens VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET last = max(last, ?1)';

/** Adds the leases in the JSON list ?1, with tokens from ?3 on. */
const ADD = 'INSERT INTO leases SELECT value, ?2, ?3 + key, ?4 FROM json_each(?1)';

/** The tables of leases and of their tokens. */
export const LEASES = `
  CREATE TABLE IF NOT EXISTS leases (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, token INTEGER NOT NULL, expires INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS leases_by_expiry ON leases (expires);
  CREATE TABLE IF NOT EXISTS tokens (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL)`;
