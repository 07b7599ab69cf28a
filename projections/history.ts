import type { SubmissionEvent } from '../domain/submission/state.ts';
import { type EventOf, publicName, type Recorded, reveal } from '../kernel/event.ts';

/** An entry of a submission's event history (history-3). */
export type HistoryItem = Readonly<{
  type: string;
  occurredAt: string;
  details: Readonly<Record<string, unknown>> | null;
}>;

type Details<E extends SubmissionEvent> = { of(event: Recorded<E>): HistoryItem['details'] }['of'];

const reasonAndActor: Details<EventOf<SubmissionEvent, 'SubmissionRejected' | 'SubmissionCancelled'>> = ({
  data,
}) => ({
  reason: reveal(data.private, 'reason'),
  actor: reveal(data.private, 'actor'),
});

/** The details that an entry shows: no addresses, no keys, and no data that the submission shows. */
const details: { [E in SubmissionEvent as E['type']]: Details<E> } = {
  SessionCreated: ({ data }) => ({ expiresAt: data.expiresAt }),
  SessionSubmitted: ({ data }) => ({ files: data.files.map(({ etag: _, ...file }) => file) }),
  SessionExpired: () => null,
  SubmissionProcessingStarted: ({ data: { round, attempt } }) => ({ round, attempt }),
  SubmissionProcessingDelayed: ({ data: { round, attempt, retryAt, private: part } }) => ({
    round,
    attempt,
    retryAt,
    reason: reveal(part, 'reason'),
  }),
  SubmissionFingerprinted: ({ data: { round, fingerprints } }) => ({
    round,
    checks: [...new Set(fingerprints.map(({ checkType }) => checkType))],
  }),
  SubmissionFraudChecked: ({ data: { fraudStatus, fraudScore, matches } }) => ({
    fraudStatus,
    fraudScore,
    matches: matches.length,
  }),
  SubmissionProcessed: ({ data }) => {
    const { to, round, confidence, certainty, fraudStatus, fraudScore, reviewReasons } = data;
    return { submissionStatus: to, round, confidence, certainty, fraudStatus, fraudScore, reviewReasons };
  },
  SubmissionProcessingFailed: ({ data: { to, round, private: part } }) => ({
    submissionStatus: to,
    round,
    reason: reveal(part, 'reason'),
  }),
  SubmissionResultDropped: ({ data: { round, attempt, outcome } }) => ({ round, attempt, outcome }),
  SubmissionReprocessingRequested: ({ data: { round } }) => ({ round }),
  SubmissionApproved: ({ data: { private: part } }) => ({
    comment: reveal(part, 'comment'),
    actor: reveal(part, 'actor'),
    corrections: reveal(part, 'corrections'),
  }),
  SubmissionRejected: reasonAndActor,
  SubmissionCancelled: reasonAndActor,
  SubmissionFraudMatchResolved: ({ data }) => {
    const { matchId, resolution, previousResolution = null, fraudStatus, fraudScore } = data;
    const [resolvedBy, comment] = [reveal(data.private, 'resolvedBy'), reveal(data.private, 'comment')];
    return { matchId, resolution, previousResolution, fraudStatus, fraudScore, resolvedBy, comment };
  },
  SubmissionSynced: () => null,
  SubmissionSyncFailed: ({ data: { attempt, statusCode, error, nextAttemptAt } }) => ({
    attempt,
    statusCode,
    error,
    nextAttemptAt,
  }),
  SubmissionSyncRequested: ({ data: { attempts } }) => ({ attempts }),
};

/** The entry of an event. */
export const historyItem = (event: Recorded<SubmissionEvent>): HistoryItem => {
  const of: Details<SubmissionEvent> = details[event.type];
  return { type: publicName(event.type), occurredAt: event.metadata.at, details: of(event) };
};
