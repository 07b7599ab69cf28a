import type { Submission } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../stores/events/log.ts';
import { submissionOfUpload } from '../stores/objects/keys.ts';
import { load } from './load.ts';

type Ports = Readonly<{ log: EventLog; clock: Clock }>;

/**
 * Why an upload to a key is refused, null when it is accepted: only those of a pending session are, until it
 * expires. It reads the log, so that a cancel or a submit takes effect at once. Throws `StoreUnavailable`.
 */
export const uploadRefusal =
  ({ log, clock }: Ports) =>
  async (key: string): Promise<string | null> => {
    const submissionId = submissionOfUpload(key);
    if (submissionId === null) return null;
    const session = await load(log, submission, submissionStream(submissionId));
    return session === null ? 'there is no session of this upload' : refusalOf(session, clock);
  };

/**
 * Whether the files of a submission are settled: by its log it was submitted or has ended. The clock alone
 * settles nothing, since this removes files, and a clock may be set back. False for an unknown submission.
 * Throws `StoreUnavailable`.
 */
export const isSettled =
  (log: EventLog) =>
  async (submissionId: string): Promise<boolean> => {
    const session = await load(log, submission, submissionStream(submissionId));
    return session !== null && session.state !== 'pending';
  };

const refusalOf = ({ state, expiresAt }: Submission, clock: Clock): string | null => {
  switch (state) {
    case 'pending':
      return clock.now().toISOString() < expiresAt ? null : 'the session has expired';
    case 'cancelled':
      return 'the session was cancelled';
    case 'expired':
      return 'the session has expired';
    default:
      return 'the session was submitted: its files are settled';
  }
};
