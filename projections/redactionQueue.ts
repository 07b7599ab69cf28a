import type { RedactionEvent } from '../domain/submission/redaction.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { causedBy } from '../kernel/event.ts';
import { laneOf } from '../kernel/lane.ts';
import { type DueItem, earliestDue, remove, type SelectiveProjection } from './engine/projection.ts';
import { foldsOf } from './statusFolds.ts';

/** A submission whose private parts are to be removed: due work for the workers. */
export type RedactionItem = DueItem;

/** Redactions that were requested and are not done. A lane has one company and mode. */
export const redactionQueue: SelectiveProjection<RedactionItem, SubmissionEvent> = {
  name: 'redactionQueue',
  version: 1,
  prefixes: ['submission-'],
  indexes: [earliestDue],
  keys: ({ data }) => [data.submissionId],
  on: foldsOf<RedactionItem, RedactionEvent>({
    SubmissionRedactionRequested: (_item, event, id) => {
      const { companyId, mode } = event.data;
      return { id, lane: laneOf(companyId, mode), dueAt: event.metadata.at, cause: causedBy(event) };
    },
    SubmissionRedacted: remove,
    SubmissionLegalHoldPlaced: null,
    SubmissionLegalHoldLifted: null,
  }),
};
