import { closed, id, type Of, optional, Type, WorkflowReference } from '../kernel/schema.ts';
import { SubmissionStatus } from './session.ts';

const actor = optional(Type.String({ minLength: 1, maxLength: 128, description: 'who decided' }));
const text = optional(Type.String({ minLength: 1, maxLength: 1000 }));

/** POST …/approve; each correction is checked against its field's own schema, null clears (review-5). */
export const ApproveRequest = closed({
  comment: text,
  actor,
  corrections: optional(
    Type.Unsafe<Record<string, string | number | boolean | null>>({
      type: 'object',
      description: 'field to value, each held to its own schema; null clears it',
      maxProperties: 500,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    }),
  ),
});
export type ApproveRequest = Of<typeof ApproveRequest>;

/** POST …/reject and …/cancel. */
export const ReasonRequest = closed({ reason: text, actor });
export type ReasonRequest = Of<typeof ReasonRequest>;

/** 200 of approve, reject and cancel. */
export const Decision = Type.Object({
  submissionId: id('sub'),
  workflow: WorkflowReference,
  submissionStatus: SubmissionStatus,
});
export type Decision = Of<typeof Decision>;
