import type { Decisions, Folds } from '../../kernel/byType.ts';
import { DomainError } from '../../kernel/decider.ts';
import { type Actor, actorText, type EventOf } from '../../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import * as metadata from '../../kernel/metadata.ts';
import { pick } from '../../kernel/pick.ts';
import { closed, meaning, privatePart, Type, text, time, whole } from '../../kernel/schema.ts';
import { afterRetention, type Basis, basis } from '../redactionBasis.ts';
import { forgotten, forgottenFingerprints } from './fingerprints.ts';
import { withoutPrivateMembers } from './redactedState.ts';
import { cancel } from './review.ts';
import { routing } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';
import { underWay } from './transitions.ts';

const redactionId = Type.Optional(
  text('the redaction of several that it is part of; absent for one by itself'),
);

/** The events of redaction and of legal hold. */
export const redactionEvents = {
  SubmissionRedactionRequested: {
    about:
      'What is private of it is to be removed for ever. From here on nothing of it is shown, and nobody works on it.',
    redacts: true,
    data: closed({
      ...routing,
      ...basis,
      redactionId,
      ...forgottenFingerprints,
      private: Type.Optional(
        meaning(
          privatePart({ webhookUrl: Type.String() }),
          'where its last webhook goes, under a key of its own; absent where that is nowhere',
        ),
      ),
    }),
  },
  SubmissionRedacted: {
    about:
      'What is private of it has been removed: its files, its webhooks, and the key that sealed the rest.',
    data: closed({
      ...routing,
      redactionId,
      objects: whole('how many objects were removed from the storage'),
      deliveries: whole('how many webhooks lost their bytes and addresses'),
    }),
  },
  SubmissionLegalHoldPlaced: {
    about: 'It must be kept: until the hold is lifted nothing redacts it.',
    data: closed({
      ...routing,
      by: meaning(metadata.Actor, 'who placed it'),
      placedAt: time('when it was placed'),
      private: privatePart({ reason: text('for people') }),
    }),
  },
  SubmissionLegalHoldLifted: { about: 'It need not be kept any longer.', data: closed(routing) },
} as const satisfies EventDefinitions;

export type RedactionEvent = EventsOf<typeof redactionEvents>;
export type RedactionRequested = EventOf<RedactionEvent, 'SubmissionRedactionRequested'>;

/** `redactionId`: the redaction of several that it is part of. */
type Redact = Basis & Readonly<{ redactionId?: string }>;
/** `days`: for how many it was kept after its end. */
type RedactRetained = Readonly<{ days: number }>;
type RecordRedaction = Readonly<{ objects: number; deliveries: number }>;
/** `at`: the time now, in ISO 8601. */
type PlaceLegalHold = Readonly<{ reason: string; by: Actor; at: string }>;

/**
 * A submission's part of redaction and legal hold; null where there is none. `redactionId`: absent but for
 * one of several.
 */
export type RedactionState = Readonly<{
  redaction: 'requested' | 'done' | null;
  redactionId?: string;
  legalHold: Readonly<{ since: string; by: Actor }> | null;
}>;

/** Before a redaction, without a legal hold. */
export const notRedacted: RedactionState = { redaction: null, legalHold: null };

/** The folds of redaction and of legal hold. */
export const redactionFolds: Folds<Submission, RedactionEvent> = {
  SubmissionRedactionRequested: (state, data) => ({
    ...withoutPrivateMembers(state),
    redaction: 'requested',
    ...ofSeveral(data),
    fingerprints: [],
  }),
  SubmissionRedacted: (state) => ({ ...state, redaction: 'done' }),
  SubmissionLegalHoldPlaced: (state, { placedAt: since, by }) => ({ ...state, legalHold: { since, by } }),
  SubmissionLegalHoldLifted: (state) => ({ ...state, legalHold: null }),
};

/** Refuses what people want to do with a submission once its redaction was requested (redaction-4). */
export const refuseRedacted = (): never => {
  throw new DomainError(
    'SubmissionRedacted',
    'The submission is redacted, or about to be: nothing is left to do with it.',
  );
};

/** Why a redaction can't be certified: it is not done, or something has come back (certificate-2). */
export const redactionNotDone = (why: string): DomainError => new DomainError('RedactionNotDone', why);

/** The decisions on redaction and legal hold. */
export const redactionDecisions = {
  /**
   * Requests that what is private is removed for ever, and cancels what is under way. Nothing when it was
   * requested before. Throws `LegalHold`.
   */
  Redact: (request: Redact, state) => {
    if (state.redaction !== null) return [];
    refuseHeld(state);
    const requested = requestOf(request, state);
    if (!underWay.includes(state.status)) return [requested];
    const after = redactionFolds.SubmissionRedactionRequested(state, requested.data);
    return [requested, ...cancel({ reason: null, actor: null }, after)];
  },
  /**
   * The same for what its company keeps no longer (retention-6). Nothing where it is under way again or
   * under a legal hold.
   */
  RedactRetained: ({ days }: RedactRetained, state) =>
    state.legalHold !== null || underWay.includes(state.status)
      ? []
      : [requestOf(afterRetention(days), state)],
  /** What is private has been removed. Nothing unless that was requested and not recorded yet. */
  RecordRedaction: ({ objects, deliveries }: RecordRedaction, state) =>
    state.redaction === 'requested'
      ? [
          {
            type: 'SubmissionRedacted',
            data: { ...state.routing, ...ofSeveral(state), objects, deliveries },
          },
        ]
      : [],
  /** Nothing when there is a hold already: its reason and its beginning stay. */
  PlaceLegalHold: ({ reason, by, at }: PlaceLegalHold, state) =>
    state.legalHold === null
      ? [
          {
            type: 'SubmissionLegalHoldPlaced',
            data: { ...state.routing, by, placedAt: at, private: { reason } },
          },
        ]
      : [],
  /** Nothing where there is no hold. */
  LiftLegalHold: (_input, state) =>
    state.legalHold === null ? [] : [{ type: 'SubmissionLegalHoldLifted', data: state.routing }],
} satisfies Decisions<Submission, SubmissionEvent>;

/** The redaction of several, where it is part of one. */
const ofSeveral = ({ redactionId }: Readonly<{ redactionId?: string | undefined }>) =>
  redactionId === undefined ? {} : { redactionId };

const requestOf = (given: Redact, state: Submission) => {
  const { routing, webhookUrl } = state;
  return {
    type: 'SubmissionRedactionRequested',
    data: {
      ...routing,
      ...pick(given, 'reason', 'legalBasis', 'requestedBy'),
      ...ofSeveral(given),
      ...forgotten(state),
      ...(webhookUrl === null ? {} : { private: { webhookUrl } }),
    },
  } as const;
};

/** Throws `LegalHold` while there is one (hold-1). */
const refuseHeld = ({ legalHold }: Submission): void => {
  if (legalHold === null) return;
  const { since, by } = legalHold;
  const message = `A legal hold was placed on the submission at ${since} by ${actorText(by)}: it must be lifted first.`;
  throw new DomainError('LegalHold', message);
};
