import { leavesBatch } from '../domain/batch.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { type EventOf, reveal } from '../kernel/event.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import { type Fold, indexOn, newestBy, type SelectiveProjection } from './engine/projection.ts';
import { onceSubmitted, statusFolds } from './statusFolds.ts';

/** A session of a batch; `left`: it is no longer in the set. */
export type BatchSession = Readonly<{
  id: string;
  batchId: string;
  left: boolean;
  keyId: string;
  createdAt: string;
  notifies: boolean;
  webhookUrl: string | null;
}>;

const newestFirst = newestBy('createdAt');

const ended: Fold<BatchSession, EventOf<SubmissionEvent, 'SessionExpired' | 'SubmissionCancelled'>> = (
  document,
  { data },
) => document && { ...document, left: leavesBatch(data) };

/**
 * The sessions of the batches. Those that have left are kept: where all have, the newest of them is notified.
 */
export const batchSessions: SelectiveProjection<BatchSession, SubmissionEvent> = {
  name: 'batchSessions',
  version: 2,
  prefixes: ['submission-'],
  indexes: [
    indexOn('newest', ['batchId', 'left'], newestFirst),
    indexOn('notified', ['batchId', 'left', 'notifies'], newestFirst),
  ],
  keys: ({ data }) => (data.batchId === null ? [] : [data.submissionId]),
  on: statusFolds<BatchSession>({
    SessionCreated: (_document, { data, metadata }) => {
      const { submissionId: id, batchId, keyId, notifies } = data;
      if (batchId === null) return null;
      const webhookUrl = notifies ? reveal(data.private, 'webhookUrl') : null;
      return { id, batchId, left: false, keyId, createdAt: metadata.at, notifies, webhookUrl };
    },
    SubmissionRedactionRequested: (document) =>
      document && { ...document, notifies: false, webhookUrl: null },
    SessionExpired: ended,
    SubmissionCancelled: ended,
    ...onceSubmitted,
  }),
};

/** Which sessions a batch goes by. */
export const batchSessionQueries = (models: ReadModels) => {
  const first = async (where: Readonly<Record<string, string | boolean>>): Promise<BatchSession | null> => {
    const query = { where, sort: newestFirst, limit: 1, after: null };
    return (await models.page<BatchSession>('batchSessions', query)).items[0] ?? null;
  };
  return {
    /** The newest session in a batch's set, or of those that have left it; null when there is none. */
    newest: (batchId: string, left: boolean): Promise<BatchSession | null> => first({ batchId, left }),
    /** The newest one of these that has a webhookUrl. */
    newestNotified: (batchId: string, left: boolean): Promise<BatchSession | null> =>
      first({ batchId, left, notifies: true }),
  };
};
