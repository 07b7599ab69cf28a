import { type Checked, checkedValues } from '../domain/evaluation/checked.ts';
import type { Submission, SubmissionEvent } from '../domain/submission/state.ts';
import { type SubmissionCommand, submission, submissionStream } from '../domain/submission/submission.ts';
import type { Context, Handle, Handled } from './handle.ts';

/** `onChecked`: a person's approval of live data said how values of a workflow (its slug) had been read. */
type ReviewPorts = Readonly<{ handle: Handle; onChecked?(workflow: string, values: Checked): void }>;

export type Review = ReturnType<typeof reviewSubmission>;

/**
 * Approves, rejects, cancels, has processed again, opens for entry, or resolves a fraud match; of concurrent
 * decisions exactly one wins. Throws `SubmissionNotInReview`, `SubmissionNotCancellable`,
 * `SecondPersonRequired`, `FraudUnresolved`, `FraudConfirmed`, `FraudMatchNotFound`, `FraudMatchResolved`,
 * `SubmissionNotReprocessable`, `SubmissionNotEnterable`, and what `guard` throws (If-Match).
 */
export const reviewSubmission =
  ({ handle, onChecked }: ReviewPorts) =>
  async (
    submissionId: string,
    command: SubmissionCommand<
      'Approve' | 'Reject' | 'Cancel' | 'Reprocess' | 'OpenForEntry' | 'ResolveFraudMatch'
    >,
    context: Context,
    guard?: (revision: number) => void,
  ): Promise<Handled<Submission | null, SubmissionEvent>> => {
    const handled = await handle(submission, submissionStream(submissionId), command, context, { guard });
    const { state, events, repeated } = handled;
    const isApproved = !repeated && events.some(({ type }) => type === 'SubmissionApproved');
    const checked = state && isApproved && state.routing.mode === 'live' ? checkedValues(state) : null;
    if (state && checked) onChecked?.(state.routing.workflow.slug, checked);
    return handled;
  };
