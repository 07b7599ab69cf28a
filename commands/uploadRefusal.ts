import type { Submission } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../stores/events/log.ts';
import { submissionOfUpload } from '../stores/objects/keys.ts';
import { load } from './load.ts';

type Ports = Readonly<{ log: EventLog; clock: Clock }>;

/**
 * Why no upload may be stored under a key now, null when it may: only a pending session's, until it expires.
 * It asks the log, so that it holds as soon as a cancel or a submit is answered. Throws `StoreUnavailable`.
 */
export const uploadRefusal =
  ({ log, clock }: Ports) =>
  async (key: string): Promise<string | null> => {
    const submissionId = submissionOfUpload(key);
    if (submissionId === null) return null;
    const session = await load(log, submission, submissionStream(submissionId));
    return session === null ? 'there is no session of this upload' : overBecause(session, clock);
  };

/**
 * Whether the files of a submission are settled: its log says that it was submitted or has ended. A clock
 * alone settles nothing, since files are removed by this and a clock may be set back. False for one that the
 * log does not know. Throws `StoreUnavailable`.
 */
export const isSettled =
  (log: EventLog) =>
  async (submissionId: string): Promise<boolean> => {
    const session = await load(log, submission, submissionStream(submissionId));
    return session !== null && session.state !== 'pending';
  };

const overBecause = ({ state, expiresAt }: Submission, clock: Clock): string | null => {
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
