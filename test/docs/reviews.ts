import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { SelectiveProjection } from '../../projections/engine/projection.ts';
import type { ReadModels } from '../../stores/documents/port.ts';

export type ReviewsDocument = Readonly<{ id: string; approved: number; rejected: number }>;

/** How often each key has approved and rejected. */
export const reviews: SelectiveProjection<ReviewsDocument, SubmissionEvent> = {
  name: 'reviews',
  version: 1,
  prefixes: ['submission-'],
  indexes: [],
  keys: ({ metadata }) => [metadata.actor.id],
  on: {
    SubmissionApproved: (document, _event, id) => ({
      id,
      approved: (document?.approved ?? 0) + 1,
      rejected: document?.rejected ?? 0,
    }),
    SubmissionRejected: (document, _event, id) => ({
      id,
      approved: document?.approved ?? 0,
      rejected: (document?.rejected ?? 0) + 1,
    }),
  },
};

/** The reviews of one key; null for none. */
export const reviewQueries = (models: ReadModels) => ({
  find: (keyId: string): Promise<ReviewsDocument | null> => models.get('reviews', keyId),
});
