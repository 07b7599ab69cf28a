import { meaning, nullable, type Of, oneOf, Time, Type, time } from '../kernel/schema.ts';
import { BatchRef } from './sessions.ts';

const Count = Type.Integer({ minimum: 0 });

/** GET /batches/{batchRef} (batches-2). */
export const Batch = Type.Object({
  batchRef: BatchRef,
  status: oneOf(['open', 'completed']),
  counts: Type.Object({
    total: meaning(
      Count,
      'sessions, without those that were cancelled or expired before they were processed',
    ),
    processed: meaning(Count, 'those that have been processed, whatever their outcome'),
    review: meaning(Count, 'those in review now'),
    failed: meaning(Count, 'those that are failed or capture_quality_blocked now'),
    approved: meaning(Count, 'those that are approved or synced now'),
  }),
  createdAt: Time,
  completedAt: nullable(time('never changes once it is set')),
});
export type Batch = Of<typeof Batch>;
