import type { StatusChange } from '../domain/submission/routing.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import type { Event } from '../kernel/event.ts';
import { type Fold, type Folds, foldAlike } from './engine/projection.ts';

/** An event that changes the status of a submission. */
export type StatusEvent = Extract<SubmissionEvent, { data: StatusChange }>;

/**
 * The folds of a read model that follows the events `Followed`: one for each of them, null where it does not
 * concern the model, so that a new one is not forgotten; and of other events those that it handles.
 */
export const foldsOf = <D, Followed extends Event, E extends Event = SubmissionEvent>(
  folds: Readonly<{ [S in Followed as S['type']]: Fold<D, S> | null }> &
    Partial<Omit<Folds<D, E>, Followed['type']>>,
): Partial<Folds<D, E>> =>
  Object.fromEntries(Object.entries(folds).filter(([, fold]) => fold !== null)) as Partial<Folds<D, E>>;

/** The folds of a read model that follows statuses. */
export const statusFolds = <D, E extends Event = SubmissionEvent>(
  folds: Parameters<typeof foldsOf<D, StatusEvent, E>>[0],
): Partial<Folds<D, E>> => foldsOf<D, StatusEvent, E>(folds);

/**
 * What happens to submitted sessions only, for the read models of those that wait, expire or are cancelled.
 */
export const onceSubmitted = foldAlike(
  [
    'SubmissionProcessingStarted',
    'SubmissionProcessed',
    'SubmissionProcessingFailed',
    'SubmissionReprocessingRequested',
    'SubmissionOpenedForEntry',
    'SubmissionApproved',
    'SubmissionRejected',
    'SubmissionSynced',
  ],
  null,
);

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
