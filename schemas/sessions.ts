import { echoedAnswer, echoedRequest } from '../domain/submission/echoed.ts';
import { ProcessingResult } from '../domain/submission/processingResult.ts';
import { jobStates, statuses } from '../domain/submission/transitions.ts';
import { deliveryStatuses } from '../domain/webhookDeliveryEvents.ts';
import {
  closed,
  example,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  Time,
  Type,
  text,
  time,
  times,
  WorkflowReference,
} from '../kernel/schema.ts';
import { DeclaredFile, Expiry, UploadMethod, UploadSlot } from './uploads.ts';

/** A batch's name, chosen by the client (sessions-5). */
export const BatchRef = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9._-]+$',
  examples: ['trip-2026-11'],
});
/** The batch that a session belongs to, as answers and webhooks name it. */
export const EchoedBatchRef = nullable(example(Type.String(), 'trip-2026-11'));
const BATCH_REF_FORM = 'letters, digits, dots, hyphens and underscores; neither `.` nor `..`';

/** domain/webhookUrl.ts has its other rules. */
export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  examples: ['https://erp.example.com/hooks/intake'],
});

/** What opens a session (sessions-1). */
export const SessionRequest = closed({
  webhookUrl: optional(
    meaning(WebhookUrl, 'the address for webhooks: https, not private, without credentials'),
  ),
  ...echoedRequest,
  batchRef: optional(meaning(BatchRef, `the batch that the session belongs to: ${BATCH_REF_FORM}`)),
  // Without an example: a sample that is run as written names no version that there may not be.
  version: optional(Type.Integer({ minimum: 1, description: 'a published version; the newest by default' })),
  files: optional(
    Type.Array(DeclaredFile, {
      minItems: 1,
      maxItems: 100,
      description:
        'the files to upload, each with its own address; without them there is one for each slot of the version',
    }),
  ),
  uploadMethod: optional(
    meaning(
      UploadMethod,
      'POST: each file is sent as a form, as a page does by itself; PUT, the default, where the store can',
    ),
  ),
});
export type SessionRequest = Of<typeof SessionRequest>;

/** No body, or `{}`. */
export const NoMembers = closed({});

export const JobState = meaning(
  oneOf(jobStates),
  'pending: waiting for its files; queued: submitted; processing; completed or failed: processing has ended; cancelled: before it ended; expired: not submitted in time',
  'completed',
);

export const SubmissionStatus = meaning(
  oneOf(statuses),
  'created, processing; then review: a person must decide; approved; synced: approved, and its data sent on; rejected: by a person, finally; failed: the files can’t be processed; capture_quality_blocked: a better picture is needed; cancelled',
  'review',
);

export const SessionCreated = Type.Object({
  sessionId: id('ses'),
  submissionId: id('sub'),
  workflow: WorkflowReference,
  state: example(JobState, 'pending'),
  submissionStatus: example(SubmissionStatus, 'created'),
  uploads: Type.Array(UploadSlot),
  expiresAt: meaning(Expiry, 'until when the session can be submitted'),
  ...echoedAnswer,
  batchRef: EchoedBatchRef,
  createdAt: Time,
});
export type SessionCreated = Of<typeof SessionCreated>;

export const FreshUploads = Type.Object({
  sessionId: id('ses'),
  uploads: Type.Array(UploadSlot),
  expiresAt: Expiry,
});

export const DeliveryStatus = oneOf(deliveryStatuses);

/** A session and its processing (jobs-1). */
export const Job = Type.Object({
  sessionId: id('ses'),
  submissionId: id('sub'),
  workflow: WorkflowReference,
  companyId: id('cmp'),
  state: JobState,
  submissionStatus: SubmissionStatus,
  result: nullable(ProcessingResult),
  failedReason: nullable(text('why the files could not be processed, for people')),
  ...echoedAnswer,
  processedAt: nullable(time('when processing ended', times.processed)),
  webhookDeliveryStatus: meaning(
    nullable(DeliveryStatus),
    'the delivery status of the newest webhook; null without a webhookUrl, and before the first webhook',
    'delivered',
  ),
});
export type Job = Of<typeof Job>;
