import type { Position } from '../../../kernel/event.ts';
import type { Database } from '../../sqlite/database.ts';
import type { Claim, Claimed } from '../port.ts';
import { type Candidate, chosen } from '../turns.ts';
import type { Collections } from './collections.ts';
import type { DueTimes } from './dueTimes.ts';
import { tableOf } from './expressions.ts';
import { DUE, ensureQueue, LANE, WAITING } from './indexes.ts';
import type { LeaseBook } from './leaseBook.ts';
import { remember } from './remember.ts';

/** Claims as `Leases.claim` says, to be called within a transaction. */
export type Claims = <D>(claim: Claim) => readonly Claimed<D>[];

/** Claims from queues in a SQLite file: gives what is due, each document under a lease of its own. */
export const claimsFrom = (
  database: Database,
  books: Collections,
  leases: LeaseBook,
  due: () => DueTimes,
): Claims => {
  const lanes = remember((table) => database.texts<[string]>(dueLanes(table)));
  const ids = remember((table) => database.texts<[string]>(dueIn(table)));
  const document = remember((table) =>
    database.texts<[Position, string]>(`SELECT position, body FROM ${table} WHERE id = ?`),
  );
  // Where each queue's last claim ended. It may be forgotten: it only keeps the lanes' turns.
  const lastLanes = new Map<string, string>();

  const candidates = (table: string, claim: Claim): readonly Candidate[] => {
    const { collection, limit, perLane, skip, skipTenants = [] } = claim;
    const { now, planned, upTo } = due();
    const last = lastLanes.get(collection);
    const from = (after: string | number): string[] =>
      lanes(table)(
        after,
        JSON.stringify(skip),
        now,
        `${collection}/`,
        limit,
        JSON.stringify(skipTenants),
        planned,
        upTo,
      ).map(([lane]) => lane);
    const ahead = last === undefined ? [] : from(last);
    const round = ahead.length < limit ? new Set([...ahead, ...from(BEFORE_ALL_TEXT)]) : ahead;
    const found = [...round].map((lane) =>
      ids(table)(lane, now, `${collection}/`, Math.min(perLane, limit), planned, upTo).map(([id]) => ({
        lane,
        id,
      })),
    );
    return chosen(claim, found);
  };
  const take = <D>(table: string, { collection, owner, leaseMs }: Claim, id: string): readonly Claimed<D>[] =>
    document(table)(id).map(([position, json]) => ({
      id,
      position,
      document: database.json<D>(json),
      fence: leases.grant(`${collection}/${id}`, owner, leaseMs),
    }));

  return (claim) => {
    const collection = books.find(claim.collection);
    if (!collection) return [];
    ensureQueue(database, books, collection);
    leases.sweep();
    const table = tableOf(collection.name);
    const found = candidates(table, claim);
    const last = found.at(-1);
    if (last) lastLanes.set(claim.collection, last.lane);
    return found.flatMap(({ id }) => take(table, claim, id));
  };
};

const TENANT = "substr(lanes.lane, 1, instr(lanes.lane || ' ', ' ') - 1)";
const SKIPPED = `${TENANT} IN (SELECT value FROM json_each(?6))`;

// SQLite puts numbers before text.
const BEFORE_ALL_TEXT = -1;

/**
 * The lanes behind ?1 that are not in the JSON list ?2, nor of a tenant in the list ?6, and have a free document due at ?3; ?4 begins the
 * names of its leases, ?5 is the limit, ?7 and ?8 are
 * the other times of `DueTimes`. It seeks one lane after the other, however many documents there are in each,
 * and passes over all lanes of a tenant in ?6 at once.
 */
export const dueLanes = (table: string): string => `
  WITH RECURSIVE lanes (lane) AS (
    SELECT (SELECT min(${LANE}) FROM ${table} WHERE ${WAITING} AND ${LANE} > ?1)
    UNION ALL
    SELECT (SELECT min(${LANE}) FROM ${table} WHERE ${WAITING} AND ${LANE} >
      CASE WHEN ${SKIPPED} THEN ${TENANT} || ' ' || char(1114111) ELSE lanes.lane END) FROM lanes WHERE lane IS NOT NULL
  )
  SELECT lane FROM lanes WHERE lane IS NOT NULL AND lane NOT IN (SELECT value FROM json_each(?2)) AND NOT ${SKIPPED}
    AND EXISTS (SELECT 1 FROM ${table} WHERE ${free('lanes.lane', '?4', { now: '?3', planned: '?7', upTo: '?8' })})
  LIMIT ?5`;

/**
 * The ids of lane ?1 that are due at ?2, and free under the prefix ?3; ?4 is the limit, ?5 and ?6 are the
 * other times of `DueTimes`.
 */
export const dueIn = (table: string): string =>
  `SELECT id FROM ${table} WHERE ${free('?1', '?3', { now: '?2', planned: '?5', upTo: '?6' })} ORDER BY ${DUE}, id LIMIT ?4`;

const free = (lane: string, prefix: string, { now, planned, upTo }: DueTimes): string =>
  `${WAITING} AND ${LANE} = ${lane} AND ${DUE} <= ${planned} AND (${DUE} <= ${now} OR position <= ${upTo})
   AND NOT EXISTS (SELECT 1 FROM leases WHERE name = ${prefix} || id)`;
