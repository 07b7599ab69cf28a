import { ClientSubmissionId } from '../domain/submission/echoed.ts';
import {
  closed,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  pageOf,
  Share,
  Slug,
  seldom,
  Time,
  Type,
  time,
  times,
} from '../kernel/schema.ts';
import { FraudStatus } from './fraud.ts';
import { FirstDecision } from './review.ts';
import { labelled, ReviewReason, ReviewReasonCode, SubmittedWorkflow } from './submissions.ts';
import { Assignee, Postponement } from './teamwork.ts';

/** The orders of the review queue (review-queue-2). */
export const queueOrders = ['oldest', 'riskiest'] as const;
export const QueueOrder = oneOf(queueOrders);
export type QueueOrder = (typeof queueOrders)[number];

/** Who has a submission open (review-queue-6). */
export const Claim = Type.Object({
  userId: id('usr'),
  until: time('when it ends unless it is renewed', '2026-11-21T11:12:00.000Z'),
});
export type Claim = Of<typeof Claim>;

const row = {
  id: id('sub'),
  workflow: SubmittedWorkflow,
  createdAt: Time,
  waitingSince: time('since when it has been in review', times.processed),
  reviewReasons: Type.Array(ReviewReason, { description: 'why it is in review' }),
  fraudStatus: nullable(FraudStatus),
  fraudScore: nullable(meaning(Share, 'the highest score of the matches that are not dismissed', 0.8)),
  confidence: nullable(meaning(Share, 'the lowest confidence of a required value', 0.91)),
  fileCount: Type.Integer({ minimum: 0, examples: [1] }),
  ...labelled,
  clientSubmissionId: nullable(ClientSubmissionId),
  firstDecision: nullable(
    meaning(FirstDecision, 'the first of two decisions, where the workflow asks for two people'),
  ),
  assignee: Assignee,
  postponed: seldom(meaning(Postponement, 'until when its review was put off, also a time that has passed')),
};

const QueueRow = Type.Object(row);
export type QueueRow = Of<typeof QueueRow>;

/** Who has a submission open, to other people. */
export const ClaimedBy = Type.Object({ userId: id('usr') });

/** A row of the review queue (review-queue-1). */
export const QueueItem = Type.Object({
  ...row,
  claim: nullable(meaning(ClaimedBy, 'who has claimed it; null for nobody')),
});

/** Up to where reasons and fraud statuses are counted: a longer queue costs no more. */
export const MAX_COUNTED = 1_000;

const UpToMax = Type.Integer({
  minimum: 1,
  maximum: MAX_COUNTED,
  description: `how many; ${MAX_COUNTED} also where it is more`,
});

const UpTo = Type.Integer({ minimum: 0, maximum: MAX_COUNTED });

export const WaitingOfWorkflow = Type.Object({
  slug: Slug,
  waiting: Type.Integer({ minimum: 1, description: 'how many of it wait' }),
});
export const WaitingForReason = Type.Object({ code: ReviewReasonCode, waiting: UpToMax });
export const WaitingByFraudStatus = Type.Object({ fraudStatus: FraudStatus, waiting: UpToMax });
export const WaitingClaimed = Type.Object({
  mine: Type.Integer({ minimum: 0, description: 'how many that wait the caller has claimed' }),
  others: Type.Integer({ minimum: 0, description: 'how many others have' }),
});

export const ReviewQueueCounts = Type.Object({
  waiting: Type.Integer({ minimum: 0, description: 'how many wait in all' }),
  workflows: Type.Array(WaitingOfWorkflow, { description: 'the workflows of which some wait' }),
  reasons: Type.Array(WaitingForReason, {
    description: 'the review reasons for which some wait',
  }),
  fraudStatuses: Type.Array(WaitingByFraudStatus, {
    description: 'the fraud statuses of which some wait',
  }),
  claimed: WaitingClaimed,
  assigned: meaning(UpTo, 'how many are assigned to the caller'),
  postponed: meaning(UpTo, 'how many of those that wait are put off'),
  decided: seldom(
    meaning(UpTo, 'how many decisions the caller has made since `decidedSince`, if it is given'),
  ),
});
export type Counts = Of<typeof ReviewQueueCounts>;

/** GET /review-queue. */
export const ReviewQueue = Type.Object({
  ...pageOf(QueueItem).properties,
  counts: meaning(ReviewQueueCounts, 'of the company and mode, whatever the filters'),
});
export type ReviewQueue = Of<typeof ReviewQueue>;

/** POST /review-queue/next. */
export const NextRequest = closed({
  order: optional(meaning(QueueOrder, 'oldest unless it is given')),
  workflow: optional(
    Type.String({ minLength: 1, maxLength: 512, description: 'only of the workflow with this slug' }),
  ),
  reason: optional(meaning(ReviewReasonCode, 'only those in review for this reason')),
  fraudStatus: optional(meaning(FraudStatus, 'only those of this fraud status')),
  after: optional(
    Type.Array(id('sub'), {
      maxItems: 1_000,
      description: 'submissions that are skipped, such as those seen before',
    }),
  ),
});

/** The submission that was claimed: its row with the claim (review-queue-8). */
export const ClaimedNext = Type.Object({ ...row, claim: Claim });
export type ClaimedNext = Of<typeof ClaimedNext>;
