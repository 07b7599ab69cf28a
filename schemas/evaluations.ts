import { evaluationStatuses } from '../domain/evaluation/evaluation.ts';
import { approvers } from '../domain/evaluation/gate.ts';
import { verdicts } from '../domain/evaluation/judge.ts';
import {
  anyObject,
  closed,
  example,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  pageOf,
  Share,
  Slug,
  Time,
  Type,
  text,
  time,
  times,
  Version,
  whole,
} from '../kernel/schema.ts';

export const Approver = meaning(
  oneOf(approvers),
  'person: only what a person approved; anybody: also what was approved by itself, whose truth is what was read then',
  'anybody',
);
export const SetSize = Type.Integer({ minimum: 1, maximum: 5_000 });
const Seed = Type.Integer({ minimum: 0, maximum: 4_294_967_295 });
const sized = 'how many submissions at most; 300 of which none is wrong show that at most 1 % are wrong';

/** Which approved submissions a candidate is tried on. */
export const RequestedSet = closed({
  createdAfter: optional(time('only submissions created at this time or later', times.made)),
  createdBefore: optional(time('only submissions created before this time', times.expires)),
  approvedBy: optional(Approver),
  size: optional(meaning(SetSize, `${sized}; 300 unless given`, 300)),
  seed: optional(meaning(Seed, 'draws the set: the same seed draws the same; 1 unless given', 1)),
});

/** A set that grows by what comes in (evaluations-18). */
export const RequestedShadow = closed({
  share: meaning(
    Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
    'how much of what is approved is read; 1 is all',
    0.1,
  ),
});

/** POST /evaluations (evaluations-1). `definitionProblems` checks the definition. */
export const RequestEvaluation = closed({
  workflow: optional(
    meaning(
      closed({ slug: Slug, version: Version }),
      'a published version; it, or a definition, must be there',
    ),
  ),
  definition: optional(anyObject('a draft of the next version of one of the company’s workflows')),
  set: optional(RequestedSet),
  shadow: optional(
    meaning(
      RequestedShadow,
      'reads along: the set is drawn from what is approved from now on, in place of what was',
    ),
  ),
});

export const EvaluationStatus = meaning(
  oneOf(evaluationStatuses),
  'running: it goes on by itself, while no document waits to be read',
  'running',
);

export const EvaluationSet = Type.Object({
  createdAfter: nullable(Time),
  createdBefore: nullable(Time),
  approvedBy: Approver,
  size: whole(sized, 300),
  seed: whole('what drew the set', 1),
});

/** A shadow reads along until it has the size of its set. */
export const EvaluationShadow = Type.Object({
  share: meaning(Share, 'how much of what is approved is read', 0.1),
});

/** What is tried. */
export const EvaluatedWorkflow = Type.Object({
  slug: Slug,
  version: nullable(meaning(Version, 'the published version that is tried; null of a draft')),
});

/** An evaluation, and how far it is (evaluations-8). */
export const Evaluation = Type.Object({
  evaluationId: id('evl'),
  status: EvaluationStatus,
  workflow: EvaluatedWorkflow,
  set: EvaluationSet,
  shadow: nullable(meaning(EvaluationShadow, 'null where the set was approved before')),
  actor: text('who requested it: `user:<id>` or `key:<id>`', 'key:key_01hv6x3m8q2r5t7w9y0a1b2c3d'),
  found: whole('the submissions that match', 412),
  redacted: whole('those of them that are redacted, also by retention: they are left out', 12),
  total: whole('those that were drawn', 300),
  read: whole('those of them that were read', 120),
  omitted: whole(
    'those that were left out since: redacted by now, without their files, or with a forced outcome',
    0,
  ),
  left: whole('those that are still to be read', 180),
  createdAt: Time,
  endedAt: nullable(time('when it was completed or cancelled', times.decided)),
});
export type Evaluation = Of<typeof Evaluation>;
export const EvaluationPage = pageOf(Evaluation);

/** A share, and the bounds between which the true one is with 95 % confidence (Wilson). */
export const ShareInterval = Type.Object({
  share: example(Share, 0.77),
  from: example(Share, 0.72),
  to: example(Share, 0.81),
});

export const EvaluatedField = Type.Object({
  name: example(Type.String(), 'total'),
  exact: whole('how many were read as they are', 271),
  normalised: whole('how many but for case, blanks and punctuation', 12),
  missing: whole('how many were not found', 9),
  wrong: whole('how many were read as something else, also where there is nothing', 8),
  sure: whole('how many are at or above the threshold of a review', 262),
  wrongSure: whole('how many of the wrong ones are at or above the threshold of a review', 1),
  right: nullable(ShareInterval),
});

export const ConfidenceBand = Type.Object({
  from: meaning(Share, 'the lowest confidence', 0.9),
  to: meaning(Share, 'the confidence that is above it, or 1', 0.95),
  count: whole('the values that were read with it', 210),
  right: whole('how many of them are right', 201),
});

/** What a version made of the set. */
export const EvaluationFigures = Type.Object({
  fields: Type.Array(EvaluatedField),
  calibration: Type.Array(ConfidenceBand, { description: 'how many are right, by confidence' }),
  approved: nullable(meaning(ShareInterval, 'approved without a person')),
  wrongApproved: nullable(
    meaning(ShareInterval, 'of those the ones of which a required field is wrong or missing'),
  ),
});

/** How a value was read. */
export const ReadingVerdict = example(oneOf(verdicts), 'exact');

export const JudgedField = Type.Object({
  name: example(Type.String(), 'total'),
  verdict: ReadingVerdict,
  isFound: example(Type.Boolean(), true),
  confidence: example(Share, 0.93),
});

export const EvaluationDifference = Type.Object({
  submissionId: id('sub'),
  name: example(Type.String(), 'total'),
  before: nullable(JudgedField),
  after: nullable(JudgedField),
});

export const ApprovalChange = Type.Object({
  submissionId: id('sub'),
  isApproved: meaning(Type.Boolean(), 'whether the candidate approves it without a person', true),
});

/** A threshold, and what it comes to on the set. */
export const AdvisedThreshold = Type.Object({
  reviewBelow: meaning(Share, 'the lowest one that holds', 0.87),
  approved: whole('how many of the set are at or above it', 299),
  wrong: whole('how many of these are wrong', 0),
  atMost: meaning(Share, 'the share of wrong ones that is not exceeded, with 95 % confidence', 0.0099),
});

/** How much of a set people see. */
export const ReviewShares = Type.Object({
  before: meaning(Share, 'the share of the set that people saw', 0.41),
  after: meaning(Share, 'the share that they would see with the candidate', 0.3),
  advised: nullable(meaning(Share, 'the same with the threshold', 0.23)),
});

/** The same for a required field by itself: of its values at or above it no larger share is wrong. */
export const AdvisedField = Type.Object({
  name: example(Type.String(), 'total'),
  threshold: nullable(meaning(AdvisedThreshold, 'null where none holds, or the set is too small')),
});

/** The threshold that a wished share of wrong approvals allows: it advises, a person publishes. */
export const EvaluationAdvice = Type.Object({
  maxWrong: meaning(Share, 'the share that may be wrong of what no person sees', 0.01),
  total: whole('the submissions that a threshold decides on: nothing else holds them back', 340),
  needed: whole('how many must be at or above a threshold, none of them wrong, for it to hold', 299),
  threshold: nullable(meaning(AdvisedThreshold, 'null where none holds, or the set is too small')),
  fields: Type.Array(AdvisedField, {
    description: 'what each required field would take by itself, as a company’s `fieldsBelow` sets it',
  }),
  reviews: ReviewShares,
});

/** What was read until now (evaluations-9). */
export const EvaluationReport = Type.Object({
  documents: whole('the submissions that were read', 300),
  checked: whole('those of them that a person approved: of the others the truth is what was read then', 123),
  reviewBelow: meaning(Share, 'the threshold of the candidate for the company', 0.8),
  before: meaning(EvaluationFigures, 'as each was read when it came'),
  after: meaning(EvaluationFigures, 'as the candidate reads it'),
  differences: Type.Array(EvaluationDifference, { description: 'the values that the two read differently' }),
  approvals: Type.Array(ApprovalChange, { description: 'the submissions that only one of them approves' }),
  advice: nullable(meaning(EvaluationAdvice, 'null of no submissions')),
});

export const EvaluationWithReport = Type.Object({ ...Evaluation.properties, report: EvaluationReport });

export const EvaluationTable = text(
  'a line for each field of each submission, as it was read then and as the candidate reads it',
);
export const EvaluationPlot = text('how many values are right by confidence, before and after');
