import type { Claim, Claimed, Fence } from '../port.ts';
import { type Candidate, chosen } from '../turns.ts';
import type { Db, Document, Named } from './client.ts';
import type { ServerClock } from './clock.ts';
import { CONTENT, type Kept, type Read, stored } from './documents.ts';
import { ensureQueue } from './indexes.ts';
import { candidatesIn } from './lanes.ts';
import type { LeaseBook } from './leaseBook.ts';
import { modelCollection, type Names } from './names.ts';

type Pieces = Readonly<{ database: Db; clock: ServerClock; names: Names; leases: LeaseBook }>;

/** Claims as `Leases.claim` says. */
export type Claims = <D>(claim: Claim) => Promise<readonly Claimed<D>[]>;

/**
 * Claims from queues in MongoDB. Who inserts the row of a document's lease has it; then the document is looked at once more, since it may have been done in
 * between. What others were quicker with is passed over, and the search goes on until the claim is full or nothing is left.
 */
export const claimsFrom = ({ database, clock, names, leases }: Pieces): Claims => {
  // Where each queue's last claim ended. It may be forgotten: it only keeps the lanes' turns.
  const lastLanes = new Map<string, string>();
  // Claims of one process would only take from each other what they have found.
  const turns = inTurn();
  const queueOf = (target: string): Named<Kept> => database.collection(modelCollection(target));
  const indexed = once((target) => ensureQueue(queueOf(target)));

  const hold = async (claim: Claim, wanted: readonly Candidate[]): Promise<readonly Holding[]> => {
    const { collection, owner, leaseMs } = claim;
    const named = wanted.map((candidate) => ({ ...candidate, lease: `${collection}/${candidate.id}` }));
    const granted = await leases.grantAll(
      named.map(({ lease }) => lease),
      owner,
      leaseMs,
    );
    const fences = new Map(granted.map((fence) => [fence.lease, fence]));
    return named.flatMap(({ lane, id, lease }) => {
      const fence = fences.get(lease);
      return fence ? [{ lane, id, fence }] : [];
    });
  };
  /** The documents that are due still, in the order of the holdings; the other leases end. */
  const documentsOf = async <D>(queue: Named<Kept>, due: Document, holdings: readonly Holding[]) => {
    const filter = { ...due, _id: { $in: holdings.map(({ id }) => id) } };
    const found = await queue.find<Read>(filter, { projection: CONTENT }).toArray();
    const documents = new Map(found.map((read) => [read._id, stored<D>(read)]));
    const given: (Claimed<D> & Candidate)[] = [];
    for (const { lane, id, fence } of holdings) {
      const { document, position } = documents.get(id) ?? {};
      if (!document || position === undefined) await leases.release(fence);
      else given.push({ lane, id, position, document, fence });
    }
    return given;
  };
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
    const given: (Claimed<D> & Candidate)[] = [];
    while (given.length < limit) {
      const after = lastLanes.get(collection) ?? null;
      const wanted = chosen(claim, await candidatesIn(queue, { due, claim, held, after }), given);
      const got = await documentsOf<D>(queue, due, await hold(claim, wanted));
      given.push(...got);
      const last = got.at(-1);
      if (last) lastLanes.set(collection, last.lane);
      if (got.length === wanted.length) break;
      for (const { id } of wanted) held.add(id);
    }
    return given.map(({ id, position, document, fence }) => ({ id, position, document, fence }));
  };
  return (claim) => turns(claim.collection, () => claimOne(claim));
};

type Holding = Candidate & Readonly<{ fence: Fence }>;

/** How long it may go unseen that a collection was dropped and filled anew, and has lost its indexes. */
const INDEXED_MS = 60_000;

/** Does a thing for a name once in a while. */
const once = (act: (name: string) => Promise<void>): ((name: string) => Promise<void>) => {
  const done = new Map<string, number>();
  return async (name) => {
    if (performance.now() - (done.get(name) ?? Number.NEGATIVE_INFINITY) < INDEXED_MS) return;
    await act(name);
    done.set(name, performance.now());
  };
};

/** Does what has one name one after the other. */
const inTurn = () => {
  const last = new Map<string, Promise<unknown>>();
  return <T>(name: string, act: () => Promise<T>): Promise<T> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(act, act);
    last.set(name, mine);
    return mine;
  };
};
