import { submission } from '../../domain/submission.ts';
import type { StreamEntry } from './event.ts';
import { processingEvents } from './submission/processing.ts';
import { reviewEvents } from './submission/review.ts';
import { sessionEvents } from './submission/session.ts';
import { syncEvents } from './submission/sync.ts';

/** A submission's events, its session's, processing's, review's and sync's. */
export const submissionEvents = {
  category: submission.category,
  events: { ...sessionEvents, ...processingEvents, ...reviewEvents, ...syncEvents },
} as const satisfies StreamEntry;
