import { fraudCheckTypes } from '../domain/fraud/checks.ts';
import { fraudStatuses, resolutions } from '../domain/submission/fraud.ts';
import {
  anyObject,
  closed,
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
} from '../kernel/schema.ts';

/** Whether a submission looks like a fraud (fraud-10). */
export const FraudStatus = oneOf(fraudStatuses);

export const FraudCheckType = oneOf(fraudCheckTypes);
export const FraudMatchStatus = oneOf(['open', 'resolved']);
export const Resolution = oneOf(resolutions);

/** A finding of a check and its resolution (fraud-13). */
export const FraudMatch = Type.Object({
  id: id('fm'),
  checkType: FraudCheckType,
  status: FraudMatchStatus,
  resolution: nullable(Resolution),
  resolvedBy: nullable(
    text('who resolved it, as the client stated, otherwise `key:` and the key’s identifier'),
  ),
  resolvedAt: nullable(Time),
  score: meaning(Share, 'the weight of the match'),
  similarity: meaning(Share, 'how similar the two submissions are'),
  matchedSubmissionId: nullable(meaning(id('sub'), 'the earlier submission that it resembles')),
  details: anyObject('what the check compared'),
});
export type FraudMatch = Of<typeof FraudMatch>;

export const FraudMatches = pageOf(FraudMatch);

export const ResolveRequest = closed({
  resolution: Resolution,
  comment: optional(Type.String({ minLength: 1, maxLength: 1000 })),
  resolvedBy: optional(Type.String({ minLength: 1, maxLength: 128 })),
});
