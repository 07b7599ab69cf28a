import { example, id, meaning, nullable, type Of, Type, text } from '../kernel/schema.ts';
import { FraudMatch } from './fraud.ts';
import { HealthCheck } from './health.ts';
import { Claim } from './reviewQueue.ts';

/** `pointer` is a JSON Pointer into the body; outside it: `/query/…`, `/path/…` and `/headers/…`. */
export const Fault = Type.Object({ pointer: Type.String(), detail: Type.String() });

/** A fraud match that blocks an approval. */
export const BlockingMatch = Type.Object({
  id: id('fm'),
  checkType: FraudMatch.properties.checkType,
  score: FraudMatch.properties.score,
  matchedSubmissionId: FraudMatch.properties.matchedSubmissionId,
});

/** The body of every answer that is not a 2xx (RFC 9457; problems-8). */
export const Problem = Type.Object({
  type: Type.String({ pattern: '^/problems/[a-z-]+$', examples: ['/problems/not-found'] }),
  title: text('the meaning of the code, for people', 'Not found'),
  status: Type.Integer({ minimum: 400, maximum: 599, examples: [404] }),
  detail: text(
    'the fault in this case',
    'There is nothing of this name or identifier, or nothing that the caller may see.',
  ),
  instance: nullable(text('the path of the request', '/api/v1/workflows/receipt')),
  code: text('the kind of problem, for programs', 'not-found'),
  requestId: example(Type.String(), 'order-4711-1'),
  retryable: Type.Boolean({ description: 'whether the same request may succeed later', examples: [false] }),
  errors: Type.Optional(Type.Array(Fault, { description: 'every fault of the request' })),
  currentStatus: Type.Optional(nullable(text('the status of the submission'))),
  allowedFrom: Type.Optional(
    Type.Array(Type.String(), { description: 'the statuses in which the decision is possible' }),
  ),
  fraudMatches: Type.Optional(
    Type.Array(BlockingMatch, { description: 'the fraud matches that block an approval' }),
  ),
  claim: Type.Optional(meaning(Claim, 'who has claimed the submission')),
  checks: Type.Optional(Type.Array(HealthCheck)),
});
export type Problem = Of<typeof Problem>;
