import { Box, FieldValue, PageSize, Place } from '../domain/submission/processingResult.ts';
import { fourEyesOutcomes } from '../domain/workflow.ts';
import {
  closed,
  text as described,
  example,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  seldom,
  Time,
  Type,
  times,
  WorkflowReference,
} from '../kernel/schema.ts';
import { SubmissionStatus } from './sessions.ts';

const actor = optional(
  Type.String({ minLength: 1, maxLength: 128, description: 'who made the decision', examples: ['jane.doe'] }),
);
const said = (example: string) =>
  optional(Type.String({ minLength: 1, maxLength: 1000, examples: [example] }));

export const SentSize = closed(PageSize.properties);
export const SentBox = closed(Box.properties);
/** A place as a client sends it: nothing else is stored with it. */
export const SentPlace = closed({
  ...Place.properties,
  size: nullable(meaning(SentSize, 'as a place in `result` has it; null for text')),
  box: nullable(meaning(SentBox, 'around the value, in the units of the size; null for text')),
});

/** Each correction is checked against its field's own schema (review-5). */
export const ApproveRequest = closed({
  comment: said('Total read off the card slip'),
  actor,
  corrections: optional(
    Type.Unsafe<Record<string, FieldValue>>({
      type: 'object',
      description: 'values by field, each checked against the field’s schema; null clears the field',
      maxProperties: 500,
      additionalProperties: FieldValue,
      examples: [{ total: 80.95 }],
    }),
  ),
  places: optional(
    Type.Unsafe<Record<string, Of<typeof SentPlace>>>({
      type: 'object',
      description:
        'where corrected values stand, by field: of those that a person took from a page (fields-20)',
      maxProperties: 500,
      additionalProperties: SentPlace,
    }),
  ),
});

export const ReasonRequest = closed({ reason: said('Not a business expense'), actor });
export type ReasonRequest = Of<typeof ReasonRequest>;

/** POST …/enter (review-19). */
export const EnterRequest = closed({
  reason: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: '\\S',
    description: 'why, for people',
    examples: ['Torn, and can be read by eye'],
  }),
  actor,
});

/** What two people may have to decide. */
export const DecisionOutcome = oneOf(fourEyesOutcomes);

const first = {
  outcome: DecisionOutcome,
  by: described('who made it: `user:<id>` or `key:<id>`', 'user:usr_01hv6x3m8q2r5t7w9y0a1b2c3d'),
  at: example(Time, times.decided),
};

/** The first of two decisions (review-12). */
export const FirstDecision = Type.Object(first);

/** A correction by the first of two people. */
export const FirstCorrection = Type.Object({
  field: example(Type.String(), 'total'),
  machineValue: meaning(FieldValue, 'the value that was read', 80.9),
  humanValue: meaning(FieldValue, 'the corrected value', 80.95),
  place: seldom(meaning(Place, 'where the value stands; null where it was typed or cleared')),
});

/** A reviewer's correction of a field (review-8). */
export const Correction = Type.Object({
  ...FirstCorrection.properties,
  actor: nullable(
    described('who made the decision: `user:<id>`, or of a key as the client stated', 'jane.doe'),
  ),
  keyId: nullable(described('the API key of the request; null for a person')),
  at: example(Time, times.decided),
});

/** The first decision with what was said. */
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
  submissionStatus: example(SubmissionStatus, 'approved'),
  missing: Type.Array(Type.String(), {
    description: 'the required fields that were approved without a value; mostly empty',
    examples: [[]],
  }),
});
export type Decision = Of<typeof Decision>;
