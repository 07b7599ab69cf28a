import type { StatusChange } from '../domain/submission/routing.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import type { Event } from '../kernel/event.ts';
import { type Fold, type Folds, foldAlike } from './engine/projection.ts';

/** An event that changes the status of a submission. */
export type StatusEvent = Extract<SubmissionEvent, { data: StatusChange }>;

/**
 * The folds of a read model that follows statuses: one for each event that changes a status, null where that
 * does not concern it, so that a new one is not forgotten; and of other events those that it handles.
 */
export const statusFolds = <D, E extends Event = SubmissionEvent>(
  folds: Readonly<{ [S in StatusEvent as S['type']]: Fold<D, S> | null }> &
    Partial<Omit<Folds<D, E>, StatusEvent['type']>>,
): Partial<Folds<D, E>> =>
  Object.fromEntries(Object.entries(folds).filter(([, fold]) => fold !== null)) as Partial<Folds<D, E>>;

/** What neither begins nor ends a review, for the read models of those that wait for one. */
export const outsideReview = foldAlike(
  [
    'SessionCreated',
    'SessionExpired',
    'SubmissionProcessingStarted',
    'SubmissionProcessingFailed',
    'SubmissionReprocessingRequested',
    'SubmissionSynced',
  ],
  null,
);
