import { interleave } from '../../kernel/interleave.ts';
import { tenantOf } from '../../kernel/lane.ts';
import type { Claim } from './port.ts';

/** A document that could be claimed. */
export type Candidate = Readonly<{ lane: string; id: string }>;

/**
 * Which of the lanes' candidates a claim takes: one of each lane in turn, no more of a tenant than it may
 * have, up to its limit. `taken` are those that it has already.
 */
export const selectCandidates = (
  { limit, perLane, perTenant = limit }: Claim,
  lanes: readonly (readonly Candidate[])[],
  taken: readonly Candidate[] = [],
): readonly Candidate[] => {
  const inLanes = counter(taken.map(({ lane }) => lane));
  const ofTenants = counter(taken.map(({ lane }) => tenantOf(lane)));
  return interleave(lanes)
    .filter(({ lane }) => inLanes(lane) <= perLane && ofTenants(tenantOf(lane)) <= perTenant)
    .slice(0, limit - taken.length);
};

/** Counts a name once more with each call; `known` were counted before. */
const counter = (known: readonly string[]): ((name: string) => number) => {
  const counts = new Map<string, number>();
  const add = (name: string): number => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
  for (const name of known) add(name);
  return add;
};
