import { fraudCheckTypes } from '../domain/fraud/checks.ts';
import { id, nullable, type Of, oneOf, Share, Type } from '../kernel/schema.ts';
import { HealthCheck } from './health.ts';

/**
 * A fault: its place (a JSON Pointer; `/query/…`, `/path/…` and `/headers/…` outside the body) and its
 * description.
 */
export const Fault = Type.Object({ pointer: Type.String(), detail: Type.String() });

/** The body of every answer that is not a 2xx (RFC 9457; problems-8). */
export const Problem = Type.Object({
  type: Type.String({ pattern: '^/problems/[a-z-]+$' }),
  title: Type.String({ description: 'what the code says, for people' }),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String({ description: 'what is wrong in this case' }),
  instance: nullable(Type.String({ description: 'the path that was asked for' })),
  code: Type.String({ description: 'the kind of problem, for programs' }),
  requestId: Type.String(),
  retryable: Type.Boolean({ description: 'whether the same request may succeed later' }),
  errors: Type.Optional(Type.Array(Fault, { description: 'each fault of the request' })),
  currentStatus: Type.Optional(nullable(Type.String({ description: 'how the submission stands' }))),
  allowedFrom: Type.Optional(
    Type.Array(Type.String(), { description: 'from which statuses it would have been done' }),
  ),
  fraudMatches: Type.Optional(
    Type.Array(
      Type.Object({
        id: id('fm'),
        checkType: oneOf(fraudCheckTypes),
        score: Share,
        matchedSubmissionId: nullable(id('sub')),
      }),
      { description: 'the fraud matches that block an approval' },
    ),
  ),
  checks: Type.Optional(Type.Array(HealthCheck)),
});
export type Problem = Of<typeof Problem>;
