import { meaning, nullable, type Of, oneOf, Time, Type } from '../kernel/schema.ts';
import { BatchRef } from './session.ts';

const Count = Type.Integer({ minimum: 0 });

/** GET /batches/{batchRef} (batches-2). */
export const Batch = Type.Object({
  batchRef: BatchRef,
  status: oneOf(['open', 'completed']),
  counts: Type.Object({
    total: meaning(Count, 'sessions that were neither cancelled nor expired before they were processed'),
    processed: meaning(Count, 'those that were ever processed, whatever became of them'),
    review: meaning(Count, 'those that wait for a reviewer now'),
    failed: meaning(Count, 'those that are failed or capture_quality_blocked now'),
    approved: meaning(Count, 'those that are approved or synced now'),
  }),
  createdAt: Time,
  completedAt: nullable(meaning(Time, 'never changes once it is there')),
});
export type Batch = Of<typeof Batch>;
