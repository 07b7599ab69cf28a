import type { Decisions, Folds } from '../../kernel/byType.ts';
import { DomainError } from '../../kernel/decider.ts';
import { type Actor, actorText, type EventOf, REDACTED } from '../../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import * as metadata from '../../kernel/metadata.ts';
import { pick } from '../../kernel/pick.ts';
import { closed, meaning, privatePart, Type, text, time, whole } from '../../kernel/schema.ts';
import { afterRetention, type Basis, basis } from '../redactionBasis.ts';
import { redactedEcho } from './echoed.ts';
import { forgotten, forgottenFingerprints } from './fingerprints.ts';
import { cancel } from './review.ts';
import { routing } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';
import { underWay } from './transitions.ts';

/** The events of redaction and of legal hold. */
export const redactionEvents = {
  SubmissionRedactionRequested: {
    about:
      'What is private of it is to be removed for ever. From here on nothing of it is shown, and nobody works on it.',
    redacts: true,
    data: closed({
      ...routing,
      ...basis,
      redactionId: Type.Optional(
        text('the redaction of several that it is part of; absent for one by itself'),
      ),
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

/** A submission's part of redaction and legal hold; null where there is none. */
export type RedactionState = Readonly<{
  redaction: 'requested' | 'done' | null;
  legalHold: Readonly<{ since: string; by: Actor }> | null;
}>;

/** Before a redaction, without a legal hold. */
export const notRedacted: RedactionState = { redaction: null, legalHold: null };

/** The folds of redaction and of legal hold. */
export const redactionFolds: Folds<Submission, RedactionEvent> = {
  SubmissionRedactionRequested: (state) => ({
    ...withoutPrivateMembers(state),
    redaction: 'requested',
    fingerprints: [],
  }),
  SubmissionRedacted: (state) => ({ ...state, redaction: 'done' }),
  SubmissionLegalHoldPlaced: (state, { placedAt: since, by }) => ({ ...state, legalHold: { since, by } }),
  SubmissionLegalHoldLifted: (state) => ({ ...state, legalHold: null }),
};

const redactedUnlessNull = <T>(value: T): typeof REDACTED | null => (value === null ? null : REDACTED);

/** The state as it would be folded if the keys of its events were destroyed (redaction-3). */
const withoutPrivateMembers = (state: Submission): Submission => ({
  ...state,
  fileNames: {},
  webhookUrl: redactedUnlessNull(state.webhookUrl),
  ...redactedEcho,
  forced: null,
  batchRef: REDACTED,
  extractedData: redactedUnlessNull(state.extractedData),
  fieldConfidences: redactedUnlessNull(state.fieldConfidences),
  aiSummary: redactedUnlessNull(state.aiSummary),
  result: redactedUnlessNull(state.result),
  failedReason: redactedUnlessNull(state.failedReason),
  rejectReason: state.status === 'rejected' ? REDACTED : null,
  cancelReason: state.status === 'cancelled' && state.state !== 'expired' ? REDACTED : state.cancelReason,
  corrections: [],
  firstDecision: state.firstDecision && {
    ...state.firstDecision,
    ...{ comment: REDACTED, reason: REDACTED, actor: REDACTED, corrections: [] },
  },
  fraudMatches: state.fraudMatches.map((match) => ({
    ...match,
    details: {},
    resolvedBy: match.resolution === null ? null : REDACTED,
  })),
});

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
      ? [{ type: 'SubmissionRedacted', data: { ...state.routing, objects, deliveries } }]
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

const requestOf = ({ redactionId, ...given }: Redact, state: Submission) => {
  const { routing, webhookUrl } = state;
  return {
    type: 'SubmissionRedactionRequested',
    data: {
      ...routing,
      ...pick(given, 'reason', 'legalBasis', 'requestedBy'),
      ...(redactionId === undefined ? {} : { redactionId }),
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
