import type { SubmissionEvent } from '../domain/submission/state.ts';
import type { Position } from '../kernel/event.ts';
import { laneOf } from '../kernel/lane.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import type { Fold, SelectiveProjection } from './engine/projection.ts';
import { outsideReview, type StatusEvent, statusFolds } from './statusFolds.ts';

/**
 * How many submissions of a company and mode wait for a review: in all, and by the slug of their workflow.
 */
export type ReviewCountsDocument = Readonly<{
  id: string;
  waiting: number;
  workflows: Readonly<Record<string, number>>;
  /** The last event that changed the company's queue. */
  position: Position;
}>;

const counted: Fold<ReviewCountsDocument, StatusEvent> = (document, { data, position }, id) => {
  const { waiting = 0, workflows = {} } = document ?? {};
  const change = Number(data.to === 'review') - Number(data.from === 'review');
  const { slug } = data.workflow;
  const { [slug]: before = 0, ...others } = workflows;
  const after = before + change;
  const own = after > 0 ? { [slug]: after } : {};
  return { id, waiting: waiting + change, workflows: { ...others, ...own }, position };
};

const touched: Fold<ReviewCountsDocument, SubmissionEvent> = (document, { position }) =>
  document && { ...document, position };

/** The sizes of review queues, a document a company and mode. */
export const reviewCounts: SelectiveProjection<ReviewCountsDocument, SubmissionEvent> = {
  name: 'reviewCounts',
  version: 1,
  prefixes: ['submission-'],
  indexes: [],
  keys: ({ data }) =>
    'to' in data && data.to !== 'review' && data.from !== 'review' ? [] : [laneOf(data.companyId, data.mode)],
  on: statusFolds<ReviewCountsDocument>({
    SubmissionProcessed: counted,
    SubmissionOpenedForEntry: counted,
    SubmissionApproved: counted,
    SubmissionRejected: counted,
    SubmissionCancelled: counted,
    SubmissionFraudMatchResolved: touched,
    SubmissionFirstDecisionMade: touched,
    SubmissionAssigned: touched,
    SubmissionPostponed: touched,
    SubmissionResumed: touched,
    ...outsideReview,
  }),
};

/** The query behind the counts of the review queue, and behind its changes. */
export const reviewCountsQueries = (models: ReadModels) => ({
  /** Those of a lane (a company and mode); null where nothing has ever waited. */
  find: (lane: string): Promise<ReviewCountsDocument | null> => models.get('reviewCounts', lane),
});
