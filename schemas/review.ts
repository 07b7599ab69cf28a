import { closed, id, type Of, optional, Type, WorkflowReference } from '../kernel/schema.ts';
import { SubmissionStatus } from './sessions.ts';

const actor = optional(Type.String({ minLength: 1, maxLength: 128, description: 'who made the decision' }));
const text = optional(Type.String({ minLength: 1, maxLength: 1000 }));

/** Each correction is checked against its field's own schema (review-5). */
export const ApproveRequest = closed({
  comment: text,
  actor,
  corrections: optional(
    Type.Unsafe<Record<string, string | number | boolean | null>>({
      type: 'object',
      description: 'values by field, each checked against the field’s schema; null clears the field',
      maxProperties: 500,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    }),
  ),
});

export const ReasonRequest = closed({ reason: text, actor });
export type ReasonRequest = Of<typeof ReasonRequest>;

export const Decision = Type.Object({
  submissionId: id('sub'),
  workflow: WorkflowReference,
  submissionStatus: SubmissionStatus,
});
export type Decision = Of<typeof Decision>;
