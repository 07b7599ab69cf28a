import type { Submission, SubmissionEvent } from '../domain/submission/state.ts';
import { type SubmissionCommand, submission, submissionStream } from '../domain/submission/submission.ts';
import type { Context, Handle, Handled } from './handle.ts';

export type Review = ReturnType<typeof reviewSubmission>;

/**
 * Approves, rejects, cancels, has processed again, opens for entry, or resolves a fraud match; of concurrent
 * decisions exactly one wins. Throws `SubmissionNotInReview`, `SubmissionNotCancellable`,
 * `SecondPersonRequired`, `FraudUnresolved`, `FraudConfirmed`, `FraudMatchNotFound`, `FraudMatchResolved`,
 * `SubmissionNotReprocessable`, `SubmissionNotEnterable`, and what `guard` throws (If-Match).
 */
export const reviewSubmission =
  (handle: Handle) =>
  (
    submissionId: string,
    command: SubmissionCommand<
      'Approve' | 'Reject' | 'Cancel' | 'Reprocess' | 'OpenForEntry' | 'ResolveFraudMatch'
    >,
    context: Context,
    guard?: (revision: number) => void,
  ): Promise<Handled<Submission | null, SubmissionEvent>> =>
    handle(submission, submissionStream(submissionId), command, context, { guard });
