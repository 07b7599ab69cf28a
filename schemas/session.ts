import { jobStates, statuses } from '../domain/submission/transitions.ts';
import {
  anyObject,
  closed,
  id,
  MediaType,
  meaning,
  nullable,
  type Of,
  oneOf,
  opaque,
  optional,
  Time,
  Type,
  Version,
  WorkflowReference,
} from '../kernel/schema.ts';

/** A batch's name, chosen by the client (sessions-5). */
export const BatchRef = Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._-]+$' });
const BATCH_REF_FORM = 'letters, digits, dots, hyphens and underscores; neither `.` nor `..`';

/** What the client calls a submission; echoed. */
export const ClientSubmissionId = Type.String({ minLength: 1, maxLength: 128 });

/** An address for webhooks; domain/webhookUrl.ts has its rules beyond the syntax. */
export const WebhookUrl = Type.String({ minLength: 1, maxLength: 2048 });

const DeclaredFile = closed({
  label: optional(
    Type.String({ minLength: 1, maxLength: 128, description: "one of the version's labels, each used once" }),
  ),
  fileName: optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'what it is called where it comes from' }),
  ),
  mimeType: MediaType,
  fileSize: Type.Integer({ minimum: 1, description: 'in bytes' }),
  sha256: optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: '64 lower-case hexadecimal digits; signed into the address, as type and size are',
    }),
  ),
});

/** POST …/sessions (sessions-1). */
export const SessionRequest = closed({
  webhookUrl: optional(
    meaning(WebhookUrl, 'where webhooks go: https, to no private address, without credentials'),
  ),
  clientSubmissionId: optional(meaning(ClientSubmissionId, 'what you call it; echoed')),
  metadata: optional(
    anyObject(
      'echoed; up to 16 KiB of JSON, nested up to 32 levels. In test mode `intake:outcome` (a submissionStatus) and `intake:fraud` (a fraudStatus) force what the submission comes to',
    ),
  ),
  batchRef: optional(meaning(BatchRef, `which batch it belongs to: ${BATCH_REF_FORM}`)),
  version: optional(meaning(Version, 'a published version; the newest unless told')),
  files: optional(
    Type.Array(DeclaredFile, {
      minItems: 1,
      maxItems: 100,
      description: 'what will be uploaded: one address each; without it one for each slot of the version',
    }),
  ),
});
export type SessionRequest = Of<typeof SessionRequest>;

/** The body of POST …/submit and others: none, or `{}`. */
export const NoMembers = closed({});

/** A session's lifecycle state. */
export const JobState = meaning(
  oneOf(jobStates),
  'pending: it waits for its files; queued: it was submitted; processing; completed or failed: processing ended; cancelled: before that; expired: it was not submitted in time',
);

/** A submission's public business status. */
export const SubmissionStatus = meaning(
  oneOf(statuses),
  'created, processing; then review: a person must decide; approved, synced: it is good, and where it should go; rejected: by a person, for good; failed: the files can’t be processed; capture_quality_blocked: a better picture would do; cancelled',
);

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const;

/** How to upload one file: with exactly this method, these headers and these fields. */
export const UploadSlot = Type.Object({
  fileId: id('fil'),
  fileIndex: Type.Integer({ minimum: 0, description: 'its place, from 0' }),
  label: Type.String(),
  method: meaning(
    oneOf(['PUT', 'POST']),
    'PUT: send the file’s bytes; POST: send a form (multipart/form-data) of `fields` and then, last, the file as the field `file`. POST comes only where the files lie in a bucket of S3, for a file that was not declared in `files`',
  ),
  url: Type.String({ format: 'uri' }),
  headers: Type.Unsafe<Record<string, string>>({
    ...TEXTS,
    description: 'to be sent exactly so',
  }),
  fields: nullable(
    Type.Unsafe<Record<string, string>>({
      ...TEXTS,
      description:
        'of the form, to be sent exactly so, but `Content-Type`: put the file’s media type there; null for a PUT',
    }),
  ),
  expiresAt: Time,
});

/** Members of the request that are echoed. */
export const echoed = {
  clientSubmissionId: nullable(Type.String()),
  metadata: opaque('as given when the session was created'),
};

/** 201 of POST …/sessions. */
export const SessionCreated = Type.Object({
  sessionId: id('ses'),
  submissionId: id('sub'),
  workflow: WorkflowReference,
  state: JobState,
  submissionStatus: SubmissionStatus,
  uploads: Type.Array(UploadSlot),
  expiresAt: meaning(Time, 'until when it can be submitted'),
  ...echoed,
  batchRef: nullable(Type.String()),
  createdAt: Time,
});
export type SessionCreated = Of<typeof SessionCreated>;

/** POST …/sessions/{sessionId}/uploads: fresh addresses for the slots of a pending session. */
export const FreshUploads = Type.Object({
  sessionId: id('ses'),
  uploads: Type.Array(UploadSlot),
  expiresAt: Time,
});

/** The delivery status of a job's newest webhook. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** A session and its processing (jobs-1). */
export const Job = Type.Object({
  sessionId: id('ses'),
  submissionId: id('sub'),
  workflow: WorkflowReference,
  companyId: id('cmp'),
  state: JobState,
  submissionStatus: SubmissionStatus,
  result: opaque('what processing made of the files, in the shape of the workflow'),
  failedReason: nullable(Type.String({ description: 'why the files could not be processed, for people' })),
  ...echoed,
  processedAt: nullable(meaning(Time, 'when processing ended')),
  webhookDeliveryStatus: meaning(
    nullable(oneOf(deliveryStatuses)),
    'how the newest webhook fares; null without a webhookUrl, and until there is something to tell',
  ),
});
export type Job = Of<typeof Job>;
