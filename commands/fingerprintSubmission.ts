import { type SubmissionCommand, submission, submissionStream } from '../domain/submission/submission.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Context, Handle } from './handle.ts';

/**
 * Appends a submission's fingerprints, once a round, and gives them with their position in the log: a second
 * attempt gets those of the first. Null where it has none, or was cancelled. Throws
 * `ProcessingAttemptSuperseded`.
 */
export const fingerprintSubmission =
  (handle: Handle, log: Pick<EventLog, 'load'>) =>
  async (submissionId: string, command: SubmissionCommand<'RecordFingerprints'>, context: Context) => {
    const stream = submissionStream(submissionId);
    const { events, state, position } = await handle(submission, stream, command, context);
    const fingerprints = state?.fingerprints ?? [];
    if (fingerprints.length === 0) return null;
    if (events.length > 0) return { fingerprints, position };
    const { events: recorded } = await log.load(stream);
    const own = recorded.findLast(({ type }) => type === 'SubmissionFingerprinted');
    if (!own) throw new Error(`${stream} has fingerprints without the event that brought them`);
    return { fingerprints, position: own.position };
  };
