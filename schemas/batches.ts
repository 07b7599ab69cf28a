import { example, meaning, nullable, type Of, oneOf, pageOf, Time, Type, time } from '../kernel/schema.ts';
import { BatchRef } from './sessions.ts';

const Count = Type.Integer({ minimum: 0 });

export const batchStatuses = ['open', 'completed'] as const;

/** Whether a batch is complete. */
export const BatchStatus = oneOf(batchStatuses);

/** The sessions of a batch by how they stand. */
export const BatchCounts = Type.Object({
  total: meaning(
    Count,
    'sessions, without those that were cancelled or expired before they were processed',
    12,
  ),
  processed: meaning(Count, 'those that have been processed, whatever their outcome', 12),
  review: meaning(Count, 'those in review now', 1),
  failed: meaning(Count, 'those that are failed or capture_quality_blocked now', 0),
  approved: meaning(Count, 'those that are approved or synced now', 11),
});

const members = {
  status: example(BatchStatus, 'completed'),
  counts: BatchCounts,
  createdAt: Time,
  completedAt: nullable(time('never changes once it is set', '2026-11-21T11:03:10.000Z')),
};

/** GET /batches/{batchRef} (batches-2). */
export const Batch = Type.Object({ batchRef: BatchRef, ...members });
export type Batch = Of<typeof Batch>;

/** A row of GET /batches (batches-15). */
export const BatchRow = Type.Object({
  batchRef: meaning(nullable(BatchRef), 'null once each of its sessions is redacted'),
  ...members,
});
export type BatchRow = Of<typeof BatchRow>;
export const BatchPage = pageOf(BatchRow);
