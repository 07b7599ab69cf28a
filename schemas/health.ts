import { nullable, type Of, Type } from '../kernel/schema.ts';

/** GET /health/live. */
export const Live = Type.Object({ status: Type.Literal('live') });

/** One part that readiness depends on; `detail` names its fault. */
export const HealthCheck = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  detail: nullable(Type.String()),
});
export type HealthCheck = Of<typeof HealthCheck>;

/** GET /health/ready. */
export const Ready = Type.Object({ status: Type.Literal('ready'), checks: Type.Array(HealthCheck) });
