import type { Routing } from '../domain/submission/routing.ts';
import type { Clock } from '../kernel/clock.ts';
import { laneOf } from '../kernel/lane.ts';
import type { Leases } from '../stores/documents/port.ts';

/** How long a claim lasts unless it is renewed (review-queue-6). */
const CLAIM_MS = 120_000;

/** Claims of one person in a company and mode (review-queue-10): more pages than anybody works at. */
export const MAX_CLAIMS = 50;

export type Claims = ReturnType<typeof createClaims>;

/** A person's claim on a submission; `until` in ISO 8601. */
export type Claim = Readonly<{ userId: string; until: string }>;
/** Where a submission is. */
export type Place = Pick<Routing, 'companyId' | 'mode' | 'submissionId'>;

/** Leases of people beside those of processes, whose names begin otherwise. */
const prefixOf = (lane: string): string => `claim/${lane}/`;

const leaseOf = ({ companyId, mode, submissionId }: Place): string =>
  `${prefixOf(laneOf(companyId, mode))}${submissionId}`;

/**
 * Claims of people on submissions in review: leases that their own names hold, judged by the store's clock.
 * `clock` only tells the time at which they end.
 */
export const createClaims = ({ leases, clock }: Readonly<{ leases: Leases; clock: Clock }>) => {
  const claimOf = (userId: string, remainingMs: number): Claim => ({
    userId,
    until: new Date(clock.now().getTime() + remainingMs).toISOString(),
  });
  const find = async (place: Place): Promise<Claim | null> => {
    const lease = leaseOf(place);
    const held = (await leases.held(lease)).find((one) => one.lease === lease);
    return held ? claimOf(held.owner, held.remainingMs) : null;
  };
  const end = async (lease: string, userId: string): Promise<void> => {
    const fence = await leases.acquire(lease, userId, CLAIM_MS);
    if (fence) await leases.release(fence);
  };
  /** Ends the claims of a person that are too many: those that were renewed longest ago. */
  const endOldest = async (newest: Place, userId: string): Promise<void> => {
    const held = await leases.held(prefixOf(laneOf(newest.companyId, newest.mode)));
    const others = held.filter(({ owner, lease }) => owner === userId && lease !== leaseOf(newest));
    const byAge = others.toSorted((one, other) => other.remainingMs - one.remainingMs);
    const oldest = byAge.slice(MAX_CLAIMS - 1);
    for (const { lease } of oldest) await end(lease, userId);
  };
  return {
    /** The claim on a submission; null for none. */
    find,
    /** Claims a submission, or renews the person's own claim; null while another person has it. */
    take: async (place: Place, userId: string): Promise<Claim | null> => {
      if ((await leases.acquire(leaseOf(place), userId, CLAIM_MS)) === null) return null;
      await endOldest(place, userId);
      return claimOf(userId, CLAIM_MS);
    },
    /** Ends the person's own claim, if there is one. */
    release: async (place: Place, userId: string): Promise<void> => {
      if ((await find(place))?.userId === userId) await end(leaseOf(place), userId);
    },
    /** Who has claimed what of a lane (a company and mode): users by submission. */
    of: async (lane: string): Promise<ReadonlyMap<string, string>> => {
      const prefix = prefixOf(lane);
      const held = await leases.held(prefix);
      return new Map(held.map(({ lease, owner }) => [lease.slice(prefix.length), owner] as const));
    },
  };
};
