import { HealthCheck } from './health.ts';
import { nullable, type Of, Type } from './schema.ts';

/** One fault: where (a JSON Pointer; `/query/…`, `/path/…` and `/headers/…` outside the body) and what to mend. */
export const Fault = Type.Object({ pointer: Type.String(), detail: Type.String() });

/** The body of every answer that is not a 2xx (RFC 9457; decisions, section 3). */
export const Problem = Type.Object({
  type: Type.String({ pattern: '^/problems/[a-z-]+$' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String(),
  instance: nullable(Type.String()),
  code: Type.String(),
  requestId: Type.String(),
  retryable: Type.Boolean(),
  errors: Type.Optional(Type.Array(Fault)),
  currentStatus: Type.Optional(nullable(Type.String())),
  allowedFrom: Type.Optional(Type.Array(Type.String())),
  checks: Type.Optional(Type.Array(HealthCheck)),
});
export type Problem = Of<typeof Problem>;
