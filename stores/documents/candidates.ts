import { interleave } from '../../kernel/interleave.ts';
import { tenantOf } from '../../kernel/lane.ts';
import type { Claim } from './port.ts';

/** A document that could be claimed. */
export type Candidate = Readonly<{ lane: string; id: string }>;

/**
 * Those of the lanes' candidates that a claim takes: one of each lane in turn, no more of a tenant than it
 * may have, up to its limit. `claimed` are those that it has already.
 */
export const selectCandidates = (
  { limit, perLane, perTenant = limit }: Claim,
  lanes: readonly (readonly Candidate[])[],
  claimed: readonly Candidate[] = [],
): readonly Candidate[] => {
  const inLane = counter(claimed.map(({ lane }) => lane));
  const ofTenant = counter(claimed.map(({ lane }) => tenantOf(lane)));
  return interleave(lanes)
    .filter(({ lane }) => inLane(lane) <= perLane && ofTenant(tenantOf(lane)) <= perTenant)
    .slice(0, limit - claimed.length);
};

/** Counts how often each name was passed, here or among `names`. */
const counter = (names: readonly string[]): ((name: string) => number) => {
  const counts = new Map<string, number>();
  const add = (name: string): number => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
  names.forEach(add);
  return add;
};
