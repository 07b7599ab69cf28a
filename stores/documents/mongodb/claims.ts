import { createNamedQueues } from '../../../kernel/semaphore.ts';
import type { Candidate } from '../candidates.ts';
import { selectCandidates } from '../candidates.ts';
import type { Claim, Claimed, Fence } from '../port.ts';
import { candidatesIn } from './candidates.ts';
import type { Db, Document, Named } from './client.ts';
import type { ServerClock } from './clock.ts';
import { CONTENT, type Read, type StoredDocument, stored } from './documents.ts';
import { ensureQueue } from './indexes.ts';
import type { LeaseRegistry } from './leases.ts';
import { modelCollection, type Names } from './names.ts';

type Parts = Readonly<{ database: Db; clock: ServerClock; names: Names; leases: LeaseRegistry }>;

/** Claims by the rules of `Leases.claim`. */
export type Claims = <D>(claim: Claim) => Promise<readonly Claimed<D>[]>;

/** How long it may go unseen that a collection was dropped and filled anew, and has lost its indexes. */
const INDEXED_MS = 60_000;
/** How long it may go unseen that a name points elsewhere, while nothing is due where it pointed. */
const NAMED_MS = 1_000;

/** Claims from queues in MongoDB. What others claim first is skipped, until the claim is full. */
export const claimsFrom = ({ database, clock, names, leases }: Parts): Claims => {
  // Where each queue's last claim ended. It may be forgotten: it only keeps the lanes' turns.
  const lastLanes = new Map<string, string>();
  // Claims of one process would only take from each other what they have found.
  const queues = createNamedQueues();
  const queueOf = (target: string): Named<StoredDocument> => database.collection(modelCollection(target));
  const indexed = throttled(INDEXED_MS, (target) => ensureQueue(queueOf(target)));
  const pointed = new Map<string, Readonly<{ target: string; askedAt: number }>>();
  const ask = async (name: string): Promise<string> => {
    const askedAt = performance.now();
    const target = await names.target(name);
    // A name that points nowhere yet is about to.
    if (target !== name) pointed.set(name, { target, askedAt });
    return target;
  };
  /** The collection that a name means, null when nothing is due there: most polls find nothing. */
  const busy = async (name: string, due: Document): Promise<string | null> => {
    const last = pointed.get(name);
    const remembered = last && performance.now() - last.askedAt < NAMED_MS ? last.target : null;
    let target = remembered ?? (await ask(name));
    // An index makes its collection: not where a name points nowhere yet, nor where one that was only
    // remembered may have been dropped.
    if (target !== name && remembered === null) await indexed(target);
    for (;;) {
      if ((await queueOf(target).findOne(due, { projection: { _id: 1 } })) === null) return null;
      const meant = await ask(name);
      if (meant === target) break;
      target = meant;
    }
    await indexed(target);
    return target;
  };

  const heldIn = async (collection: string): Promise<Set<string>> => {
    const prefix = `${collection}/`;
    const rows = await leases.under(prefix);
    if (rows.some(({ expired }) => expired)) await leases.sweep();
    return new Set(rows.filter(({ expired }) => !expired).map(({ lease }) => lease.slice(prefix.length)));
  };
  const claimOne = async <D>(claim: Claim): Promise<readonly Claimed<D>[]> => {
    const { collection, limit } = claim;
    const { earliest } = await clock.bounds();
    const due = { waits: true as const, 'values.dueAt': { $lte: new Date(earliest).toISOString() } };
    const target = await busy(collection, due);
    if (target === null) return [];
    const queue = queueOf(target);
    const held = await heldIn(collection);
    const taken: ClaimedInLane<D>[] = [];
    for (let lost = true; lost && taken.length < limit; ) {
      lost = false;
      const after = lastLanes.get(collection) ?? null;
      const lanes = await candidatesIn(queue, { due, claim, held, after });
      for (;;) {
        const free = lanes.map((lane) => lane.filter(({ id }) => !held.has(id)));
        const known = taken.map(({ lane, claimed: { id } }) => ({ lane, id }));
        const wanted = selectCandidates(claim, free, known);
        if (wanted.length === 0) break;
        const got = await claimCandidates<D>(queue, leases, claim, due, wanted);
        taken.push(...got);
        lost ||= got.length < wanted.length;
        for (const { id } of wanted) held.add(id);
        for (const { lane } of got) lastLanes.set(collection, lane);
      }
    }
    return taken.map(({ claimed }) => claimed);
  };
  return (claim) => queues.run(claim.collection, () => claimOne(claim));
};

/** Does a thing for a name, but not again within so many milliseconds after it has succeeded. */
const throttled = (
  whileMs: number,
  act: (name: string) => Promise<void>,
): ((name: string) => Promise<void>) => {
  const done = new Map<string, number>();
  return async (name) => {
    if (performance.now() - (done.get(name) ?? Number.NEGATIVE_INFINITY) < whileMs) return;
    await act(name);
    done.set(name, performance.now());
  };
};

/** What a claim got, and of which lane. */
type ClaimedInLane<D> = Readonly<{ lane: string; claimed: Claimed<D> }>;

/**
 * Takes the candidates of a claim that nobody else is quicker with: who inserts the row of a document's lease
 * has it. Then the documents are read, for one may have been done since it was found; what is no longer
 * due is let go.
 */
const claimCandidates = async <D>(
  queue: Named<StoredDocument>,
  leases: LeaseRegistry,
  claim: Claim,
  due: Document,
  wanted: readonly Candidate[],
): Promise<readonly ClaimedInLane<D>[]> => {
  const leased = await acquireLeases(leases, claim, wanted);
  if (leased.length === 0) return [];
  const filter = { ...due, _id: { $in: leased.map(({ id }) => id) } };
  const options = { projection: CONTENT, batchSize: leased.length + 1 };
  const found = await queue.find<Read>(filter, options).toArray();
  const documents = new Map(found.map((read) => [read._id, stored<D>(read)]));
  const taken: ClaimedInLane<D>[] = [];
  for (const { lane, id, fence } of leased) {
    const { document, position } = documents.get(id) ?? {};
    if (!document || position === undefined) await leases.release(fence);
    else taken.push({ lane, claimed: { id, position, document, fence } });
  }
  return taken;
};

type Leased = Candidate & Readonly<{ fence: Fence }>;

const acquireLeases = async (
  leases: LeaseRegistry,
  { collection, owner, leaseMs }: Claim,
  wanted: readonly Candidate[],
): Promise<readonly Leased[]> => {
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
