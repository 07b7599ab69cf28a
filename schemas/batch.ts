import { nullable, type Of, oneOf, Time, Type } from './schema.ts';
import { BatchRef } from './session.ts';

const Count = Type.Integer({ minimum: 0 });

/** GET /batches/{batchRef} (contract, section 2). */
export const Batch = Type.Object({
  batchRef: BatchRef,
  status: oneOf(['open', 'completed']),
  counts: Type.Object({ total: Count, processed: Count, review: Count, failed: Count, approved: Count }),
  createdAt: Time,
  completedAt: nullable(Time),
});
export type Batch = Of<typeof Batch>;
