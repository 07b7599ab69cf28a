import { holdAttempt, present } from './guard.ts';
import type { Extraction, ReviewReason } from './result.ts';
import { type Result, recordResult } from './result.ts';
import { approve, cancel, reject } from './review.ts';
import { evolve, type Submission, type SubmissionEvent } from './state.ts';
import { recordSync } from './sync.ts';
import type { Status } from './transitions.ts';

/** What a forced submission shows as read, and its fraud checks as made; null for none. */
export type ForceOutcome = Readonly<{
  type: 'ForceOutcome';
  round: number;
  attempt: number;
  extraction: Extraction;
  fraud: Extract<Result, { kind: 'extracted' }>['fraud'];
}>;

type Step = (state: Submission) => readonly SubmissionEvent[];

const REASON = 'Forced by the metadata member intake:outcome.';
const ACTOR = 'test mode';

/**
 * The way of a submission in test mode to the status that its metadata force, with all events that a real one
 * would leave (test-mode-2): what is approved though its fraud checks flag it went through a review. Nothing
 * when it is no longer processed. Throws `ProcessingAttemptSuperseded`.
 */
export const forceOutcome = (
  command: ForceOutcome,
  current: Submission | null,
): readonly SubmissionEvent[] => {
  const start = present(current);
  if (start.status !== 'processing' || !start.forced?.outcome) return [];
  holdAttempt(command, start);
  let state = start;
  return stepsTo(start.forced.outcome, command).flatMap((step) => {
    const events = step(state);
    state = present(events.reduce<Submission | null>(evolve, state));
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
      return [(state) => cancel({ type: 'Cancel', reason: REASON, actor: ACTOR }, state)];
    case 'review':
      return [recording(command, read(command, 'review'))];
    case 'rejected':
      return [
        recording(command, read(command, 'review')),
        (state) => reject({ type: 'Reject', reason: REASON, actor: ACTOR }, state),
      ];
    case 'approved':
      return [recording(command, read(command, 'approved')), approving];
    case 'synced':
      return [...stepsTo('approved', command), (state) => recordSync({ type: 'RecordSync' }, state)];
  }
};

const recording =
  ({ round, attempt }: ForceOutcome, result: Result): Step =>
  (state) =>
    recordResult({ type: 'RecordResult', round, attempt, result }, state);

const approving: Step = (state) =>
  state.status === 'review'
    ? approve({ type: 'Approve', comment: REASON, actor: ACTOR, corrections: {} }, state)
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
