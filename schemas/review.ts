import { fourEyesOutcomes } from '../domain/workflow.ts';
import {
  closed,
  text as described,
  id,
  nullable,
  type Of,
  oneOf,
  optional,
  Time,
  Type,
  WorkflowReference,
} from '../kernel/schema.ts';
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

const first = {
  outcome: oneOf(fourEyesOutcomes),
  by: described('who made it: `user:<id>` or `key:<id>`'),
  at: Time,
};

/** The first of two decisions (review-12). */
export const FirstDecision = Type.Object(first);

/** The same with what was said. */
export const FirstDecisionDetail = Type.Object({
  ...first,
  actor: nullable(described('who made it, as the client stated')),
  comment: nullable(described('of an approval')),
  reason: nullable(described('of a rejection')),
  corrections: Type.Array(
    Type.Object({
      field: Type.String(),
      machineValue: Type.Unknown({ description: 'the value that was read' }),
      humanValue: Type.Unknown({ description: 'the corrected value' }),
    }),
    { description: 'of an approval; those of the second person win over them' },
  ),
});

export const Decision = Type.Object({
  submissionId: id('sub'),
  workflow: WorkflowReference,
  submissionStatus: SubmissionStatus,
});
export type Decision = Of<typeof Decision>;
