import { reviewReasonCodes } from '../domain/submission/result.ts';
import { submissionEvents } from '../domain/submission/state.ts';
import { publicName } from '../kernel/event.ts';
import {
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  opaque,
  pageOf,
  Share,
  Slug,
  Time,
  Type,
  Version,
} from '../kernel/schema.ts';
import { FraudMatch, FraudStatus } from './fraud.ts';
import { ClientSubmissionId, echoed, SubmissionStatus } from './session.ts';

const named = { slug: Slug, name: Type.String(), version: Version };

const judged = {
  submissionStatus: SubmissionStatus,
  fraudStatus: nullable(FraudStatus),
  fraudScore: nullable(
    meaning(Share, 'the greatest score of the matches that are not dismissed; null before processing'),
  ),
  extractedData: opaque('the fields of the workflow, null before processing'),
  confidence: nullable(meaning(Share, 'that of the weakest required value; null before processing')),
};

/** A row of GET /submissions (submissions-1). */
export const SubmissionSummary = Type.Object({
  id: id('sub'),
  ...judged,
  workflow: Type.Object(named),
  createdAt: Time,
  clientSubmissionId: nullable(ClientSubmissionId),
});
export type SubmissionSummary = Of<typeof SubmissionSummary>;

/** GET /submissions. */
export const SubmissionPage = pageOf(SubmissionSummary);
export type SubmissionPage = Of<typeof SubmissionPage>;

const SubmittedFile = Type.Object({
  id: id('fil'),
  fileIndex: Type.Integer({ minimum: 0 }),
  label: Type.String(),
  fileName: nullable(Type.String({ description: 'its own name, where the client gave one' })),
  mimeType: Type.String(),
  fileSize: Type.Integer({ minimum: 0, description: 'in bytes' }),
  downloadUrl: Type.String({
    format: 'uri',
    description:
      'good for at least half an hour; needs no key. Saves the file under its own name, else its label and extension',
  }),
});

// No enum: an additional type must not break a client.
const HistoryType = Type.String({
  description: `one of ${Object.keys(submissionEvents).map(publicName).join(', ')}; more may be added`,
  examples: ['session.created'],
});

/**
 * An item of a submission's history: the domain event's name in dotted lower case, and its public details.
 */
export const HistoryEvent = Type.Object({
  type: HistoryType,
  occurredAt: Time,
  details: opaque('what a reader may see of the event'),
});

/** Why a submission waits for a reviewer (review-9). */
export const ReviewReason = Type.Object({
  code: oneOf(reviewReasonCodes),
  field: nullable(Type.String()),
});

/** What a reviewer changed (review-8). */
export const Correction = Type.Object({
  field: Type.String(),
  machineValue: Type.Unknown({ description: 'what was read' }),
  humanValue: Type.Unknown({ description: 'what it was corrected to' }),
  actor: nullable(Type.String({ description: 'who decided, as the client said' })),
  keyId: nullable(Type.String({ description: 'the key that was used' })),
  at: Time,
});

const Sync = Type.Object({
  status: meaning(
    oneOf(['pending', 'retrying', 'failed', 'synced']),
    'pending: not yet sent; retrying: it failed and is tried again; failed: it was given up, until an operator asks again',
  ),
  attempts: Type.Integer({ minimum: 0, description: 'how often it was sent' }),
  lastAttemptAt: nullable(Time),
  nextAttemptAt: nullable(meaning(Time, 'when it is due to be sent; null when it is not')),
  syncedAt: nullable(Time),
  lastError: nullable(
    Type.String({ description: 'what was wrong at the last attempt; null once it is synced' }),
  ),
});

/** GET /submissions/{submissionId} (submissions-2, submissions-8). */
export const SubmissionDetail = Type.Object({
  id: id('sub'),
  ...judged,
  fieldConfidences: opaque('field name to a number from 0 to 1'),
  certainty: nullable(meaning(Share, 'how much of the documents was understood; null before processing')),
  aiSummary: nullable(Type.String({ description: 'what was found, in a sentence' })),
  failedReason: nullable(Type.String({ description: 'why the files could not be processed, for people' })),
  rejectReason: nullable(Type.String()),
  cancelReason: nullable(Type.String()),
  workflow: Type.Object({ id: id('wf'), ...named }),
  files: Type.Array(SubmittedFile),
  fraudMatches: Type.Array(FraudMatch),
  events: Type.Array(HistoryEvent, { description: 'what happened, oldest first' }),
  ...echoed,
  createdAt: Time,
  reviewReasons: Type.Array(ReviewReason, { description: 'why it waits, or waited, for a reviewer' }),
  corrections: Type.Array(Correction, { description: 'what the reviewer changed when approving' }),
  batchRef: nullable(Type.String()),
  updatedAt: meaning(Time, 'when it last changed'),
  sync: nullable(
    meaning(
      Sync,
      'how passing on the approved data stands; null before approval, and where the workflow passes nothing on',
    ),
  ),
});
export type SubmissionDetail = Of<typeof SubmissionDetail>;

/** A row of GET /submissions/{submissionId}/events (history-1). */
export const SubmissionEventItem = Type.Object({
  revision: Type.Integer({ minimum: 0 }),
  type: HistoryType,
  occurredAt: Time,
  actor: Type.Object({ kind: Type.String(), id: Type.String() }),
  requestId: nullable(Type.String()),
  causation: Type.String(),
  details: opaque('what a reader may see of the event'),
});
export type SubmissionEventItem = Of<typeof SubmissionEventItem>;

/** GET /submissions/{submissionId}/events. */
export const SubmissionEventPage = pageOf(SubmissionEventItem);
