import type { SubmissionEvent } from '../domain/submission/state.ts';
import { type Open, publicName, type Recorded, reveal } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';

/** An entry of a submission's event history (history-3). */
export type HistoryItem = Readonly<{
  type: string;
  occurredAt: string;
  details: Readonly<Record<string, unknown>> | null;
}>;

type Details<E extends SubmissionEvent> = { of(event: Recorded<E>): HistoryItem['details'] }['of'];

const revealed = <Part extends object>(part: Part, ...names: readonly (keyof Open<Part> & string)[]) =>
  Object.fromEntries(names.map((name) => [name, reveal(part, name)]));

/** The details that an entry shows: no addresses, no keys, and no data that the submission shows. */
const details: { [E in SubmissionEvent as E['type']]: Details<E> } = {
  SessionCreated: ({ data }) => ({ expiresAt: data.expiresAt }),
  SessionSubmitted: ({ data }) => ({ files: data.files.map(({ etag: _, ...file }) => file) }),
  SessionExpired: () => null,
  SubmissionProcessingStarted: ({ data }) => pick(data, 'round', 'attempt'),
  SubmissionProcessingDelayed: ({ data }) => ({
    ...pick(data, 'round', 'attempt', 'retryAt'),
    ...revealed(data.private, 'reason'),
  }),
  SubmissionFingerprinted: ({ data: { round, fingerprints } }) => ({
    round,
    checks: [...new Set(fingerprints.map(({ checkType }) => checkType))],
  }),
  SubmissionFraudChecked: ({ data }) => ({
    ...pick(data, 'fraudStatus', 'fraudScore'),
    matches: data.matches.length,
  }),
  SubmissionProcessed: ({ data }) => ({
    submissionStatus: data.to,
    ...pick(data, 'round', 'confidence', 'certainty', 'fraudStatus', 'fraudScore', 'reviewReasons'),
  }),
  SubmissionProcessingFailed: ({ data: { to: submissionStatus, round, private: part } }) => ({
    submissionStatus,
    round,
    ...revealed(part, 'reason'),
  }),
  SubmissionResultDropped: ({ data }) => pick(data, 'round', 'attempt', 'outcome'),
  SubmissionReprocessingRequested: ({ data }) => pick(data, 'round'),
  SubmissionFirstDecisionMade: ({ data }) => ({
    outcome: data.outcome,
    withdraws: data.withdraws ?? null,
    ...revealed(data.private, 'comment', 'reason', 'actor', 'corrections'),
  }),
  SubmissionApproved: ({ data }) => revealed(data.private, 'comment', 'actor', 'corrections'),
  SubmissionRejected: ({ data }) => revealed(data.private, 'reason', 'actor'),
  SubmissionCancelled: ({ data }) => revealed(data.private, 'reason', 'actor'),
  SubmissionFraudMatchResolved: ({ data }) => ({
    ...pick(data, 'matchId', 'resolution'),
    previousResolution: data.previousResolution ?? null,
    ...pick(data, 'fraudStatus', 'fraudScore'),
    ...revealed(data.private, 'resolvedBy', 'comment'),
  }),
  SubmissionSynced: () => null,
  SubmissionSyncFailed: ({ data }) => pick(data, 'attempt', 'statusCode', 'error', 'nextAttemptAt'),
  SubmissionSyncRequested: ({ data }) => pick(data, 'attempts'),
};

const names = Object.fromEntries(Object.keys(details).map((type) => [type, publicName(type)]));

/** The entry of an event. */
export const historyItem = (event: Recorded<SubmissionEvent>): HistoryItem => {
  const of: Details<SubmissionEvent> = details[event.type];
  return {
    type: names[event.type] ?? publicName(event.type),
    occurredAt: event.metadata.at,
    details: of(event),
  };
};
