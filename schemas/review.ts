import { FieldValue } from '../domain/submission/processingResult.ts';
import { fourEyesOutcomes } from '../domain/workflow.ts';
import {
  closed,
  text as described,
  id,
  meaning,
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
    Type.Unsafe<Record<string, FieldValue>>({
      type: 'object',
      description: 'values by field, each checked against the field’s schema; null clears the field',
      maxProperties: 500,
      additionalProperties: FieldValue,
    }),
  ),
});

export const ReasonRequest = closed({ reason: text, actor });
export type ReasonRequest = Of<typeof ReasonRequest>;

/** POST …/enter (review-19). */
export const EnterRequest = closed({
  reason: Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description: 'why, for people' }),
  actor,
});

/** What two people may have to decide. */
export const DecisionOutcome = oneOf(fourEyesOutcomes);

const first = {
  outcome: DecisionOutcome,
  by: described('who made it: `user:<id>` or `key:<id>`'),
  at: Time,
};

/** The first of two decisions (review-12). */
export const FirstDecision = Type.Object(first);

/** A correction by the first of two people. */
export const FirstCorrection = Type.Object({
  field: Type.String(),
  machineValue: meaning(FieldValue, 'the value that was read'),
  humanValue: meaning(FieldValue, 'the corrected value'),
});

/** The same with what was said. */
export const FirstDecisionDetail = Type.Object({
  ...first,
  actor: nullable(described('who made it, as the client stated')),
  comment: nullable(described('of an approval')),
  reason: nullable(described('of a rejection')),
  corrections: Type.Array(FirstCorrection, {
    description: 'of an approval; those of the second person win over them',
  }),
});

export const Decision = Type.Object({
  submissionId: id('sub'),
  workflow: WorkflowReference,
  submissionStatus: SubmissionStatus,
  missing: Type.Array(Type.String(), {
    description: 'the required fields that were approved without a value; mostly empty',
  }),
});
export type Decision = Of<typeof Decision>;
