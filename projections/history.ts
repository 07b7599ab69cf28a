import type { SubmissionEvent } from '../domain/submission/state.ts';
import { type Open, publicName, REDACTED, type Recorded, reveal } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';

/** An entry of a submission's event history (history-3). */
export type HistoryItem = Readonly<{
  type: string;
  occurredAt: string;
  details: Readonly<Record<string, unknown>> | null;
}>;

type Details<E extends SubmissionEvent> = { of(event: Recorded<E>): HistoryItem['details'] }['of'];

/** The details that an entry shows of an event's private part: no data that the submission shows. */
const privateDetails: {
  [E in SubmissionEvent as HasPrivate<E> extends true ? E['type'] : never]: readonly PrivateMember<E>[];
} = {
  SessionCreated: [],
  SubmissionProcessingDelayed: ['reason'],
  SubmissionFingerprinted: [],
  SubmissionFraudChecked: [],
  SubmissionProcessed: [],
  SubmissionProcessingFailed: ['reason'],
  SubmissionReprocessingRequested: ['reason', 'actor'],
  SubmissionOpenedForEntry: ['reason', 'actor'],
  SubmissionFirstDecisionMade: ['comment', 'reason', 'actor', 'corrections'],
  SubmissionApproved: ['comment', 'actor', 'corrections'],
  SubmissionRejected: ['reason', 'actor'],
  SubmissionCancelled: ['reason', 'actor'],
  SubmissionFraudMatchResolved: ['resolvedBy', 'comment'],
  SubmissionRedactionRequested: [],
  SubmissionLegalHoldPlaced: ['reason'],
  SubmissionNoteAdded: ['text'],
  SubmissionPostponed: ['reason'],
};

type HasPrivate<E extends SubmissionEvent> = 'private' extends keyof E['data'] ? true : false;
type PrivateMember<E extends SubmissionEvent> =
  E['data'] extends Readonly<{ private?: infer Part }> ? keyof Open<NonNullable<Part>> & string : never;

/** The details that an entry shows beside them: no addresses and no keys. */
const details: { [E in SubmissionEvent as E['type']]: Details<E> } = {
  SessionCreated: ({ data }) => ({ expiresAt: data.expiresAt }),
  SessionSubmitted: ({ data }) => ({ files: data.files.map(({ etag: _, ...file }) => file) }),
  SessionExpired: () => null,
  SubmissionProcessingStarted: ({ data }) => pick(data, 'round', 'attempt'),
  SubmissionProcessingDelayed: ({ data }) => pick(data, 'round', 'attempt', 'retryAt'),
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
  SubmissionProcessingFailed: ({ data: { to: submissionStatus, round } }) => ({ submissionStatus, round }),
  SubmissionResultDropped: ({ data }) => pick(data, 'round', 'attempt', 'outcome'),
  SubmissionReprocessingRequested: ({ data }) => pick(data, 'round'),
  SubmissionOpenedForEntry: ({ data }) => pick(data, 'round'),
  SubmissionFirstDecisionMade: ({ data }) => ({
    outcome: data.outcome,
    withdraws: data.withdraws ?? null,
  }),
  SubmissionApproved: ({ data: { missing, secondEye } }) => told({ missing, secondEye }),
  SubmissionRejected: ({ data: { secondEye } }) => told({ secondEye }),
  SubmissionCancelled: () => null,
  SubmissionFraudMatchResolved: ({ data }) => ({
    ...pick(data, 'matchId', 'resolution'),
    previousResolution: data.previousResolution ?? null,
    ...pick(data, 'fraudStatus', 'fraudScore'),
  }),
  SubmissionSynced: () => null,
  SubmissionSyncFailed: ({ data }) => pick(data, 'attempt', 'statusCode', 'error', 'nextAttemptAt'),
  SubmissionSyncRequested: ({ data }) => pick(data, 'attempts'),
  SubmissionRedactionRequested: ({ data }) => pick(data, 'reason', 'legalBasis', 'requestedBy'),
  SubmissionRedacted: ({ data }) => pick(data, 'objects', 'deliveries'),
  SubmissionLegalHoldPlaced: () => null,
  SubmissionLegalHoldLifted: () => null,
  SubmissionNoteAdded: () => null,
  SubmissionAssigned: ({ data }) => pick(data, 'assignee'),
  SubmissionPostponed: ({ data }) => pick(data, 'until'),
  SubmissionResumed: () => null,
};

/** What an event says of these; null where of none. */
const told = (members: Readonly<Record<string, unknown>>): HistoryItem['details'] => {
  const said = Object.entries(members).filter(([, value]) => value !== undefined);
  return said.length > 0 ? Object.fromEntries(said) : null;
};

const names = Object.fromEntries(Object.keys(details).map((type) => [type, publicName(type)]));
const privateByName: Readonly<Partial<Record<string, readonly string[]>>> = Object.fromEntries(
  Object.entries(privateDetails)
    .filter(([, members]) => members.length > 0)
    .map(([type, members]) => [publicName(type), members]),
);

/** The entry of an event. */
export const historyItem = (event: Recorded<SubmissionEvent>): HistoryItem => {
  const of: Details<SubmissionEvent> = details[event.type];
  const type = names[event.type] ?? publicName(event.type);
  const open = of(event);
  const hidden = privateByName[type];
  const { private: part } = event.data as Readonly<{ private?: Readonly<Record<string, unknown>> }>;
  if (!hidden || !part) return { type, occurredAt: event.metadata.at, details: open };
  const revealed = hidden.map((name) => [name, reveal(part, name)]);
  return { type, occurredAt: event.metadata.at, details: { ...open, ...Object.fromEntries(revealed) } };
};

/** An entry as it is once the key of its event has been destroyed. */
export const redactedItem = (item: HistoryItem): HistoryItem => {
  const { details } = item;
  const hidden = privateByName[item.type]?.filter((name) => details && Object.hasOwn(details, name));
  if (!hidden) return item;
  return { ...item, details: { ...details, ...Object.fromEntries(hidden.map((name) => [name, REDACTED])) } };
};
