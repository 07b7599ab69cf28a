import type { Decisions, Folds } from '../../kernel/byType.ts';
import { DomainError } from '../../kernel/decider.ts';
import { type EventOf, reveal } from '../../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import {
  anyObject,
  closed,
  meaning,
  nullable,
  oneOf,
  privatePart,
  record,
  Type,
  text,
  time,
} from '../../kernel/schema.ts';
import { type Fingerprint, fingerprintEvents, recordFingerprints } from './fingerprints.ts';
import {
  assessFraud,
  type FraudMatch,
  FraudPolicy,
  FraudScore,
  FraudStatus,
  type JudgedMatch,
  openMatch,
  type Resolution,
  resolutions,
  StoredMatch,
} from './fraud.ts';
import { attempt, routing } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';
import { undecided } from './transitions.ts';

/** The events of fraud checks, and of the review of what they find. */
export const fraudEvents = {
  ...fingerprintEvents,
  SubmissionFraudChecked: {
    about: 'The checks of its workflow version were made.',
    data: closed({
      ...routing,
      round: attempt.round,
      matches: Type.Array(StoredMatch),
      policy: meaning(FraudPolicy, 'the thresholds of the version'),
      fraudStatus: FraudStatus,
      fraudScore: FraudScore,
      private: privatePart({ details: record(anyObject(''), 'what each match compared, by its id') }),
    }),
  },
  SubmissionFraudMatchResolved: {
    about: 'A reviewer resolved a fraud match.',
    data: closed({
      ...routing,
      matchId: Type.String(),
      resolution: oneOf(resolutions),
      previousResolution: Type.Optional(
        meaning(oneOf(resolutions), 'the resolution that this one replaces; absent where the match was open'),
      ),
      resolvedAt: time('when it was resolved'),
      fraudStatus: FraudStatus,
      fraudScore: FraudScore,
      private: privatePart({ resolvedBy: text('who resolved it'), comment: nullable(Type.String()) }),
    }),
  },
} as const satisfies EventDefinitions;

type FraudEvent = EventsOf<typeof fraudEvents>;
type FraudChecked = EventOf<FraudEvent, 'SubmissionFraudChecked'>;

type ResolveFraudMatch = Readonly<{
  matchId: string;
  resolution: Resolution;
  resolvedBy: string;
  comment: string | null;
  resolvedAt: string;
}>;

/** A submission's part of fraud checks. */
export type FraudState = Readonly<{
  /** What others are matched with; none before the checks, and none once it has failed or was cancelled. */
  fingerprints: readonly Fingerprint[];
  fraudStatus: FraudStatus | null;
  fraudScore: number | null;
  fraudPolicy: FraudPolicy | null;
  fraudMatches: readonly JudgedMatch[];
}>;

/** Before the first checks. */
export const notChecked: FraudState = {
  fingerprints: [],
  fraudStatus: null,
  fraudScore: null,
  fraudPolicy: null,
  fraudMatches: [],
};

/** The folds of fraud checks. */
export const fraudFolds: Folds<Submission, FraudEvent> = {
  SubmissionFingerprinted: (state, { fingerprints }) => ({ ...state, fingerprints }),
  SubmissionFraudChecked: (state, data) => {
    const { policy: fraudPolicy, fraudStatus, fraudScore } = data;
    const fraudMatches = checkedMatches(data).map(openMatch);
    return { ...state, fraudMatches, fraudPolicy, fraudStatus, fraudScore };
  },
  SubmissionFraudMatchResolved: (state, data) => {
    const { matchId, resolution, resolvedAt, fraudStatus, fraudScore } = data;
    const resolve = (match: JudgedMatch): JudgedMatch =>
      match.id === matchId
        ? { ...match, resolution, resolvedAt, resolvedBy: reveal(data.private, 'resolvedBy') }
        : match;
    return { ...state, fraudStatus, fraudScore, fraudMatches: state.fraudMatches.map(resolve) };
  },
};

/** The matches with what they compared; that is empty once the key is deleted. */
const checkedMatches = (data: FraudChecked['data']): readonly FraudMatch[] => {
  const { matches } = data;
  if (matches.length === 0) return []; // and what is private need not be opened
  const details = 'redacted' in data.private ? {} : data.private.details;
  return matches.map((match) => ({ ...match, details: details[match.id] ?? {} }));
};

/** The event that the checks of a submission were made, with these matches. */
export const fraudChecked = (
  { routing, round }: Submission,
  matches: readonly FraudMatch[],
  policy: FraudPolicy,
): FraudChecked => ({
  type: 'SubmissionFraudChecked',
  data: {
    ...routing,
    round,
    matches: matches.map(({ details: _, ...match }) => match),
    policy,
    ...assessFraud(matches.map(openMatch), policy),
    private: { details: Object.fromEntries(matches.map(({ id, details }) => [id, details])) },
  },
});

/** The decisions on fraud checks and their matches. */
export const fraudDecisions = {
  RecordFingerprints: recordFingerprints,
  /**
   * A reviewer's judgement of a match, in every status; it replaces another one while the submission is not
   * final. Nothing when it is the same again. Throws `FraudMatchNotFound`, `FraudMatchResolved` when it was
   * resolved otherwise and the submission is final.
   */
  ResolveFraudMatch: (command: ResolveFraudMatch, state) => {
    const { matchId, resolution, resolvedBy, comment, resolvedAt } = command;
    const match = state.fraudMatches.find(({ id }) => id === matchId);
    if (!match || !state.fraudPolicy) {
      throw new DomainError('FraudMatchNotFound', 'There is no such fraud match.');
    }
    if (match.resolution === resolution) return [];
    if (match.resolution !== null && !undecided.includes(state.status)) {
      const { status } = state;
      const message = `The match has been ${match.resolution}, and the submission is ${status}: a resolution can be replaced until then only.`;
      throw new DomainError('FraudMatchResolved', message, { currentStatus: status, allowedFrom: undecided });
    }
    const judged = state.fraudMatches.map((other) =>
      other.id === matchId ? { ...other, resolution } : other,
    );
    const data = {
      ...state.routing,
      matchId,
      resolution,
      ...(match.resolution === null ? {} : { previousResolution: match.resolution }),
      resolvedAt,
      ...assessFraud(judged, state.fraudPolicy),
      private: { resolvedBy, comment },
    };
    return [{ type: 'SubmissionFraudMatchResolved', data }];
  },
} satisfies Decisions<Submission, SubmissionEvent>;
