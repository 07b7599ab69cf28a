import { example, nullable, type Of, Type } from '../kernel/schema.ts';

export const Live = Type.Object({ status: Type.Literal('live') });

/** A part that readiness depends on; `detail` names its fault. */
export const HealthCheck = Type.Object({
  name: example(Type.String(), 'projections'),
  ok: Type.Boolean(),
  detail: nullable(Type.String()),
});
export type HealthCheck = Of<typeof HealthCheck>;

export const Ready = Type.Object({ status: Type.Literal('ready'), checks: Type.Array(HealthCheck) });
