import type { EvaluationEvent } from '../domain/evaluation/evaluation.ts';
import { causedBy, type Recorded } from '../kernel/event.ts';
import { laneOf } from '../kernel/lane.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import { type DueItem, earliestDue, type Projection, remove } from './engine/projection.ts';

/** An evaluation that goes on: due work for the workers. */
export type EvaluationItem = DueItem;

const item = (event: Recorded<EvaluationEvent>, id: string): EvaluationItem => {
  const { companyId, mode } = event.data;
  return { id, lane: laneOf(companyId, mode), dueAt: event.metadata.at, cause: causedBy(event) };
};

/** Evaluations that go on. A lane has one company and mode. */
export const evaluationQueue: Projection<EvaluationItem, EvaluationEvent> = {
  name: 'evaluationQueue',
  version: 2,
  prefixes: ['evaluation-'],
  indexes: [earliestDue],
  keys: ({ data }) => [data.evaluationId],
  on: {
    EvaluationRequested: (_item, event, id) => (event.data.shadow ? null : item(event, id)),
    EvaluationExtended: (before, event, id) => before ?? item(event, id),
    EvaluationProgressed: (before, { data }) => (data.left === 0 ? null : before),
    EvaluationPaused: remove,
    EvaluationResumed: (_item, event, id) => (event.data.left === 0 ? null : item(event, id)),
    EvaluationCancelled: remove,
    EvaluationCompleted: remove,
  },
};

/** Whether an evaluation goes on, and whether documents wait to be read. */
export const evaluationQueueQueries = (models: ReadModels) => ({
  isGoing: async (evaluationId: string): Promise<boolean> =>
    (await models.get('evaluationQueue', evaluationId)) !== null,
  /** Whether a document waits for its reading, or is being read, at a time (ISO 8601). */
  documentsWait: async (at: string): Promise<boolean> =>
    (await models.count('processingQueue', { dueAt: { before: at } }, 1)) > 0,
});
