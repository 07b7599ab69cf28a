import type { Fingerprint, RecordFingerprints } from '../domain/submission/fingerprints.ts';
import { submission, submissionStream } from '../domain/submission.ts';
import type { Position } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Context, Handle } from './handle.ts';

/** The fingerprints that a submission is matched under, and their place in the log. */
export type Fingerprinted = Readonly<{ fingerprints: readonly Fingerprint[]; position: Position }>;

/**
 * Takes a submission's place among those that others are matched with, once a round: a second attempt gets the fingerprints and the
 * place of the first. Null when it was cancelled meanwhile. Throws `ProcessingAttemptSuperseded`.
 */
export const fingerprintSubmission =
  (handle: Handle, log: Pick<EventLog, 'load'>) =>
  async (
    submissionId: string,
    command: RecordFingerprints,
    context: Context,
  ): Promise<Fingerprinted | null> => {
    const stream = submissionStream(submissionId);
    const { events, state, position } = await handle(submission, stream, command, context);
    const fingerprints = state?.fingerprints ?? [];
    if (fingerprints.length === 0) return null;
    if (events.length > 0) return { fingerprints, position };
    const { events: past } = await log.load(stream);
    const own = past.findLast(({ type }) => type === 'SubmissionFingerprinted');
    if (!own) throw new Error(`${stream} has fingerprints without the event that brought them`);
    return { fingerprints, position: own.position };
  };
