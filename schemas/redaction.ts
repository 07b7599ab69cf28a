import { legalBases } from '../domain/submission/redaction.ts';
import {
  closed,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  Type,
  text,
  time,
  WorkflowReference,
} from '../kernel/schema.ts';
import { SubmissionStatus } from './sessions.ts';

/** How far the removal of what is private has come (redaction-2). */
export const Redaction = meaning(
  oneOf(['requested', 'done']),
  'requested: nothing private is shown any more, and it is being removed; done: it is gone for ever; null: neither',
);

/** Since when a submission must be kept, and who says so (hold-3). */
export const LegalHold = meaning(
  Type.Object({
    since: time('when it was placed'),
    actor: text('who placed it: `user:<id>` or `key:<id>`'),
  }),
  'that it must be kept; null where it need not',
);

/** What a redaction is based on (redaction-1). */
export const LegalBasis = oneOf(legalBases);

const reason = Type.String({ minLength: 1, maxLength: 1000, description: 'for people' });

/** POST …/redact (redaction-1). */
export const RedactRequest = closed({
  reason: meaning(reason, 'for people. It is kept, so it must name nobody'),
  legalBasis: meaning(LegalBasis, 'what the redaction is based on'),
  requestedBy: optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'who asked for it, such as the number of a ticket. It is kept, so it must name nobody',
    }),
  ),
});

export const Redacted = Type.Object({
  submissionId: id('sub'),
  workflow: WorkflowReference,
  submissionStatus: SubmissionStatus,
  redaction: nullable(Redaction),
});

/** POST …/legal-hold. */
export const LegalHoldRequest = closed({ reason });

export const LegalHoldAnswer = Type.Object({ submissionId: id('sub'), legalHold: nullable(LegalHold) });
export type LegalHoldAnswer = Of<typeof LegalHoldAnswer>;
