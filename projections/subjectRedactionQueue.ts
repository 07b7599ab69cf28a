import type { SubjectRedactionEvent } from '../domain/subjectRedaction.ts';
import { causedBy } from '../kernel/event.ts';
import { laneOf } from '../kernel/lane.ts';
import { type DueItem, earliestDue, type Projection } from './engine/projection.ts';

/** A redaction of several of which some are still to be requested: due work for the workers. */
export type SubjectRedactionItem = DueItem;

/** Redactions of several that are under way. A lane has one company and mode. */
export const subjectRedactionQueue: Projection<SubjectRedactionItem, SubjectRedactionEvent> = {
  name: 'subjectRedactionQueue',
  version: 1,
  prefixes: ['subjectRedaction-'],
  indexes: [earliestDue],
  keys: ({ data }) => [data.redactionId],
  on: {
    SubjectRedactionRequested: (_item, event, id) => {
      const { companyId, mode, submissionIds } = event.data;
      const item = { id, lane: laneOf(companyId, mode), dueAt: event.metadata.at, cause: causedBy(event) };
      return submissionIds.length > 0 ? item : null;
    },
    SubjectRedactionAdvanced: (item, { data: { left } }) => (left > 0 ? item : null),
  },
};
