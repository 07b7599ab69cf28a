import type { Decisions, Folds } from '../../kernel/byType.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import { closed, meaning, privatePart, Type, text } from '../../kernel/schema.ts';
import { move } from './guard.ts';
import { type ReviewReason, reviewReasons } from './result.ts';
import { type ReasonAndActor, stated } from './review.ts';
import { attempt, transition } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';
import { unreadStatuses } from './transitions.ts';

/** The event of what people read instead of the service. */
export const entryEvents = {
  SubmissionOpenedForEntry: {
    about: 'Its values are to be typed by a person: it is in review, and its fields are empty.',
    data: closed({
      ...transition,
      round: attempt.round,
      fields: meaning(Type.Array(Type.String()), 'the fields of the workflow, in its order'),
      reviewReasons: meaning(reviewReasons, 'the required fields, whose values are missing'),
      private: privatePart({ ...stated, reason: text('for people: why it is not processed') }),
    }),
  },
} as const satisfies EventDefinitions;

type EntryEvent = EventsOf<typeof entryEvents>;

/** The names of all fields of the version, and of those that are required. */
type OpenForEntry = Omit<ReasonAndActor, 'reason'> &
  Readonly<{ reason: string; fields: readonly string[]; required: readonly string[] }>;

/** The fold of a submission whose values are typed. */
export const entryFolds: Folds<Submission, EntryEvent> = {
  SubmissionOpenedForEntry: (state, { round, fields, reviewReasons }) => ({
    ...state,
    ...{ status: 'review', state: 'completed', round, attempt: 0, droppedAttempt: 0, failedReason: null },
    ...{ confidence: 0, certainty: 0, reviewReasons },
    extractedData: Object.fromEntries(fields.map((name) => [name, null])),
    fieldConfidences: Object.fromEntries(fields.map((name) => [name, 0])),
  }),
};

/** The decision to type the values of a submission. */
export const entryDecisions = {
  /**
   * A round that a person makes instead of the service: a failed or blocked submission goes to review with
   * empty fields (lifecycle-23). Throws `SubmissionNotEnterable`.
   */
  OpenForEntry: ({ reason, actor, fields, required }: OpenForEntry, state) => {
    const change = move(state, 'review', 'SubmissionNotEnterable', unreadStatuses);
    const reviewReasons = required.map((field): ReviewReason => ({ code: 'missing_required', field }));
    const round = state.round + 1;
    const data = { ...state.routing, ...change, round, fields, reviewReasons, private: { reason, actor } };
    return [{ type: 'SubmissionOpenedForEntry', data }];
  },
} satisfies Decisions<Submission, SubmissionEvent>;
