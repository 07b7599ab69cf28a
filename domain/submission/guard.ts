import { DomainError } from '../../kernel/decider.ts';
import type { AttemptReference, StatusChange } from './routing.ts';
import type { Submission } from './state.ts';
import { allowedFrom, processedStatuses, type Status, transitions } from './transitions.ts';

/** The submission, if there is one. Throws `SubmissionNotFound`. */
export const present = (state: Submission | null): Submission => {
  if (state === null) throw new DomainError('SubmissionNotFound', 'There is no such submission.');
  return state;
};

/**
 * The change to `to`, as its event carries it. Throws a DomainError named `refusal`, with the facts
 * `currentStatus` and `allowedFrom`, when the transitions do not have it (problems-10).
 */
export const move = (
  state: Submission,
  to: Status,
  refusal: string,
  from = allowedFrom(to),
): StatusChange => {
  const allowed = from.filter((status) => transitions[status].includes(to));
  if (!allowed.includes(state.status)) {
    const { status } = state;
    const message =
      status === to
        ? `The submission is ${to} already.`
        : `The submission’s status is ${status}: it can become ${to} from ${allowed.join(', ')} only.`;
    throw new DomainError(refusal, message, { currentStatus: status, allowedFrom: allowed });
  }
  const counts = processedStatuses.includes(to);
  return {
    from: state.status,
    to,
    firstProcessed: counts && !state.processed,
    processed: counts || state.processed,
  };
};

/** Throws `SubmissionNotInReview` unless it waits for a review. */
export const requireInReview = ({ status }: Submission): void => {
  if (status === 'review') return;
  const message = `The submission’s status is ${status}: only one in review can be claimed, assigned or put off.`;
  throw new DomainError('SubmissionNotInReview', message, { currentStatus: status, allowedFrom: ['review'] });
};

/** Throws `ProcessingAttemptSuperseded` unless this is the attempt under way. */
export const requireCurrent = ({ round, attempt }: AttemptReference, state: Submission): void => {
  if (round === state.round && attempt === state.attempt) return;
  throw new DomainError('ProcessingAttemptSuperseded', 'Another attempt has started since this one.');
};
