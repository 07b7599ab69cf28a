import { basis } from '../domain/redactionBasis.ts';
import {
  closed,
  example,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  Type,
  text,
  time,
  times,
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
    since: time('when it was placed', times.decided),
    actor: text('who placed it: `user:<id>` or `key:<id>`', 'key:key_01hv6x3m8q2r5t7w9y0a1b2c3d'),
  }),
  'that it must be kept; null where it need not',
);

/** What a redaction is based on (redaction-1). */
export const LegalBasis = basis.legalBasis;

const reason = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'for people',
  examples: ['Proceedings of the tax office'],
});

/** POST …/redact (redaction-1). */
export const RedactRequest = closed({
  reason: meaning(reason, 'for people. It is kept, so it must name nobody', 'Erasure request, article 17'),
  legalBasis: meaning(LegalBasis, 'what the redaction is based on', 'erasure_request'),
  requestedBy: optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'who asked for it, such as the number of a ticket. It is kept, so it must name nobody',
      examples: ['ticket 4711'],
    }),
  ),
});

export const Redacted = Type.Object({
  submissionId: id('sub'),
  workflow: WorkflowReference,
  submissionStatus: example(SubmissionStatus, 'cancelled'),
  redaction: nullable(example(Redaction, 'requested')),
});

/** POST …/legal-hold. */
export const LegalHoldRequest = closed({ reason });

export const LegalHoldAnswer = Type.Object({ submissionId: id('sub'), legalHold: nullable(LegalHold) });
export type LegalHoldAnswer = Of<typeof LegalHoldAnswer>;
