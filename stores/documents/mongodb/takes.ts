import type { Claim, Claimed, Fence } from '../port.ts';
import type { Candidate } from '../turns.ts';
import type { Document, Named } from './client.ts';
import { CONTENT, type Kept, type Read, stored } from './documents.ts';
import type { LeaseBook } from './leaseBook.ts';

/** What a claim got, and of which lane. */
export type Take<D> = Readonly<{ lane: string; claimed: Claimed<D> }>;

/**
 * Takes the candidates of a claim that nobody else is quicker with: who inserts the row of a document's lease has it. Then the documents are looked at, for one may
 * have been done since it was found; what is no longer due is let go.
 */
export const take = async <D>(
  queue: Named<Kept>,
  leases: LeaseBook,
  claim: Claim,
  due: Document,
  wanted: readonly Candidate[],
): Promise<readonly Take<D>[]> => {
  const holdings = await hold(leases, claim, wanted);
  if (holdings.length === 0) return [];
  const filter = { ...due, _id: { $in: holdings.map(({ id }) => id) } };
  const options = { projection: CONTENT, batchSize: holdings.length + 1 };
  const found = await queue.find<Read>(filter, options).toArray();
  const documents = new Map(found.map((read) => [read._id, stored<D>(read)]));
  const taken: Take<D>[] = [];
  for (const { lane, id, fence } of holdings) {
    const { document, position } = documents.get(id) ?? {};
    if (!document || position === undefined) await leases.release(fence);
    else taken.push({ lane, claimed: { id, position, document, fence } });
  }
  return taken;
};

type Holding = Candidate & Readonly<{ fence: Fence }>;

const hold = async (
  leases: LeaseBook,
  { collection, owner, leaseMs }: Claim,
  wanted: readonly Candidate[],
): Promise<readonly Holding[]> => {
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
