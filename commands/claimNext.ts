import { isSamePerson } from '../domain/submission/fourEyes.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { ResultPage, Scalar } from '../stores/documents/port.ts';
import type { Claim, Claims, Place } from './claims.ts';

/** A submission as the log has it now. */
type Current = Readonly<{ submission: Submission }>;
type Ports<D> = Readonly<{ claims: Claims; current(submissionId: string): Promise<D | null> }>;

/** A page of the queue after a place, in the order and with the filters of the person who asks. */
type ReadPage = (after: readonly Scalar[] | null) => Promise<ResultPage<Place>>;

export type ClaimNext<D> = (
  userId: string,
  page: ReadPage,
) => Promise<Readonly<{ found: D; claim: Claim }> | null>;

/**
 * Claims the first submission of the queue that nobody has, and that is still for this person to decide; null
 * for none. Of people who ask at once no two get the same.
 */
export const claimNext = <D extends Current>({ claims, current }: Ports<D>): ClaimNext<D> => {
  const attempt = async (place: Place, userId: string) => {
    const claim = await claims.take(place, userId);
    if (claim === null) return null;
    // The read models may be late: what others decided while it was theirs is only in the log.
    const found = await current(place.submissionId);
    if (found && isFor(userId, found.submission)) return { found, claim };
    await claims.release(place, userId);
    return null;
  };
  return async (userId, page) => {
    for (let after: readonly Scalar[] | null = null; ; ) {
      const { items, next }: ResultPage<Place> = await page(after);
      for (const place of items) {
        const claimed = await attempt(place, userId);
        if (claimed) return claimed;
      }
      if (next === null) return null;
      after = next;
    }
  };
};

/** Whether a person can decide: not alone what two people must. */
const isFor = (userId: string, { status, firstDecision }: Submission): boolean =>
  status === 'review' &&
  !(firstDecision && isSamePerson(firstDecision, { by: { kind: 'user', id: userId } }));
