import { never } from '../../kernel/decider.ts';
import { reveal } from '../../kernel/event.ts';
import { type EventsOf, isOneOf } from '../../kernel/eventDefinition.ts';
import type { Fingerprint } from './fingerprints.ts';
import { type Forced, forcedBy } from './forced.ts';
import type { FraudPolicy, FraudStatus, JudgedMatch } from './fraud.ts';
import { evolveFraud, fraudEvents } from './fraudMatches.ts';
import { evolveProcessing, processingEvents } from './processing.ts';
import { evolveResult, type ReviewReason, resultEvents } from './result.ts';
import { type Correction, evolveReview, reviewEvents } from './review.ts';
import type { Routing } from './routing.ts';
import {
  evolveSession,
  type SessionCreated,
  type Slot,
  type SubmittedFile,
  sessionEvents,
} from './session.ts';
import { evolveSync, type Sync, syncEvents } from './sync.ts';
import type { JobState, Status } from './transitions.ts';

/** The events of a `submission-` stream. */
export const submissionEvents = {
  ...sessionEvents,
  ...processingEvents,
  ...resultEvents,
  ...fraudEvents,
  ...reviewEvents,
  ...syncEvents,
};

export type SubmissionEvent = EventsOf<typeof submissionEvents>;

/** A submission and its session. Text and objects whose key was destroyed read as `REDACTED`. */
export type Submission = Readonly<{
  routing: Routing;
  workflow: SessionCreated['data']['workflow'];
  status: Status;
  state: JobState;
  processed: boolean;
  expiresAt: string;
  slots: readonly Slot[];
  files: readonly SubmittedFile[];
  /** The origin of the http extractor that reads them; null where they are read here, or by nobody. */
  readBy: string | null;
  fileNames: Readonly<Record<string, string>>;
  webhookUrl: string | null;
  clientSubmissionId: string | null;
  metadata: Readonly<Record<string, unknown>> | string | null;
  /** What the metadata force; null in live mode. */
  forced: Forced | null;
  batchRef: string | null;
  round: number;
  attempt: number;
  droppedAttempt: number;
  /** How many attempts of this round failed for a passing reason of the service’s own. */
  delays: number;
  /** How many got nothing from its http extractor. */
  waits: number;
  /** When the next attempt of this round is due; null unless one was delayed. */
  retryAt: string | null;
  extractedData: Readonly<Record<string, unknown>> | string | null;
  fieldConfidences: Readonly<Record<string, number>> | string | null;
  confidence: number | null;
  certainty: number | null;
  aiSummary: string | null;
  result: Readonly<Record<string, unknown>> | string | null;
  reviewReasons: readonly ReviewReason[];
  corrections: readonly Correction[];
  failedReason: string | null;
  rejectReason: string | null;
  cancelReason: string | null;
  /** What others are matched with; none before the checks, and none once it has failed or was cancelled. */
  fingerprints: readonly Fingerprint[];
  fraudStatus: FraudStatus | null;
  fraudScore: number | null;
  fraudPolicy: FraudPolicy | null;
  fraudMatches: readonly JudgedMatch[];
  /** Null where the data are not sent to a sync target, or not yet. */
  sync: Sync | null;
}>;

/** The state after one more event; null before the first one. */
export const evolve = (state: Submission | null, event: SubmissionEvent): Submission => {
  if (event.type === 'SessionCreated') return created(event);
  if (state === null) throw new Error(`${event.type} without a SessionCreated before it`);
  if (isOneOf(sessionEvents, event)) return evolveSession(state, event);
  if (isOneOf(processingEvents, event)) return evolveProcessing(state, event);
  if (isOneOf(resultEvents, event)) return evolveResult(state, event);
  if (isOneOf(fraudEvents, event)) return evolveFraud(state, event);
  if (isOneOf(reviewEvents, event)) return evolveReview(state, event);
  if (isOneOf(syncEvents, event)) return evolveSync(state, event);
  return never(event);
};

const created = ({ data }: SessionCreated): Submission => ({
  routing: {
    submissionId: data.submissionId,
    companyId: data.companyId,
    mode: data.mode,
    keyId: data.keyId,
    workflow: { slug: data.workflow.slug, version: data.workflow.version },
    batchId: data.batchId,
  },
  workflow: data.workflow,
  status: 'created',
  state: 'pending',
  processed: false,
  expiresAt: data.expiresAt,
  slots: data.slots,
  files: [],
  readBy: null,
  fileNames: 'redacted' in data.private ? {} : data.private.fileNames,
  webhookUrl: data.notifies ? reveal(data.private, 'webhookUrl') : null,
  clientSubmissionId: reveal(data.private, 'clientSubmissionId'),
  metadata: reveal(data.private, 'metadata'),
  forced: forcedBy(data.mode, reveal(data.private, 'metadata')),
  batchRef: reveal(data.private, 'batchRef'),
  round: 1,
  attempt: 0,
  droppedAttempt: 0,
  delays: 0,
  waits: 0,
  retryAt: null,
  extractedData: null,
  fieldConfidences: null,
  confidence: null,
  certainty: null,
  aiSummary: null,
  result: null,
  reviewReasons: [],
  corrections: [],
  failedReason: null,
  rejectReason: null,
  cancelReason: null,
  fingerprints: [],
  fraudStatus: null,
  fraudScore: null,
  fraudPolicy: null,
  fraudMatches: [],
  sync: null,
});
