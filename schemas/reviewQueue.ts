import { fraudStatuses } from '../domain/submission/fraud.ts';
import { reviewReasonCodes } from '../domain/submission/result.ts';
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
  Time,
  Type,
  text,
  time,
} from '../kernel/schema.ts';
import { FirstDecision } from './review.ts';
import { named, ReviewReason } from './submissions.ts';

/** The orders of the review queue (review-queue-2). */
export const queueOrders = ['oldest', 'riskiest'] as const;
export type QueueOrder = (typeof queueOrders)[number];

/** Who has a submission open (review-queue-6). */
export const Claim = Type.Object({
  userId: id('usr'),
  until: time('when it ends unless it is renewed'),
});
export type Claim = Of<typeof Claim>;

const row = {
  id: id('sub'),
  workflow: Type.Object(named),
  createdAt: Time,
  waitingSince: time('since when it has been in review'),
  reviewReasons: Type.Array(ReviewReason, { description: 'why it is in review' }),
  fraudStatus: nullable(oneOf(fraudStatuses)),
  fraudScore: nullable(meaning(Share, 'the highest score of the matches that are not dismissed')),
  confidence: nullable(meaning(Share, 'the lowest confidence of a required value')),
  fileCount: Type.Integer({ minimum: 0 }),
  label: nullable(
    text('the first values that were read, on one line, for people; null where there are none'),
  ),
  firstDecision: nullable(
    meaning(FirstDecision, 'the first of two decisions, where the workflow asks for two people'),
  ),
};

const QueueRow = Type.Object(row);
export type QueueRow = Of<typeof QueueRow>;

/** A row of the review queue (review-queue-1). */
export const QueueItem = Type.Object({
  ...row,
  claim: nullable(meaning(Type.Object({ userId: id('usr') }), 'who has claimed it; null for nobody')),
});

/** Up to where reasons and fraud statuses are counted: a longer queue costs no more. */
export const MAX_COUNTED = 1_000;

const UpToMax = Type.Integer({
  minimum: 1,
  maximum: MAX_COUNTED,
  description: `how many; ${MAX_COUNTED} also where it is more`,
});

const Counts = Type.Object({
  waiting: Type.Integer({ minimum: 0, description: 'how many wait in all' }),
  workflows: Type.Array(
    Type.Object({ slug: Slug, waiting: Type.Integer({ minimum: 1, description: 'how many of it wait' }) }),
    { description: 'the workflows of which some wait' },
  ),
  reasons: Type.Array(Type.Object({ code: oneOf(reviewReasonCodes), waiting: UpToMax }), {
    description: 'the review reasons for which some wait',
  }),
  fraudStatuses: Type.Array(Type.Object({ fraudStatus: oneOf(fraudStatuses), waiting: UpToMax }), {
    description: 'the fraud statuses of which some wait',
  }),
  claimed: Type.Object({
    mine: Type.Integer({ minimum: 0, description: 'how many that wait the caller has claimed' }),
    others: Type.Integer({ minimum: 0, description: 'how many others have' }),
  }),
});
export type Counts = Of<typeof Counts>;

/** GET /review-queue. */
export const ReviewQueue = Type.Object({
  ...pageOf(QueueItem).properties,
  counts: meaning(Counts, 'of the company and mode, whatever the filters'),
});
export type ReviewQueue = Of<typeof ReviewQueue>;

/** POST /review-queue/next. */
export const NextRequest = closed({
  order: optional(meaning(oneOf(queueOrders), 'oldest unless it is given')),
  workflow: optional(
    Type.String({ minLength: 1, maxLength: 512, description: 'only of the workflow with this slug' }),
  ),
  reason: optional(meaning(oneOf(reviewReasonCodes), 'only those in review for this reason')),
  fraudStatus: optional(meaning(oneOf(fraudStatuses), 'only those of this fraud status')),
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
