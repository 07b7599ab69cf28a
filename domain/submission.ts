import { type Decider, never } from '../kernel/decider.ts';
import { type RecordFingerprints, recordFingerprints } from './submission/fingerprints.ts';
import { type ForceOutcome, forceOutcome } from './submission/forceOutcome.ts';
import { type ResolveFraudMatch, resolveFraudMatch } from './submission/fraudMatches.ts';
import {
  type DelayProcessing,
  delayProcessing,
  type Reprocess,
  reprocess,
  type StartProcessing,
  startProcessing,
} from './submission/processing.ts';
import { type RecordResult, recordResult } from './submission/result.ts';
import { type Approve, approve, type Cancel, cancel, type Reject, reject } from './submission/review.ts';
import {
  type ExpireSession,
  expireSession,
  type OpenSession,
  openSession,
  type SubmitSession,
  submitSession,
} from './submission/session.ts';
import { evolve, type Submission, type SubmissionEvent, submissionEvents } from './submission/state.ts';
import {
  type RecordSync,
  type RecordSyncFailure,
  type RequestSync,
  recordSync,
  recordSyncFailure,
  requestSync,
} from './submission/sync.ts';

/** The stream of a submission and its session: `submission-<ulid>`. Both identifiers end in the same ULID. */
export const submissionStream = (id: string): string => `submission-${id.slice(4)}`;

/** `sub_X` for `ses_X`, and for `sub_X` itself. */
export const submissionIdOf = (id: string): string => `sub_${id.slice(4)}`;

/** `ses_X` for `sub_X`, and for `ses_X` itself. */
export const sessionIdOf = (id: string): string => `ses_${id.slice(4)}`;

export type SubmissionCommand =
  | OpenSession
  | SubmitSession
  | ExpireSession
  | StartProcessing
  | DelayProcessing
  | RecordFingerprints
  | RecordResult
  | ForceOutcome
  | Reprocess
  | Approve
  | Reject
  | Cancel
  | ResolveFraudMatch
  | RecordSync
  | RecordSyncFailure
  | RequestSync;

const decide = (command: SubmissionCommand, state: Submission | null): readonly SubmissionEvent[] => {
  switch (command.type) {
    case 'OpenSession':
      return openSession(command, state);
    case 'SubmitSession':
      return submitSession(command, state);
    case 'ExpireSession':
      return expireSession(command, state);
    case 'StartProcessing':
      return startProcessing(command, state);
    case 'DelayProcessing':
      return delayProcessing(command, state);
    case 'RecordFingerprints':
      return recordFingerprints(command, state);
    case 'RecordResult':
      return recordResult(command, state);
    case 'ForceOutcome':
      return forceOutcome(command, state);
    case 'Reprocess':
      return reprocess(command, state);
    case 'Approve':
      return approve(command, state);
    case 'Reject':
      return reject(command, state);
    case 'Cancel':
      return cancel(command, state);
    case 'ResolveFraudMatch':
      return resolveFraudMatch(command, state);
    case 'RecordSync':
      return recordSync(command, state);
    case 'RecordSyncFailure':
      return recordSyncFailure(command, state);
    case 'RequestSync':
      return requestSync(command, state);
    default:
      return never(command);
  }
};

/** A submission with its session, processing, review and fraud: one stream, one consistency boundary. */
export const submission: Decider<Submission | null, SubmissionCommand, SubmissionEvent> = {
  category: 'submission-',
  events: submissionEvents,
  initial: null,
  evolve,
  decide,
  subject: (event) => event.data.submissionId,
};
