import { fraudCheckTypes } from '../domain/fraud/checks.ts';
import { fraudStatuses, resolutions } from '../domain/submission/fraud.ts';
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
  Time,
  Type,
  text,
  times,
} from '../kernel/schema.ts';

/** Whether a submission looks like a fraud (fraud-10). */
export const FraudStatus = example(oneOf(fraudStatuses), 'flagged');

export const FraudCheckType = oneOf(fraudCheckTypes);
export const FraudMatchStatus = oneOf(['open', 'resolved']);
export const Resolution = example(oneOf(resolutions), 'dismissed');

/** A finding of a check and its resolution (fraud-13). */
export const FraudMatch = Type.Object({
  id: id('fm'),
  checkType: example(FraudCheckType, 'duplicate_data'),
  status: example(FraudMatchStatus, 'resolved'),
  resolution: nullable(Resolution),
  resolvedBy: nullable(
    text('who resolved it, as the client stated, otherwise `key:` and the key’s identifier', 'jane.doe'),
  ),
  resolvedAt: nullable(example(Time, times.decided)),
  score: meaning(Share, 'the weight of the match', 0.8),
  similarity: meaning(Share, 'how similar the two submissions are', 1),
  matchedSubmissionId: nullable(
    meaning(id('sub'), 'the earlier submission that it resembles', 'sub_01hv5p9k3m5q7s9v1x3z5b7d9f'),
  ),
  label: nullable(text('what names that submission for people, as it is now', 'ACME Trading · 80.90')),
  details: anyObject('what the check compared', { fields: ['company', 'total'] }),
});
export type FraudMatch = Of<typeof FraudMatch>;

export const FraudMatches = pageOf(FraudMatch);

export const ResolveRequest = closed({
  resolution: Resolution,
  comment: optional(
    Type.String({ minLength: 1, maxLength: 1000, examples: ['Two receipts of one evening'] }),
  ),
  resolvedBy: optional(Type.String({ minLength: 1, maxLength: 128, examples: ['jane.doe'] })),
});
