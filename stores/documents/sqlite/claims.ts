import type { Clock } from '../../../kernel/clock.ts';
import type { Position } from '../../../kernel/event.ts';
import type { Database } from '../../sqlite/database.ts';
import { type Candidate, selectCandidates } from '../candidates.ts';
import type { Claim, Claimed } from '../port.ts';
import { type Collections, tableOf } from './collections.ts';
import { DUE, ensureQueue, LANE, WAITING } from './indexes.ts';
import type { LeaseRegistry } from './leases.ts';
import { memoize } from './memoize.ts';

/** Claims from queues in a SQLite file by the rules of `Leases.claim`; to be called within a transaction. */
export const claimsFrom = (
  database: Database,
  collections: Collections,
  leases: LeaseRegistry,
  due: () => DueBounds,
) => {
  const lanes = memoize((table) => database.texts<[string]>(dueLanes(table)));
  const free = memoize((table) => database.texts<[string]>(dueIn(table)));
  const documents = memoize((table) =>
    database.texts<[id: string, Position, string]>(
      `SELECT id, position, body FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    ),
  );
  // Where each queue's last claim ended. It may be forgotten: it only keeps the lanes' turns.
  const lastLanes = new Map<string, string>();

  const candidates = (table: string, claim: Claim): readonly Candidate[] => {
    const { collection, limit, perLane, skip, skipTenants = [] } = claim;
    const { now, planned, upTo } = due();
    const last = lastLanes.get(collection);
    const prefix = `${collection}/`;
    const skipped = [JSON.stringify(skip), JSON.stringify(skipTenants)] as const;
    const from = (after: string | number): string[] =>
      lanes(table)(after, now, planned, upTo, prefix, ...skipped, limit).map(([lane]) => lane);
    const ahead = last === undefined ? [] : from(last);
    const round = ahead.length < limit ? new Set([...ahead, ...from(BEFORE_ALL_TEXT)]) : ahead;
    const found = [...round].map((lane) => {
      const due = free(table)(lane, now, planned, upTo, prefix, Math.min(perLane, limit));
      return due.map(([id]) => ({ lane, id }));
    });
    return selectCandidates(claim, found);
  };
  return <D>(claim: Claim): readonly Claimed<D>[] => {
    const collection = collections.find(claim.collection);
    if (!collection) return [];
    ensureQueue(database, collections, collection);
    leases.sweep();
    const table = tableOf(collection.name);
    const found = candidates(table, claim);
    const last = found.at(-1);
    if (last) lastLanes.set(claim.collection, last.lane);
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id);
    const names = ids.map((id) => `${claim.collection}/${id}`);
    const read = new Map(documents(table)(JSON.stringify(ids)).map(([id, ...rest]) => [id, rest] as const));
    return leases.grantAll(names, claim.owner, claim.leaseMs).map((fence, index) => {
      const id = ids[index] ?? '';
      const [position, json] = read.get(id) as readonly [Position, string];
      return { id, position, document: database.json<D>(json), fence };
    });
  };
};

const TENANT = "substr(lanes.lane, 1, instr(lanes.lane || ' ', ' ') - 1)";
const SKIPPED = `${TENANT} IN (SELECT value FROM json_each(?7))`;

// SQLite puts numbers before text.
const BEFORE_ALL_TEXT = -1;

/**
 * The lanes after ?1 that have a free document, are not in the JSON list ?6, nor of a tenant in the list ?7;
 * ?8 is the limit. It seeks one lane after the other, however many documents there are in each, and passes
 * over all lanes of a tenant in ?7 at once.
 */
export const dueLanes = (table: string): string => `
  WITH RECURSIVE lanes (lane) AS (
    SELECT (SELECT min(${LANE}) FROM ${table} WHERE ${WAITING} AND ${LANE} > ?1)
    UNION ALL
    SELECT (SELECT min(${LANE}) FROM ${table} WHERE ${WAITING} AND ${LANE} >
      CASE WHEN ${SKIPPED} THEN ${TENANT} || ' ' || char(1114111) ELSE lanes.lane END) FROM lanes WHERE lane IS NOT NULL
  )
  SELECT lane FROM lanes WHERE lane IS NOT NULL AND lane NOT IN (SELECT value FROM json_each(?6)) AND NOT ${SKIPPED}
    AND EXISTS (SELECT 1 FROM ${table} WHERE ${freeIn('lanes.lane')})
  LIMIT ?8`;

/** The ids of free documents of lane ?1; ?6 is the limit. */
export const dueIn = (table: string): string =>
  `SELECT id FROM ${table} WHERE ${freeIn('?1')} ORDER BY ${DUE}, id LIMIT ?6`;

/** A free document of a lane is due by the `DueBounds` ?2, ?3, ?4, and has no lease, whose prefix is ?5. */
const freeIn = (lane: string): string =>
  `${WAITING} AND ${LANE} = ${lane} AND ${DUE} <= ?3 AND (${DUE} <= ?2 OR position <= ?4)
   AND NOT EXISTS (SELECT 1 FROM leases WHERE name = ?5 || id)`;

/**
 * Up to which times (ISO 8601) documents are due: all up to `now`, those at or before the position `upTo` up
 * to `planned`, which is never earlier.
 */
type DueBounds = Readonly<{ now: string; planned: string; upTo: string }>;

/** A slewed clock does not jump. */
const JUMP_MS = 2_000;

/**
 * Gives what is due now. What was planned before the clock was set back is due by the clock as it was: it
 * would wait as long again, a whole queue of it. `steadyMs` is a timer that nobody sets, `newest` the
 * position of the newest document.
 */
export const dueBounds = (clock: Clock, steadyMs: () => number, newest: () => string): (() => DueBounds) => {
  const offset = (): number => clock.now().getTime() - steadyMs();
  let [current, aheadMs, upTo] = [offset(), 0, ''];
  return () => {
    const jumpMs = offset() - current;
    current += jumpMs;
    if (jumpMs <= -JUMP_MS) upTo = newest();
    if (Math.abs(jumpMs) >= JUMP_MS) aheadMs = Math.max(0, aheadMs - jumpMs);
    const now = clock.now();
    return { now: now.toISOString(), planned: new Date(now.getTime() + aheadMs).toISOString(), upTo };
  };
};
