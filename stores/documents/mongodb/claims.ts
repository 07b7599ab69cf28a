import type { Claim, Claimed } from '../port.ts';
import { chosen } from '../turns.ts';
import type { Db, Named } from './client.ts';
import type { ServerClock } from './clock.ts';
import type { Kept } from './documents.ts';
import { ensureQueue } from './indexes.ts';
import { candidatesIn } from './lanes.ts';
import type { LeaseBook } from './leaseBook.ts';
import { modelCollection, type Names } from './names.ts';
import { inTurn, onceInAWhile } from './pace.ts';
import { type Take, take } from './takes.ts';

type Pieces = Readonly<{ database: Db; clock: ServerClock; names: Names; leases: LeaseBook }>;

/** Claims as `Leases.claim` says. */
export type Claims = <D>(claim: Claim) => Promise<readonly Claimed<D>[]>;

/** How long it may go unseen that a collection was dropped and filled anew, and has lost its indexes. */
const INDEXED_MS = 60_000;

/** Claims from queues in MongoDB. What others are quicker with is passed over, until the claim is full or nothing is left. */
export const claimsFrom = ({ database, clock, names, leases }: Pieces): Claims => {
  // Where each queue's last claim ended. It may be forgotten: it only keeps the lanes' turns.
  const lastLanes = new Map<string, string>();
  // Claims of one process would only take from each other what they have found.
  const turns = inTurn();
  const queueOf = (target: string): Named<Kept> => database.collection(modelCollection(target));
  const indexed = onceInAWhile(INDEXED_MS, (target) => ensureQueue(queueOf(target)));

  const heldIn = async (collection: string): Promise<Set<string>> => {
    const prefix = `${collection}/`;
    const rows = await leases.under(prefix);
    if (rows.some(({ expired }) => expired)) await leases.sweep();
    return new Set(rows.filter(({ expired }) => !expired).map(({ lease }) => lease.slice(prefix.length)));
  };
  const claimOne = async <D>(claim: Claim): Promise<readonly Claimed<D>[]> => {
    const { collection, limit } = claim;
    const [target, { earliest }] = await Promise.all([names.target(collection), clock.bounds()]);
    await indexed(target);
    const queue = queueOf(target);
    const due = { waits: true as const, 'values.dueAt': { $lte: new Date(earliest).toISOString() } };
    if ((await queue.findOne(due, { projection: { _id: 1 } })) === null) return [];
    const held = await heldIn(collection);
    const taken: Take<D>[] = [];
    for (let lost = true; lost && taken.length < limit; ) {
      lost = false;
      const after = lastLanes.get(collection) ?? null;
      const lanes = await candidatesIn(queue, { due, claim, held, after });
      for (;;) {
        const free = lanes.map((lane) => lane.filter(({ id }) => !held.has(id)));
        const known = taken.map(({ lane, claimed: { id } }) => ({ lane, id }));
        const wanted = chosen(claim, free, known);
        if (wanted.length === 0) break;
        const got = await take<D>(queue, leases, claim, due, wanted);
        taken.push(...got);
        lost ||= got.length < wanted.length;
        for (const { id } of wanted) held.add(id);
        for (const { lane } of got) lastLanes.set(collection, lane);
      }
    }
    return taken.map(({ claimed }) => claimed);
  };
  return (claim) => turns(claim.collection, () => claimOne(claim));
};
