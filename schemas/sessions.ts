import { uploadMethods } from '../domain/slots.ts';
import { echoedAnswer, echoedRequest } from '../domain/submission/echoed.ts';
import { ProcessingResult } from '../domain/submission/processingResult.ts';
import { jobStates, statuses } from '../domain/submission/transitions.ts';
import { deliveryStatuses } from '../domain/webhookDelivery.ts';
import {
  closed,
  id,
  MediaType,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  Time,
  Type,
  text,
  time,
  Version,
  WorkflowReference,
} from '../kernel/schema.ts';

/** A batch's name, chosen by the client (sessions-5). */
export const BatchRef = Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._-]+$' });
const BATCH_REF_FORM = 'letters, digits, dots, hyphens and underscores; neither `.` nor `..`';

/** domain/webhookUrl.ts has its other rules. */
export const WebhookUrl = Type.String({ minLength: 1, maxLength: 2048 });

export const UploadMethod = oneOf(uploadMethods);

const SHA256 = '^[0-9a-f]{64}$';

export const DeclaredFile = closed({
  label: optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "one of the version's labels, each used at most once",
    }),
  ),
  fileName: optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'the name of the file at its source' }),
  ),
  mimeType: MediaType,
  fileSize: Type.Integer({ minimum: 1, description: 'in bytes' }),
  sha256: optional(
    Type.String({
      pattern: SHA256,
      description:
        '64 lower-case hexadecimal digits; signed into the address, like type and size. Of a file that is sent in parts it is checked at submit',
    }),
  ),
  partSha256: optional(
    Type.Array(Type.String({ pattern: SHA256 }), {
      minItems: 1,
      maxItems: 100,
      description:
        'the SHA-256 of each part, in order, for a file over 104857600 bytes; signed into the addresses of the parts',
    }),
  ),
});

/** What opens a session (sessions-1). */
export const SessionRequest = closed({
  webhookUrl: optional(
    meaning(WebhookUrl, 'the address for webhooks: https, not private, without credentials'),
  ),
  ...echoedRequest,
  batchRef: optional(meaning(BatchRef, `the batch that the session belongs to: ${BATCH_REF_FORM}`)),
  version: optional(meaning(Version, 'a published version; the newest by default')),
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
);

export const SubmissionStatus = meaning(
  oneOf(statuses),
  'created, processing; then review: a person must decide; approved; synced: approved, and its data sent on; rejected: by a person, finally; failed: the files can’t be processed; capture_quality_blocked: a better picture is needed; cancelled',
);

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const;

/** How to upload one part of a file. */
export const UploadPart = Type.Object({
  partNumber: Type.Integer({ minimum: 1 }),
  size: Type.Integer({
    minimum: 1,
    description: 'in bytes: exactly so many, from where the part before it ends',
  }),
  url: Type.String({ format: 'uri' }),
  headers: Type.Unsafe<Record<string, string>>({ ...TEXTS, description: 'send exactly these' }),
  uploaded: Type.Boolean({ description: 'whether the store has it; it may be sent again' }),
});

/** How to upload a file. */
export const UploadSlot = Type.Object({
  fileId: id('fil'),
  fileIndex: Type.Integer({ minimum: 0, description: 'its position, from 0' }),
  label: Type.String(),
  method: meaning(
    UploadMethod,
    'PUT: send the file’s bytes; POST: send a form (multipart/form-data) of `fields` and then, last, the file as the field `file`. POST is used where the session asks for it, and where files are stored in an S3 bucket for a file that was not declared in `files`',
  ),
  url: meaning(nullable(Type.String({ format: 'uri' })), 'null for a file that is sent in parts'),
  headers: Type.Unsafe<Record<string, string>>({
    ...TEXTS,
    description: 'send exactly these',
  }),
  fields: nullable(
    Type.Unsafe<Record<string, string>>({
      ...TEXTS,
      description:
        'the fields of the form: send exactly these, with the file’s media type as `Content-Type`; null for a PUT',
    }),
  ),
  parts: meaning(
    nullable(Type.Array(UploadPart)),
    'the parts of a file over 104857600 bytes, each a PUT of its own, in any order; null for a file that is sent as a whole',
  ),
  expiresAt: Time,
});

export const SessionCreated = Type.Object({
  sessionId: id('ses'),
  submissionId: id('sub'),
  workflow: WorkflowReference,
  state: JobState,
  submissionStatus: SubmissionStatus,
  uploads: Type.Array(UploadSlot),
  expiresAt: time('until when the session can be submitted'),
  ...echoedAnswer,
  batchRef: nullable(Type.String()),
  createdAt: Time,
});
export type SessionCreated = Of<typeof SessionCreated>;

export const FreshUploads = Type.Object({
  sessionId: id('ses'),
  uploads: Type.Array(UploadSlot),
  expiresAt: Time,
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
  processedAt: nullable(time('when processing ended')),
  webhookDeliveryStatus: meaning(
    nullable(DeliveryStatus),
    'the delivery status of the newest webhook; null without a webhookUrl, and before the first webhook',
  ),
});
export type Job = Of<typeof Job>;
