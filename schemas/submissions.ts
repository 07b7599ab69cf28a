import { ClientSubmissionId, echoedAnswer } from '../domain/submission/echoed.ts';
import {
  ExtractedData,
  FieldConfidences,
  FieldValue,
  PagePlace,
  ProcessingResult,
} from '../domain/submission/processingResult.ts';
import { reviewReasonCodes } from '../domain/submission/result.ts';
import { submissionEvents } from '../domain/submission/state.ts';
import { publicName } from '../kernel/event.ts';
import {
  anyObject,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  pageOf,
  Share,
  Slug,
  Time,
  Type,
  text,
  time,
  Version,
  whole,
} from '../kernel/schema.ts';
import { FraudMatch, FraudStatus } from './fraud.ts';
import { LegalHold, Redaction } from './redaction.ts';
import { FirstDecisionDetail } from './review.ts';
import { SubmissionStatus } from './sessions.ts';

const named = { slug: Slug, name: Type.String(), version: Version };

/** The version of a workflow that a submission is of. */
export const SubmittedWorkflow = Type.Object(named);
export const SubmittedWorkflowWithId = Type.Object({ id: id('wf'), ...named });

const judged = {
  submissionStatus: SubmissionStatus,
  fraudStatus: nullable(FraudStatus),
  fraudScore: nullable(
    meaning(Share, 'the highest score of the matches that are not dismissed; null before processing'),
  ),
  extractedData: nullable(ExtractedData),
  confidence: nullable(meaning(Share, 'the lowest confidence of a required value; null before processing')),
};

/** A row of GET /submissions (submissions-1). */
export const SubmissionSummary = Type.Object({
  id: id('sub'),
  ...judged,
  workflow: SubmittedWorkflow,
  createdAt: Time,
  clientSubmissionId: nullable(ClientSubmissionId),
  redaction: nullable(Redaction),
});
export type SubmissionSummary = Of<typeof SubmissionSummary>;

export const SubmissionPage = pageOf(SubmissionSummary);
export type SubmissionPage = Of<typeof SubmissionPage>;

export const SubmittedFile = Type.Object({
  id: id('fil'),
  fileIndex: Type.Integer({ minimum: 0 }),
  label: Type.String(),
  fileName: nullable(text('the file’s own name, if the client gave one')),
  mimeType: Type.String(),
  fileSize: Type.Integer({ minimum: 0, description: 'in bytes' }),
  downloadUrl: Type.String({
    format: 'uri',
    description:
      'valid for at least half an hour, without a key. Saves the file under its own name, otherwise its label and extension',
  }),
});

// No enum: an additional type must not break a client.
const HistoryType = Type.String({
  description: `one of ${Object.keys(submissionEvents).map(publicName).join(', ')}; more may be added`,
  examples: ['session.created'],
});

/** What an event says; null where that is nothing. */
export const Details = nullable(anyObject('the public details of the event; null where there are none'));

/** An item of a submission's history. `type` is the domain event's name in dotted lower case. */
export const HistoryEvent = Type.Object({
  type: HistoryType,
  occurredAt: Time,
  details: Details,
});

export const ReviewReasonCode = oneOf(reviewReasonCodes);

/** Why a submission waits for a reviewer (review-9). */
export const ReviewReason = Type.Object({
  code: ReviewReasonCode,
  field: nullable(Type.String()),
  place: Type.Optional(meaning(PagePlace, 'the page, of `unread_page` and `undrawn_page`')),
});

/** A reviewer's correction of a field (review-8). */
export const Correction = Type.Object({
  field: Type.String(),
  machineValue: meaning(FieldValue, 'the value that was read'),
  humanValue: meaning(FieldValue, 'the corrected value'),
  actor: nullable(text('who made the decision: `user:<id>`, or of a key as the client stated')),
  keyId: nullable(text('the API key of the request; null for a person')),
  at: Time,
});

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
  ...judged,
  fieldConfidences: nullable(FieldConfidences),
  certainty: nullable(
    meaning(Share, 'the share of the documents that was understood; null before processing'),
  ),
  aiSummary: nullable(text('what was found, in one sentence')),
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
  batchRef: nullable(Type.String()),
  updatedAt: time('when it last changed'),
  sync: nullable(
    meaning(
      Sync,
      'the state of sending the approved data on; null before approval, and where the workflow has no sync',
    ),
  ),
  redaction: nullable(Redaction),
  legalHold: nullable(LegalHold),
});
export type SubmissionDetail = Of<typeof SubmissionDetail>;

/** GET /submissions/{submissionId}/result (submissions-9). */
export const SubmissionResult = Type.Object({
  submissionId: id('sub'),
  result: nullable(ProcessingResult),
});

/** Who caused an event. */
export const Actor = Type.Object({ kind: Type.String(), id: Type.String() });

/** A row of GET /submissions/{submissionId}/events (history-1). */
export const SubmissionEventItem = Type.Object({
  revision: Type.Integer({ minimum: 0 }),
  type: HistoryType,
  occurredAt: Time,
  actor: Actor,
  requestId: nullable(Type.String()),
  causation: Type.String(),
  details: Details,
});
export type SubmissionEventItem = Of<typeof SubmissionEventItem>;

export const SubmissionEventPage = pageOf(SubmissionEventItem);
export type SubmissionEventPage = Of<typeof SubmissionEventPage>;

/** An export of the evidence of a submission. */
export const EvidenceExport = Type.Object({
  exportedAt: Time,
  actor: Actor,
  requestId: nullable(Type.String()),
  key: text('the identifier of the public key that verifies the package'),
});

/** GET /submissions/{submissionId}/evidence/exports (audit-7). */
export const EvidenceExports = Type.Object({
  ...pageOf(EvidenceExport).properties,
  total: whole('how many there are in all'),
});
export type EvidenceExports = Of<typeof EvidenceExports>;
