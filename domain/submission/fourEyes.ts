import type { Folds } from '../../kernel/byType.ts';
import { DomainError } from '../../kernel/decider.ts';
import { type Actor, type EventOf, reveal } from '../../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import * as metadata from '../../kernel/metadata.ts';
import {
  closed,
  meaning,
  nullable,
  type Of,
  type OfMembers,
  oneOf,
  opaque,
  privatePart,
  Type,
  text,
} from '../../kernel/schema.ts';
import { type FourEyesOutcome, fourEyesOutcomes, type WorkflowVersion } from '../workflow.ts';
import { type FieldValue, Place } from './processingResult.ts';
import { routing } from './routing.ts';
import type { Submission } from './state.ts';

/** What a person made of a value. */
export const Correction = closed({
  field: Type.String(),
  machineValue: Type.Unsafe<FieldValue>(opaque('what was read')),
  humanValue: Type.Unsafe<FieldValue>(opaque('what a person gave; null clears')),
  place: Type.Optional(
    meaning(Place, 'where a person took the value from a page; absent where it was typed, or cleared'),
  ),
});
export type Correction = Of<typeof Correction>;

const Outcome = oneOf(fourEyesOutcomes);

/** The event of the first of two decisions. */
export const fourEyesEvents = {
  SubmissionFirstDecisionMade: {
    about: 'The first of the two people that its workflow version asks for decided: it stays in review.',
    data: closed({
      ...routing,
      outcome: meaning(Outcome, 'what the second person can complete'),
      by: meaning(metadata.Actor, 'who decided: the second person must be another'),
      keyCreatedBy: Type.Optional(
        text('the user who created the key that decided; absent for a person, and a key of the operator'),
      ),
      keyMadeBefore: Type.Optional(
        meaning(
          Type.Array(Type.String()),
          'the other users who created the keys that this one replaces; absent where there are none',
        ),
      ),
      withdraws: Type.Optional(
        meaning(Outcome, 'the first decision that this one replaces; absent where there was none'),
      ),
      private: privatePart({
        comment: nullable(text('of an approval')),
        reason: nullable(text('of a rejection')),
        actor: nullable(text('who decided, as the client names people')),
        corrections: Type.Array(Correction),
      }),
    }),
  },
} as const satisfies EventDefinitions;

type FourEyesEvent = EventsOf<typeof fourEyesEvents>;
type FirstDecisionMade = EventOf<FourEyesEvent, 'SubmissionFirstDecisionMade'>;

/** What was said with a first decision. Texts read as `REDACTED` once their key is destroyed. */
type Said = Readonly<{
  comment: string | null;
  reason: string | null;
  actor: string | null;
  corrections: readonly Correction[];
}>;
/**
 * Who decides: a person, or a key, which counts as the user who created it (absent: the operator) and as
 * those who created the keys that it replaces.
 */
export type Decided = Readonly<{ by: Actor; keyCreatedBy?: string; keyMadeBefore?: readonly string[] }>;
type FirstDecision = Readonly<{ outcome: FourEyesOutcome }> & Decided & Said;

/** A submission's first decision of two: it waits for the second, or that has completed it; null for none. */
export type FourEyesState = Readonly<{ firstDecision: FirstDecision | null }>;

/** Before anybody has decided. */
export const noFirstDecision: FourEyesState = { firstDecision: null };

/** The fold of the first of two decisions. */
export const fourEyesFolds: Folds<Submission, FourEyesEvent> = {
  SubmissionFirstDecisionMade: (state, { outcome, private: part, ...data }) => ({
    ...state,
    firstDecision: {
      outcome,
      ...decidedIn(data),
      comment: reveal(part, 'comment'),
      reason: reveal(part, 'reason'),
      actor: reveal(part, 'actor'),
      corrections: 'redacted' in part ? [] : part.corrections,
    },
  }),
};

/** The first decision once the submission has this outcome: another outcome has withdrawn it. */
export const completed = ({ firstDecision }: Submission, outcome: FourEyesOutcome): FourEyesState => ({
  firstDecision: firstDecision?.outcome === outcome ? firstDecision : null,
});

/** By whom a person was invited, and the password last reset; absent where it was nobody of the users. */
export type Origin = Readonly<{ invitedBy?: string; resetBy?: string }>;

/** Who decides, given where the version asks for two people for this outcome. */
export type FourEyes = Partial<Decided> & Readonly<{ origin?: Origin }>;

/** Whether a version asks for two people for this outcome. */
export const needsTwo = (
  { processing }: Pick<WorkflowVersion, 'processing'>,
  outcome: FourEyesOutcome,
): boolean => processing.fourEyes?.includes(outcome) ?? false;

/**
 * The event of a decision that waits for a second person; null where one person decides, or another one has
 * decided the same (review-11). Throws `SecondPersonRequired` for the same decision of the same person.
 */
export const firstDecisionOf = (
  { by, ...behind }: FourEyes,
  outcome: FourEyesOutcome,
  said: Partial<Said>,
  { firstDecision: made, routing }: Submission,
): FirstDecisionMade | null => {
  if (by === undefined) return null;
  const decided = decidedIn({ by, ...behind });
  if (made?.outcome === outcome) return requireAnother(made, decided);
  const part = { comment: null, reason: null, actor: null, corrections: [], ...said };
  const withdrawn = made ? { withdraws: made.outcome } : {};
  return {
    type: 'SubmissionFirstDecisionMade',
    data: { ...routing, outcome, ...decided, ...withdrawn, private: part },
  };
};

const decidedIn = ({ by, keyCreatedBy, keyMadeBefore }: Decided): Decided => ({
  by,
  ...(keyCreatedBy === undefined ? {} : { keyCreatedBy }),
  ...(keyMadeBefore === undefined ? {} : { keyMadeBefore }),
});

/** Whether one person stands behind two decisions: by a key too, or by two keys (review-14, review-20). */
export const isSamePerson = (one: Decided, other: Decided): boolean => {
  const people = peopleBehind(other);
  return isSameActor(one.by, other.by) || peopleBehind(one).some((person) => people.includes(person));
};

/** The people who stand behind a decision; none for a key that was only ever the operator's. */
export const peopleBehind = ({ by, keyCreatedBy, keyMadeBefore = [] }: Decided): readonly string[] => {
  if (by.kind === 'user') return [by.id];
  return keyCreatedBy === undefined ? keyMadeBefore : [keyCreatedBy, ...keyMadeBefore];
};

/** In what way the second of two people depends on the first; absent where in none. */
export const secondEye = {
  secondEye: Type.Optional(
    meaning(
      oneOf(['invited', 'reset']),
      'that who made the first decision had invited who made this one, or was the last to reset their password; absent where neither',
    ),
  ),
};
export type SecondEye = OfMembers<typeof secondEye>;

/** The mark of a decision that completes that of somebody on whom the second person depends (review-21). */
export const secondEyeOf = (
  { by, origin = {} }: FourEyes,
  outcome: FourEyesOutcome,
  state: Submission,
): SecondEye => {
  const { firstDecision } = completed(state, outcome);
  if (firstDecision === null || by === undefined) return {};
  const { invitedBy, resetBy } = origin;
  const first = peopleBehind(firstDecision);
  if (resetBy !== undefined && first.includes(resetBy)) return { secondEye: 'reset' };
  return invitedBy !== undefined && first.includes(invitedBy) ? { secondEye: 'invited' } : {};
};

const isSameActor = (one: Actor, other: Actor): boolean => one.kind === other.kind && one.id === other.id;

const requireAnother = (first: FirstDecision, second: Decided): null => {
  if (!isSamePerson(first, second)) return null;
  const who = isSameActor(first.by, second.by)
    ? 'You have made'
    : 'The same person, by whom a key was created, has made';
  const message = `${who} the first of the two decisions that it can become ${first.outcome} by: somebody else must make the second.`;
  throw new DomainError('SecondPersonRequired', message, { currentStatus: 'review' });
};

/** The corrections of a second approval over those of the first. */
export const withFirst = (second: readonly Correction[], state: Submission): readonly Correction[] => {
  const { firstDecision } = completed(state, 'approved');
  const replaced = new Set(second.map(({ field }) => field));
  return [...(firstDecision?.corrections ?? []).filter(({ field }) => !replaced.has(field)), ...second];
};
