import type { SubmissionEvent } from '../domain/submission/state.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import type { After } from './engine/pages.ts';
import { earliestBy, remove, type SelectiveProjection } from './engine/projection.ts';
import { onceSubmitted, statusFolds } from './statusFolds.ts';

/** A session that waits to be submitted, until `expiresAt` (ISO 8601). */
export type PendingSession = Readonly<{ id: string; expiresAt: string }>;

const byExpiry = earliestBy('expiresAt');

/** Sessions that have not been submitted, in documents small enough to look up expired ones. */
export const pendingSessions: SelectiveProjection<PendingSession, SubmissionEvent> = {
  name: 'pendingSessions',
  version: 1,
  prefixes: ['submission-'],
  indexes: [{ name: 'expiry', sort: byExpiry }],
  keys: ({ data }) => [data.submissionId],
  on: statusFolds<PendingSession>({
    SessionCreated: (_document, { data }) => ({ id: data.submissionId, expiresAt: data.expiresAt }),
    SessionSubmitted: remove,
    SessionExpired: remove,
    SubmissionCancelled: remove,
    ...onceSubmitted,
  }),
};

/** The query behind the sweep. */
export const pendingSessionQueries = (models: ReadModels) => ({
  /** Sessions that expire before `time` (ISO 8601), earliest first. */
  expiring: (time: string, limit: number, after: After): Promise<ResultPage<PendingSession>> =>
    models.page('pendingSessions', { where: { expiresAt: { before: time } }, sort: byExpiry, limit, after }),
});
