import { example, nullable, Type } from '../kernel/schema.ts';

/** Who caused an event. */
export const Actor = Type.Object({
  kind: example(Type.String(), 'user'),
  id: example(Type.String(), 'usr_01hv6x3m8q2r5t7w9y0a1b2c3d'),
});

/** The request that something was done by. */
export const RequestId = nullable(example(Type.String(), 'order-4711-1'));
