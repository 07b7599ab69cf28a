import { ClientSubmissionId, echoedAnswer } from '../domain/submission/echoed.ts';
import {
  ExtractedData,
  FieldConfidences,
  PagePlace,
  ProcessingResult,
} from '../domain/submission/processingResult.ts';
import { reviewReasonCodes } from '../domain/submission/result.ts';
import { submissionEvents } from '../domain/submission/state.ts';
import { publicName } from '../kernel/event.ts';
import {
  anyObject,
  example,
  id,
  meaning,
  nullable,
  type Of,
  type OfMembers,
  oneOf,
  pageOf,
  Share,
  Slug,
  seldom,
  Time,
  Type,
  text,
  time,
  times,
  Version,
} from '../kernel/schema.ts';
import { Actor, RequestId } from './actors.ts';
import { FraudMatch, FraudStatus } from './fraud.ts';
import { LegalHold, Redaction } from './redaction.ts';
import { Correction, FirstDecisionDetail } from './review.ts';
import { EchoedBatchRef, SubmissionStatus } from './sessions.ts';
import { Assignee, Note, Postponement } from './teamwork.ts';

const named = { slug: Slug, name: example(Type.String(), 'Receipt'), version: Version };

/** The version of a workflow that a submission is of. */
export const SubmittedWorkflow = Type.Object(named);
export const SubmittedWorkflowWithId = Type.Object({ id: id('wf'), ...named });

const judged = {
  submissionStatus: SubmissionStatus,
  fraudStatus: nullable(FraudStatus),
  fraudScore: nullable(
    meaning(Share, 'the highest score of the matches that are not dismissed; null before processing', 0.8),
  ),
  extractedData: nullable(ExtractedData),
  confidence: nullable(
    meaning(Share, 'the lowest confidence of a required value; null before processing', 0.91),
  ),
};

/** What names a submission in lists (labels-1). */
export const labelled = {
  label: text(
    'what names it for people, on one line: the values of its workflow’s `list`, otherwise a file name or an identifier',
    'ACME Trading · 80.90',
  ),
  amount: nullable(
    meaning(
      Type.Number(),
      'the value of the first number of its workflow’s `list`; null where it has none',
      80.9,
    ),
  ),
};
export type Labelled = OfMembers<typeof labelled>;

/** A row of GET /submissions (submissions-1). */
export const SubmissionSummary = Type.Object({
  id: id('sub'),
  ...labelled,
  ...judged,
  workflow: SubmittedWorkflow,
  createdAt: Time,
  clientSubmissionId: nullable(ClientSubmissionId),
  redaction: seldom(Redaction),
});
export type SubmissionSummary = Of<typeof SubmissionSummary>;

export const SubmissionPage = pageOf(SubmissionSummary);
export type SubmissionPage = Of<typeof SubmissionPage>;

export const SubmittedFile = Type.Object({
  id: id('fil'),
  fileIndex: Type.Integer({ minimum: 0 }),
  label: example(Type.String(), 'front'),
  fileName: nullable(text('the file’s own name, if the client gave one', 'receipt.jpg')),
  mimeType: example(Type.String(), 'image/jpeg'),
  fileSize: Type.Integer({ minimum: 0, description: 'in bytes', examples: [482_133] }),
  downloadUrl: Type.String({
    format: 'uri',
    description:
      'valid for at least half an hour, without a key. Saves the file under its own name, otherwise its label and extension',
    examples: [
      'https://storage.example.com/intake/evidence/01hv6x3m8q2r5t7w9y0a1b2c3d/0?X-Amz-Expires=3600&X-Amz-Signature=9b74',
    ],
  }),
});

// No enum: an additional type must not break a client.
const HistoryType = Type.String({
  description: `one of ${Object.keys(submissionEvents).map(publicName).join(', ')}; more may be added`,
  examples: ['session.created'],
});

/** What an event says; null where that is nothing. */
export const Details = nullable(
  anyObject('the public details of the event; null where there are none', { expiresAt: times.expires }),
);

/** An item of a submission's history. `type` is the domain event's name in dotted lower case. */
export const HistoryEvent = Type.Object({
  type: HistoryType,
  occurredAt: Time,
  details: Details,
});

export const ReviewReasonCode = oneOf(reviewReasonCodes);

/** Why a submission waits for a reviewer (review-9). */
export const ReviewReason = Type.Object(
  {
    code: ReviewReasonCode,
    field: nullable(Type.String()),
    place: Type.Optional(meaning(PagePlace, 'the page, of `unread_page` and `undrawn_page`')),
  },
  { examples: [{ code: 'fraud_flagged', field: null }] },
);

export const SyncStatus = oneOf(['pending', 'retrying', 'failed', 'synced']);

/** How sending an approved submission on goes. */
export const Sync = Type.Object({
  status: meaning(
    SyncStatus,
    'pending: not yet sent; retrying: failed, and will be sent again; failed: given up until an operator requests it again',
  ),
  attempts: Type.Integer({ minimum: 0, description: 'the number of attempts' }),
  lastAttemptAt: nullable(Time),
  nextAttemptAt: nullable(time('when the next attempt is due; null when there is none')),
  syncedAt: nullable(Time),
  lastError: nullable(text('the error of the last attempt; null once it is synced')),
});

/** GET /submissions/{submissionId} (submissions-2, submissions-8). */
export const SubmissionDetail = Type.Object({
  id: id('sub'),
  ...labelled,
  ...judged,
  fieldConfidences: nullable(FieldConfidences),
  certainty: nullable(
    meaning(Share, 'the share of the documents that was understood; null before processing', 0.94),
  ),
  aiSummary: nullable(
    text('what was found, in one sentence', 'Company ACME Trading, Total 80.9; 2 of 2 fields found.'),
  ),
  failedReason: nullable(text('why the files could not be processed, for people')),
  rejectReason: nullable(Type.String()),
  cancelReason: nullable(Type.String()),
  workflow: SubmittedWorkflowWithId,
  files: Type.Array(SubmittedFile),
  fraudMatches: Type.Array(FraudMatch),
  events: Type.Array(HistoryEvent, { description: 'what happened, oldest first' }),
  ...echoedAnswer,
  createdAt: Time,
  reviewReasons: Type.Array(ReviewReason, { description: 'why it is, or was, in review' }),
  firstDecision: nullable(
    meaning(
      FirstDecisionDetail,
      'the first of the two decisions that the workflow asks for; null before it, and where one person decides',
    ),
  ),
  corrections: Type.Array(Correction, { description: 'what the reviewer changed when approving' }),
  batchRef: EchoedBatchRef,
  updatedAt: time('when it last changed', times.processed),
  sync: nullable(
    meaning(
      Sync,
      'the state of sending the approved data on; null before approval, and where the workflow has no sync',
    ),
  ),
  redaction: seldom(Redaction),
  legalHold: nullable(LegalHold),
  assignee: Assignee,
  postponed: seldom(meaning(Postponement, 'until when its review was put off, also a time that has passed')),
  notes: Type.Array(Note, { description: 'what people wrote on it, oldest first' }),
});
export type SubmissionDetail = Of<typeof SubmissionDetail>;

/** GET /submissions/{submissionId}/result (submissions-9). */
export const SubmissionResult = Type.Object({
  submissionId: id('sub'),
  result: nullable(ProcessingResult),
});

/** A row of GET /submissions/{submissionId}/events (history-1). */
export const SubmissionEventItem = Type.Object({
  revision: Type.Integer({ minimum: 0 }),
  type: HistoryType,
  occurredAt: Time,
  actor: example(Actor, { kind: 'key', id: 'key_01hv6x3m8q2r5t7w9y0a1b2c3d' }),
  requestId: RequestId,
  causation: example(Type.String(), '018fd5c2-71f4-7a3b-9d0e-5b1c2d3e4f50'),
  details: Details,
});
export type SubmissionEventItem = Of<typeof SubmissionEventItem>;

export const SubmissionEventPage = pageOf(SubmissionEventItem);
export type SubmissionEventPage = Of<typeof SubmissionEventPage>;
