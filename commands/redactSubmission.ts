import type { Submission, SubmissionEvent } from '../domain/submission/state.ts';
import { type SubmissionCommand, submission, submissionStream } from '../domain/submission/submission.ts';
import type { Context, Handle, Handled } from './handle.ts';

export type RedactSubmission = ReturnType<typeof redactSubmission>;

/**
 * Requests that what is private of a submission is removed for ever; nothing where that was requested before.
 * Throws `SubmissionNotFound`, `LegalHold`.
 */
export const redactSubmission =
  (handle: Handle) =>
  (
    submissionId: string,
    request: Omit<SubmissionCommand<'Redact'>, 'type'>,
    context: Context,
  ): Promise<Handled<Submission | null, SubmissionEvent>> =>
    handle(submission, submissionStream(submissionId), { type: 'Redact', ...request }, context);
