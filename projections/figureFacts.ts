import { type Checked, checkedValues } from '../domain/evaluation/checked.ts';
import type { SubmissionDocument } from './submissions.ts';

/**
 * What figures of reviews are made of. `since` and `until`: of its review, in ISO 8601, null where there was
 * none or where it goes on. `corrected`: the fields whose values a person changed. `checked`: what a person's
 * approval says of what was read; absent without one, and in the facts of an older release.
 */
export type FigureFacts = Readonly<{
  id: string;
  createdAt: string;
  slug: string;
  outcome: Outcome | null;
  since: string | null;
  until: string | null;
  corrected: readonly string[];
  checked?: Checked;
}>;

/** `automatic`: approved without a person. Null while it is open, and where it never was submitted. */
type Outcome = 'automatic' | 'approved' | 'rejected' | 'cancelled' | 'failed';

/** The facts of a submission. */
export const figureFacts = (document: SubmissionDocument): FigureFacts => {
  const { id, createdAt, submission, reviewed = null } = document;
  const outcome = outcomeOf(document);
  const checked = outcome === 'approved' ? checkedValues(submission) : null;
  return {
    id,
    createdAt,
    slug: submission.workflow.slug,
    outcome,
    since: reviewed?.since ?? null,
    until: reviewed?.until ?? null,
    corrected: submission.corrections.map(({ field }) => field),
    ...(checked && { checked }),
  };
};

const outcomeOf = ({
  submission: { status },
  approval,
  reviewed = null,
}: SubmissionDocument): Outcome | null => {
  switch (status) {
    case 'approved':
    case 'synced':
      return approval === null ? 'automatic' : 'approved';
    case 'rejected':
      return 'rejected';
    case 'cancelled':
      return reviewed === null ? null : 'cancelled';
    case 'failed':
    case 'capture_quality_blocked':
      return 'failed';
    case 'created':
    case 'processing':
    case 'review':
      return null;
  }
};
