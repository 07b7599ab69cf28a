import { submission, submissionStream } from '../domain/submission/submission.ts';
import type { JobState } from '../domain/submission/transitions.ts';
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
    if (session === null) return 'there is no session of this upload';
    const isOpen = session.state === 'pending' && clock.now().toISOString() < session.expiresAt;
    return isOpen ? null : (refusals[session.state] ?? 'the session was submitted: its files are settled');
  };

const refusals: Readonly<Partial<Record<JobState, string>>> = {
  pending: 'the session has expired',
  expired: 'the session has expired',
  cancelled: 'the session was cancelled',
};

/**
 * Whether the files of a submission are settled: by its log it was submitted or has ended. The clock alone
 * settles nothing, since this removes files, and a clock may be set back. Null for an unknown submission.
 * Throws `StoreUnavailable`.
 */
export const isSettled =
  (log: EventLog) =>
  async (submissionId: string): Promise<boolean | null> => {
    const session = await load(log, submission, submissionStream(submissionId));
    return session && session.state !== 'pending';
  };
