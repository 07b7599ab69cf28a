import type { Folds } from '../../kernel/byType.ts';
import { DomainError } from '../../kernel/decider.ts';
import { type EventOf, reveal } from '../../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import { escapePointer } from '../../kernel/fault.ts';
import { closed, meaning, nullable, type OfMembers, privatePart, Type, text } from '../../kernel/schema.ts';
import { forgotten, forgottenFingerprints } from './fingerprints.ts';
import {
  Correction,
  completed,
  type FourEyes,
  firstDecisionOf,
  noFirstDecision,
  secondEye,
  secondEyeOf,
  withFirst,
} from './fourEyes.ts';
import { refuseBlocked } from './fraud.ts';
import { move } from './guard.ts';
import type { ExtractedData, Place } from './processingResult.ts';
import { transition } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';
import { pendingSync, pendingTarget, type SyncTarget, syncTarget } from './sync.ts';

const actor = nullable(text('who decided, as the client names people'));
const reason = nullable(text('for people'));

/** What is stated with a decision. */
export const stated = { reason, actor };

/** The events of a review, and of what ends a submission without one. */
export const reviewEvents = {
  SubmissionApproved: {
    about: 'A reviewer approved it, perhaps with corrections.',
    data: closed({
      ...transition,
      ...syncTarget,
      ...secondEye,
      missing: Type.Optional(
        meaning(
          Type.Array(Type.String()),
          'the required fields that have no value; absent where all have one',
        ),
      ),
      private: privatePart({
        comment: nullable(Type.String()),
        actor,
        corrections: Type.Array(Correction),
      }),
    }),
  },
  SubmissionRejected: {
    about: 'A reviewer rejected it, for good.',
    data: closed({ ...transition, ...secondEye, private: privatePart(stated) }),
  },
  SubmissionCancelled: {
    about: 'It was cancelled before it was approved.',
    data: closed({ ...transition, ...forgottenFingerprints, private: privatePart(stated) }),
  },
} as const satisfies EventDefinitions;

type ReviewEvent = EventsOf<typeof reviewEvents>;
type SubmissionApproved = EventOf<ReviewEvent, 'SubmissionApproved'>;

type Approve = Readonly<{
  comment: string | null;
  actor: string | null;
  /** Field name to the value a person gave; null clears. */
  corrections: ExtractedData;
  /** Where those values stand that were taken from pages, by field. */
  places?: Readonly<Record<string, Place>>;
  /** The required fields of its version, and whether each must have a value. */
  required?: readonly string[];
  requireComplete?: boolean;
}> &
  SyncTarget &
  FourEyes;
export type ReasonAndActor = OfMembers<typeof stated>;
/** A submission's part of reviews. */
export type ReviewState = Readonly<{
  corrections: readonly Correction[];
  /** The required fields that it was approved without. */
  missing: readonly string[];
  rejectReason: string | null;
  cancelReason: string | null;
}>;

/** Before a review. */
export const notReviewed: ReviewState = {
  corrections: [],
  missing: [],
  rejectReason: null,
  cancelReason: null,
};

/** The folds of a review. */
export const reviewFolds: Folds<Submission, ReviewEvent> = {
  SubmissionApproved: (state, data) => ({
    ...state,
    status: 'approved',
    sync: pendingSync(data),
    ...completed(state, 'approved'),
    ...corrected(state, data.private),
    missing: data.missing ?? [],
  }),
  SubmissionRejected: (state, { private: part }) => ({
    ...state,
    status: 'rejected',
    ...completed(state, 'rejected'),
    rejectReason: reveal(part, 'reason'),
  }),
  SubmissionCancelled: (state, { private: part }) => ({
    ...state,
    status: 'cancelled',
    state: endedProcessing(state) ? state.state : 'cancelled',
    fingerprints: [],
    ...noFirstDecision,
    cancelReason: reveal(part, 'reason'),
  }),
};

/** A job whose processing ended stays `completed` or `failed` when its submission is cancelled. */
const endedProcessing = (state: Submission): boolean =>
  state.state === 'completed' || state.state === 'failed';

const corrected = (
  state: Submission,
  part: SubmissionApproved['data']['private'],
): Pick<Submission, 'corrections' | 'extractedData'> => {
  if ('redacted' in part || typeof state.extractedData === 'string')
    return { corrections: [], extractedData: state.extractedData };
  const values = Object.fromEntries(part.corrections.map(({ field, humanValue }) => [field, humanValue]));
  return { corrections: part.corrections, extractedData: { ...state.extractedData, ...values } };
};

/**
 * A reviewer's approval, or the first of two. Throws `SubmissionNotInReview`, `SecondPersonRequired`, while
 * fraud blocks it `FraudUnresolved` or `FraudConfirmed` (fraud-22), and `ValuesMissing` (review-18).
 */
export const approve = (command: Approve, state: Submission): readonly SubmissionEvent[] => {
  const change = move(state, 'approved', 'SubmissionNotInReview', ['review']);
  refuseBlocked(state);
  const { comment, actor } = command;
  const own = corrections(command, state);
  const all = withFirst(own, state);
  const missing = missingIn(command, all, state);
  if (command.requireComplete) refuseMissing(missing);
  const first = firstDecisionOf(command, 'approved', { comment, actor, corrections: own }, state);
  if (first) return [first];
  const data = {
    ...state.routing,
    ...change,
    ...pendingTarget(command, state),
    ...secondEyeOf(command, 'approved', state),
    ...(missing.length > 0 ? { missing } : {}),
    private: { comment, actor, corrections: all },
  };
  return [{ type: 'SubmissionApproved', data }];
};

/**
 * A reviewer's rejection, which is final, or the first of two. Throws `SubmissionNotInReview` and
 * `SecondPersonRequired`.
 */
export const reject = (command: ReasonAndActor & FourEyes, state: Submission): readonly SubmissionEvent[] => {
  const change = move(state, 'rejected', 'SubmissionNotInReview');
  const { reason, actor } = command;
  const first = firstDecisionOf(command, 'rejected', { reason, actor }, state);
  if (first) return [first];
  const data = { ...state.routing, ...change, ...secondEyeOf(command, 'rejected', state) };
  return [{ type: 'SubmissionRejected', data: { ...data, private: { reason, actor } } }];
};

/** A cancellation before the submission is approved or synced. Throws `SubmissionNotCancellable`. */
export const cancel = ({ reason, actor }: ReasonAndActor, state: Submission): readonly ReviewEvent[] => {
  const change = move(state, 'cancelled', 'SubmissionNotCancellable');
  const data = { ...state.routing, ...change, ...forgotten(state), private: { reason, actor } };
  return [{ type: 'SubmissionCancelled', data }];
};

const corrections = (command: Approve, state: Submission): readonly Correction[] => {
  const machine: ExtractedData =
    typeof state.extractedData === 'object' && state.extractedData !== null ? state.extractedData : {};
  const places = new Map(Object.entries(command.places ?? {}));
  return Object.entries(command.corrections).map(([field, humanValue]) => {
    const place = places.get(field);
    const machineValue = Object.hasOwn(machine, field) ? (machine[field] ?? null) : null;
    return { field, machineValue, humanValue, ...(place && { place }) };
  });
};

/** The required fields that have no value, with these corrections; a blank text is not one. */
const missingIn = (
  { required = [] }: Approve,
  all: readonly Correction[],
  { extractedData }: Submission,
): readonly string[] => {
  if (typeof extractedData === 'string') return [];
  const values = new Map<string, unknown>(Object.entries(extractedData ?? {}));
  for (const { field, humanValue } of all) values.set(field, humanValue);
  return required.filter((name) => String(values.get(name) ?? '').trim() === '');
};

const refuseMissing = (missing: readonly string[]): void => {
  if (missing.length === 0) return;
  const errors = missing.map((name) => ({ pointer: `/corrections/${escapePointer(name)}`, detail: MISSING }));
  throw new DomainError('ValuesMissing', 'The workflow takes no approval without its required values.', {
    errors,
  });
};

const MISSING = 'is required, and has no value';

/** The decisions of a review. */
export const reviewDecisions = { Approve: approve, Reject: reject, Cancel: cancel };
