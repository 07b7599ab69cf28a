import {
  allProcessed,
  type BatchEvent,
  type Counts,
  countsAfter,
  leavesBatch,
  NO_SESSIONS,
} from '../domain/batch.ts';
import type { SessionCreated } from '../domain/submission/session.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { REDACTED, type Recorded, reveal } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import type { batchFilters } from '../schemas/listFilters.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type Conditions, conditionsOn, type FilterPaths } from './engine/listFilters.ts';
import type { After } from './engine/pages.ts';
import {
  earliestBy,
  type Fold,
  foldAlike,
  indexOn,
  newestBy,
  type SelectiveProjection,
} from './engine/projection.ts';
import { type StatusEvent, statusFolds } from './statusFolds.ts';

/** A batch, made from the events of its sessions and its completion. Times in ISO 8601. */
export type BatchDocument = Readonly<{
  id: string;
  companyId: string;
  mode: Mode;
  batchRef: string;
  /**
   * How many of its sessions were opened whose redaction was not requested: while there are none it has no
   * name.
   */
  named: number;
  status: 'open' | 'completed';
  counts: Counts;
  createdAt: string;
  completedAt: string | null;
  /** The newest session, null once that one has left the set. */
  newestId: string | null;
  /**
   * No session in the set is newer: its time of creation, that of the batch once it has left the set, or
   * when the last one left an empty set.
   */
  newestAt: string;
  /** From when on its grace may run: `newestAt` while the batch is open and all are processed, else null. */
  graceFrom: string | null;
}>;

const byGrace = earliestBy('graceFrom');
const newestFirst = newestBy('createdAt');

const moved: Fold<BatchDocument, StatusEvent> = (document, event) => document && counted(document, event);

const ended: Fold<BatchDocument, StatusEvent> = (document, event) =>
  document && counted(leavesBatch(event.data) ? withoutNewest(document, event) : document, event);

/** Batches with their counts. No list of sessions: a batch may have ten thousand. */
export const batches: SelectiveProjection<BatchDocument, SubmissionEvent | BatchEvent> = {
  name: 'batches',
  version: 3,
  prefixes: ['submission-', 'batch-'],
  indexes: [
    { name: 'grace', sort: byGrace },
    indexOn('company', ['companyId', 'mode'], newestFirst),
    indexOn('companyStatus', ['companyId', 'mode', 'status'], newestFirst),
  ],
  keys: ({ data }) => (data.batchId === null ? [] : [data.batchId]),
  on: statusFolds<BatchDocument, SubmissionEvent | BatchEvent>({
    SessionCreated: (document, event, batchId) => counted(joined(document, event, batchId), event),
    SessionExpired: ended,
    SubmissionProcessed: moved,
    SubmissionProcessingFailed: moved,
    SubmissionReprocessingRequested: moved,
    SubmissionOpenedForEntry: moved,
    SubmissionApproved: moved,
    SubmissionRejected: moved,
    SubmissionCancelled: ended,
    SubmissionRedactionRequested: (document) =>
      document && {
        ...document,
        named: document.named - 1,
        batchRef: document.named === 1 ? REDACTED : document.batchRef,
      },
    BatchCompleted: (document, { data: { completedAt } }) =>
      document && { ...document, status: 'completed', completedAt, graceFrom: null },
    ...foldAlike(['SubmissionProcessingStarted', 'SubmissionSynced'], null),
  }),
};

const counted = (document: BatchDocument, { data, metadata }: Recorded<StatusEvent>): BatchDocument => {
  const counts = countsAfter(document.counts, data);
  const waits = document.status === 'open' && allProcessed(counts);
  const newestAt = counts.total === 0 ? metadata.at : document.newestAt;
  return { ...document, counts, newestAt, graceFrom: waits ? newestAt : null };
};

const joined = (
  document: BatchDocument | null,
  { data, metadata }: Recorded<SessionCreated>,
  id: string,
): BatchDocument => {
  const { companyId, mode, submissionId } = data;
  const { at } = metadata;
  const batchRef = reveal(data.private, 'batchRef') ?? REDACTED;
  const newest = { newestId: submissionId, newestAt: at };
  if (document) {
    const name = document.batchRef === REDACTED ? batchRef : document.batchRef;
    // The clocks of two nodes may differ: what comes later in the log may be the older one.
    const isNewest = document.counts.total === 0 || at >= document.newestAt;
    return { ...document, batchRef: name, named: document.named + 1, ...(isNewest ? newest : {}) };
  }
  const open = { status: 'open', counts: NO_SESSIONS, completedAt: null, graceFrom: null } as const;
  return { id, companyId, mode, batchRef, named: 1, ...open, createdAt: at, ...newest };
};

/** The session has left the set. */
const withoutNewest = (document: BatchDocument, { data }: StatusEvent): BatchDocument =>
  data.submissionId === document.newestId
    ? { ...document, newestId: null, newestAt: document.createdAt }
    : document;

/** Where a batch's document has what lists are restricted by. */
const filterPaths = { status: 'status' } as const satisfies FilterPaths<BatchDocument, typeof batchFilters>;
const paths = { companyId: 'companyId', mode: 'mode', ...filterPaths } as const;

type BatchFilters = Conditions<typeof paths> & Readonly<{ companyId: string; mode: Mode }>;
const whereOf = conditionsOn(paths);

/** The queries behind the endpoints of batches and the sweep. */
export const batchQueries = (models: ReadModels) => ({
  find: (batchId: string): Promise<BatchDocument | null> => models.get('batches', batchId),

  /** A page of batches, newest first. */
  list: (filters: BatchFilters, limit: number, after: After): Promise<ResultPage<BatchDocument>> =>
    models.page('batches', { where: whereOf(filters), sort: newestFirst, limit, after }),

  /** Open batches whose `graceFrom` is before `time` (ISO 8601), earliest first. */
  waiting: (time: string, limit: number, after: After): Promise<ResultPage<BatchDocument>> =>
    models.page('batches', { where: { graceFrom: { before: time } }, sort: byGrace, limit, after }),
});
