import type { Submission, SubmissionEvent } from '../domain/submission/state.ts';
import { type SubmissionCommand, submission, submissionStream } from '../domain/submission/submission.ts';
import { evidenceKey, evidenceOf, uploadKey, uploadsOf } from '../stores/objects/keys.ts';
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

/** What a redaction removes: all under a prefix of the object store, where these keys may be under way. */
export type Removal = readonly [prefix: string, keys: readonly string[]];

/** What of a submission may lie in the object store; without its state, which a log may lack, no keys. */
export const objectsOf = (submissionId: string, state: Submission | null): readonly Removal[] => [
  [uploadsOf(submissionId), (state?.slots ?? []).map(({ fileId }) => uploadKey(submissionId, fileId))],
  [evidenceOf(submissionId), (state?.files ?? []).map((file) => evidenceKey(submissionId, file))],
];
