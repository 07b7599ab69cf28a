import { LRUCache } from 'lru-cache';
import { createNamedQueues } from '../../../kernel/semaphore.ts';
import type { Candidate } from '../candidates.ts';
import { selectCandidates } from '../candidates.ts';
import type { Claim, Claimed } from '../port.ts';
import { candidatesIn } from './candidates.ts';
import type { Db, Document, Named } from './client.ts';
import type { ServerClock } from './clock.ts';
import { CONTENT, type Read, type StoredDocument, stored } from './documents.ts';
import { ensureQueue } from './indexes.ts';
import type { LeaseRegistry } from './leases.ts';
import { modelCollection, type Names } from './names.ts';

type Parts = Readonly<{ database: Db; clock: ServerClock; names: Names; leases: LeaseRegistry }>;

/** How long it may go unseen that a collection was dropped and filled anew, and has lost its indexes. */
const INDEXED_MS = 60_000;
/** How long it may go unseen that a name points elsewhere, while nothing is due where it pointed. */
const NAMED_MS = 1_000;
/** There are some ten queues. */
const MAX_QUEUES = 1_000;

/**
 * Claims from queues in MongoDB by the rules of `Leases.claim`. What others claim first is skipped, until the
 * claim is full.
 */
export const claimsFrom = ({ database, clock, names, leases }: Parts) => {
  // Where each queue's last claim ended. It may be forgotten: it only keeps the lanes' turns.
  const lastLanes = new Map<string, string>();
  // Claims of one process would only take from each other what they have found.
  const queues = createNamedQueues();
  const queueOf = (target: string): Named<StoredDocument> => database.collection(modelCollection(target));
  const indexed = new LRUCache<string, true>({ max: MAX_QUEUES, ttl: INDEXED_MS });
  const index = async (target: string): Promise<void> => {
    if (indexed.has(target)) return;
    await ensureQueue(queueOf(target));
    indexed.set(target, true);
  };
  const targets = new LRUCache<string, string>({ max: MAX_QUEUES, ttl: NAMED_MS });
  const resolve = async (name: string): Promise<string> => {
    const start = performance.now();
    const target = await names.target(name);
    // A name that points nowhere yet is about to.
    if (target !== name) targets.set(name, target, { start });
    return target;
  };
  /** The collection that a name means, null when nothing is due there: most polls find nothing. */
  const busy = async (name: string, due: Document): Promise<string | null> => {
    const cached = targets.get(name);
    let target = cached ?? (await resolve(name));
    // An index makes its collection: not where a name points nowhere yet, nor where one that was only
    // cached may have been dropped.
    if (target !== name && cached === undefined) await index(target);
    for (;;) {
      if ((await queueOf(target).findOne(due, { projection: { _id: 1 } })) === null) return null;
      const current = await resolve(name);
      if (current === target) break;
      target = current;
    }
    await index(target);
    return target;
  };
  const claimOne = async <D>(claim: Claim): Promise<readonly Claimed<D>[]> => {
    const { collection, limit } = claim;
    const { earliest } = await clock.bounds();
    const due = { waits: true as const, 'values.dueAt': { $lte: new Date(earliest).toISOString() } };
    const target = await busy(collection, due);
    if (target === null) return [];
    const queue = queueOf(target);
    const prefix = `${collection}/`;
    const held = await leases.held(prefix);
    const leased = new Set(held.map(({ lease }) => lease.slice(prefix.length)));
    const claimed: ClaimedInLane<D>[] = [];
    for (let isRaced = true; isRaced && claimed.length < limit; ) {
      isRaced = false;
      const after = lastLanes.get(collection) ?? null;
      const lanes = await candidatesIn(queue, { due, claim, leased, after });
      for (;;) {
        const free = lanes.map((lane) => lane.filter(({ id }) => !leased.has(id)));
        const selected = selectCandidates(claim, free, claimed);
        if (selected.length === 0) break;
        const won = await claimCandidates<D>(queue, leases, claim, due, selected);
        claimed.push(...won);
        isRaced ||= won.length < selected.length;
        for (const { id } of selected) leased.add(id);
        for (const { lane } of won) lastLanes.set(collection, lane);
      }
    }
    return claimed.map(({ lane: _, ...one }) => one);
  };
  return <D>(claim: Claim): Promise<readonly Claimed<D>[]> =>
    queues.run(claim.collection, () => claimOne<D>(claim));
};

type ClaimedInLane<D> = Claimed<D> & Readonly<{ lane: string }>;

/**
 * Claims those candidates that no other process claims first: inserting the row of a document's lease
 * decides. Then the documents are read, for one may have been done since it was found; the lease of one that
 * is no longer due is released.
 */
const claimCandidates = async <D>(
  queue: Named<StoredDocument>,
  leases: LeaseRegistry,
  { collection, owner, leaseMs }: Claim,
  due: Document,
  candidates: readonly Candidate[],
): Promise<readonly ClaimedInLane<D>[]> => {
  const prefix = `${collection}/`;
  const names = candidates.map(({ id }) => prefix + id);
  const fences = new Map((await leases.grantAll(names, owner, leaseMs)).map((fence) => [fence.lease, fence]));
  if (fences.size === 0) return [];
  const leased = candidates.flatMap(({ lane, id }) => {
    const fence = fences.get(prefix + id);
    return fence ? [{ lane, id, fence }] : [];
  });
  const filter = { ...due, _id: { $in: leased.map(({ id }) => id) } };
  const options = { projection: CONTENT, batchSize: leased.length + 1 };
  const found = await queue.find<Read>(filter, options).toArray();
  const documents = new Map(found.map((read) => [read._id, stored<D>(read)]));
  const claimed: ClaimedInLane<D>[] = [];
  for (const { lane, id, fence } of leased) {
    const { document, position } = documents.get(id) ?? {};
    if (document && position) claimed.push({ lane, id, position, document, fence });
    else await leases.release(fence);
  }
  return claimed;
};
