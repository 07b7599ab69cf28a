import type { Decisions, Folds } from '../../kernel/byType.ts';
import { DomainError } from '../../kernel/decider.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import { closed, nullable, privatePart, Type, text, time } from '../../kernel/schema.ts';
import { requireInReview } from './guard.ts';
import { routing } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';

/** The events by which reviewers share their work. None changes the status. */
export const teamworkEvents = {
  SubmissionNoteAdded: {
    about: 'Somebody wrote a note on it, for those who review it.',
    data: closed({ ...routing, private: privatePart({ text: Type.String() }) }),
  },
  SubmissionAssigned: {
    about: 'Its review was given to a person, or to nobody in particular.',
    data: closed({
      ...routing,
      assignee: nullable(text('the user who is to review it; null for nobody in particular')),
    }),
  },
  SubmissionPostponed: {
    about: 'Its review was put off: until then the queue leaves it out.',
    data: closed({
      ...routing,
      until: time('when the queue shows it again'),
      private: privatePart({ reason: text('for people') }),
    }),
  },
  SubmissionResumed: {
    about: 'Its review is due before the time to which it was put off.',
    data: closed(routing),
  },
} as const satisfies EventDefinitions;

export type TeamworkEvent = EventsOf<typeof teamworkEvents>;

/** A submission's part of what reviewers share. */
export type TeamworkState = Readonly<{
  /** The user who is to review it; null for nobody in particular. */
  assignee: string | null;
  /** Until when its review is put off; also a time that has passed. Null where it is not. */
  postponedUntil: string | null;
}>;

/** Before anybody has shared anything. */
export const notShared: TeamworkState = { assignee: null, postponedUntil: null };

/** The folds of what reviewers share. */
export const teamworkFolds: Folds<Submission, TeamworkEvent> = {
  SubmissionNoteAdded: (state) => state,
  SubmissionAssigned: (state, { assignee }) => ({ ...state, assignee }),
  SubmissionPostponed: (state, { until }) => ({ ...state, postponedUntil: until }),
  SubmissionResumed: (state) => ({ ...state, postponedUntil: null }),
};

/** The longest time that a review is put off for. */
export const MAX_POSTPONED_DAYS = 90;
const DAY_MS = 86_400_000;

type Assign = Readonly<{ assignee: string | null }>;
/** `until`, and `now`: in ISO 8601. */
type Postpone = Readonly<{ until: string; reason: string; now: string }>;

/** The decisions by which reviewers share their work. */
export const teamworkDecisions = {
  AddNote: ({ text }: Readonly<{ text: string }>, { routing }) => [
    { type: 'SubmissionNoteAdded', data: { ...routing, private: { text } } },
  ],
  /** Nothing where it is so already. Throws `SubmissionNotInReview`. */
  Assign: ({ assignee }: Assign, state) => {
    requireInReview(state);
    return state.assignee === assignee
      ? []
      : [{ type: 'SubmissionAssigned', data: { ...state.routing, assignee } }];
  },
  /**
   * Throws `SubmissionNotInReview`, and `PostponedWrongly` for a time that has passed or is too far ahead.
   */
  Postpone: ({ until, reason, now }: Postpone, state) => {
    requireInReview(state);
    const aheadMs = Date.parse(until) - Date.parse(now);
    if (!(aheadMs > 0 && aheadMs <= MAX_POSTPONED_DAYS * DAY_MS)) refuseTime();
    return [{ type: 'SubmissionPostponed', data: { ...state.routing, until, private: { reason } } }];
  },
  /** Nothing where it is not put off. Throws `SubmissionNotInReview`. */
  Resume: (_input, state) => {
    requireInReview(state);
    return state.postponedUntil === null ? [] : [{ type: 'SubmissionResumed', data: state.routing }];
  },
} satisfies Decisions<Submission, SubmissionEvent>;

const refuseTime = (): never => {
  const detail = `must be a time ahead, at most ${MAX_POSTPONED_DAYS} days from now`;
  throw new DomainError('PostponedWrongly', 'A review is put off to a time ahead.', {
    errors: [{ pointer: '/until', detail }],
  });
};
