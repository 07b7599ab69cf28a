import { fraudCheckTypes } from '../domain/fraud/checks.ts';
import { fraudStatuses, resolutions } from '../domain/submission/fraud.ts';
import {
  closed,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  opaque,
  optional,
  pageOf,
  Share,
  Time,
  Type,
  text,
} from '../kernel/schema.ts';

/** Whether a submission looks like a fraud (fraud-10). */
export const FraudStatus = oneOf(fraudStatuses);

/** A finding of a check and its resolution (fraud-13). */
export const FraudMatch = Type.Object({
  id: id('fm'),
  checkType: oneOf(fraudCheckTypes),
  status: oneOf(['open', 'resolved']),
  resolution: nullable(oneOf(resolutions)),
  resolvedBy: nullable(
    text('who resolved it, as the client stated, otherwise `key:` and the key’s identifier'),
  ),
  resolvedAt: nullable(Time),
  score: meaning(Share, 'the weight of the match'),
  similarity: meaning(Share, 'how similar the two submissions are'),
  matchedSubmissionId: nullable(meaning(id('sub'), 'the earlier submission that it resembles')),
  details: opaque('what the check compared'),
});
export type FraudMatch = Of<typeof FraudMatch>;

export const FraudMatches = pageOf(FraudMatch);

export const ResolveRequest = closed({
  resolution: oneOf(resolutions),
  comment: optional(Type.String({ minLength: 1, maxLength: 1000 })),
  resolvedBy: optional(Type.String({ minLength: 1, maxLength: 128 })),
});
