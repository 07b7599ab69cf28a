import { actorText } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';
import type { QueueRow } from '../schemas/reviewQueue.ts';
import { labelled } from './label.ts';
import type { SubmissionDocument } from './submissions.ts';

/**
 * A row of the review queue but for its claim (review-queue-1); null where the submission is not in review.
 */
export const waitingRow = (document: SubmissionDocument): QueueRow | null => {
  const { id, createdAt, processedAt, submission } = document;
  if (submission.status !== 'review') return null;
  return {
    id,
    workflow: pick(submission.workflow, 'slug', 'name', 'version'),
    createdAt,
    waitingSince: processedAt ?? createdAt,
    ...pick(submission, 'reviewReasons', 'fraudStatus', 'fraudScore', 'confidence'),
    fileCount: submission.files.length,
    ...labelled(submission),
    clientSubmissionId: submission.clientSubmissionId,
    firstDecision: firstDecisionOf(document),
    ...sharedOf(document),
  };
};

/** What reviewers share of a submission. A document of an older release has none of it. */
export const sharedOf = ({
  submission: { assignee = null },
  postponed = null,
}: SubmissionDocument): Pick<QueueRow, 'assignee' | 'postponed'> => ({ assignee, postponed });

/** The first of two decisions; null for none. A document of an older release has none. */
export const firstDecisionOf = ({
  submission: { firstDecision = null },
  firstDecisionAt: at,
}: SubmissionDocument): QueueRow['firstDecision'] =>
  firstDecision && at ? { outcome: firstDecision.outcome, by: actorText(firstDecision.by), at } : null;
