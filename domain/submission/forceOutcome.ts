import { requireCurrent } from './guard.ts';
import { type Extraction, type Result, type ReviewReason, recordResult } from './result.ts';
import { approve, cancel, reject } from './review.ts';
import type { AttemptReference } from './routing.ts';
import { evolve, type Submission, type SubmissionEvent } from './state.ts';
import { recordSync } from './sync.ts';
import type { Status } from './transitions.ts';

/** What a forced submission shows as read, and its fraud checks as made; null for none. */
type ForceOutcome = AttemptReference & Pick<Extract<Result, { kind: 'extracted' }>, 'extraction' | 'fraud'>;

type Step = (state: Submission) => readonly SubmissionEvent[];

const REASON = 'Forced by the metadata member intake:outcome.';
const BY_METADATA = { reason: REASON, actor: 'test mode' };

/**
 * The events of a real submission, up to the status that the metadata force (test-mode-2): an approved one
 * that fraud checks flag goes through a review. None when it is no longer processed. Throws
 * `ProcessingAttemptSuperseded`.
 */
export const forceOutcome = (command: ForceOutcome, start: Submission): readonly SubmissionEvent[] => {
  if (start.status !== 'processing' || !start.forced?.outcome) return [];
  requireCurrent(command, start);
  let state = start;
  return stepsTo(start.forced.outcome, command).flatMap((step) => {
    const events = step(state);
    state = events.reduce(evolve, state);
    return events;
  });
};

const stepsTo = (outcome: Status, command: ForceOutcome): readonly Step[] => {
  switch (outcome) {
    case 'created':
    case 'processing':
      return [];
    case 'failed':
    case 'capture_quality_blocked':
      return [recording(command, { kind: outcome, reason: REASON })];
    case 'cancelled':
      return [(state) => cancel(BY_METADATA, state)];
    case 'review':
      return [recording(command, read(command, 'review'))];
    case 'rejected':
      return [...stepsTo('review', command), (state) => reject(BY_METADATA, state)];
    case 'approved':
      return [recording(command, read(command, 'approved')), approving];
    case 'synced':
      return [...stepsTo('approved', command), (state) => recordSync({}, state)];
  }
};

const recording =
  ({ round, attempt }: ForceOutcome, result: Result): Step =>
  (state) =>
    recordResult({ round, attempt, result }, state);

const approving: Step = (state) =>
  state.status === 'review'
    ? approve({ comment: REASON, actor: BY_METADATA.actor, corrections: {} }, state)
    : [];

const read = ({ extraction, fraud }: ForceOutcome, end: 'review' | 'approved'): Result => ({
  kind: 'extracted',
  extraction,
  ...(end === 'review'
    ? { confidence: 0.5, certainty: 0.5, reviewReasons: unsure(extraction) }
    : { confidence: 0.99, certainty: 0.99, reviewReasons: [] }),
  fraud,
});

/** Each field that has a value, as where a file is hard to read. */
const unsure = ({ extractedData }: Extraction): readonly ReviewReason[] => {
  const found = Object.keys(extractedData).filter((name) => extractedData[name] !== null);
  const fields = found.length > 0 ? found : [null];
  return fields.map((field) => ({ code: 'low_confidence', field }));
};
