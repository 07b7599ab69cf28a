import type {
  EvaluationEvent,
  EvaluationRequested,
  EvaluationSet,
  EvaluationStatus,
} from '../domain/evaluation/evaluation.ts';
import type { Actor } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';
import type { Mode } from '../kernel/scope.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type After, collect } from './engine/pages.ts';
import { type Fold, indexOn, newestBy, type Projection } from './engine/projection.ts';
import { type SubmissionFilters, whereOf } from './submissionFilters.ts';
import { newestFirst as newestSubmissions, type SubmissionDocument } from './submissions.ts';

/**
 * An evaluation: of `found` submissions that match `redacted` are left out and `total` were drawn, of which
 * `read` were read, `omitted` left out, and `left` are left. Times in ISO 8601.
 */
export type EvaluationDocument = Readonly<{
  id: string;
  companyId: string;
  mode: Mode;
  actor: Actor;
  slug: string;
  version: number | null;
  set: EvaluationSet;
  status: EvaluationStatus;
  found: number;
  redacted: number;
  total: number;
  read: number;
  omitted: number;
  left: number;
  createdAt: string;
  endedAt: string | null;
}>;

const newestFirst = newestBy('createdAt');

/** One that was requested just now, at a time (ISO 8601). */
export const requested = (
  data: EvaluationRequested['data'],
  actor: Actor,
  at: string,
): EvaluationDocument => {
  const total = data.submissionIds.length;
  return {
    id: data.evaluationId,
    ...pick(data, 'companyId', 'mode', 'slug', 'version', 'set', 'found', 'redacted'),
    ...{ actor, total, read: 0, omitted: 0, left: total, createdAt: at },
    ...(total === 0 ? { status: 'completed', endedAt: at } : { status: 'running', endedAt: null }),
  };
};

const become =
  (status: EvaluationStatus): Fold<EvaluationDocument, EvaluationEvent> =>
  (before, { metadata }) => {
    const hasEnded = status === 'cancelled' || status === 'completed';
    return before && { ...before, status, endedAt: hasEnded ? metadata.at : null };
  };

/** Evaluations, with how far they are. */
export const evaluations: Projection<EvaluationDocument, EvaluationEvent> = {
  name: 'evaluations',
  version: 1,
  prefixes: ['evaluation-'],
  indexes: [indexOn('company', ['companyId', 'mode'], newestFirst)],
  keys: ({ data }) => [data.evaluationId],
  on: {
    EvaluationRequested: (_before, { data, metadata }) => requested(data, metadata.actor, metadata.at),
    EvaluationProgressed: (before, { data: { comparisons, omitted, left } }) =>
      before && {
        ...before,
        read: before.read + comparisons.length,
        omitted: before.omitted + omitted.length,
        left,
      },
    EvaluationPaused: become('paused'),
    EvaluationResumed: become('running'),
    EvaluationCancelled: become('cancelled'),
    EvaluationCompleted: become('completed'),
  },
};

/** Evaluations: one, or those of a company and mode, newest first. */
export const evaluationQueries = (models: ReadModels) => ({
  find: (evaluationId: string): Promise<EvaluationDocument | null> => models.get('evaluations', evaluationId),
  listOf: (
    companyId: string,
    mode: Mode,
    limit: number,
    after: After,
  ): Promise<ResultPage<EvaluationDocument>> =>
    models.page('evaluations', { where: { companyId, mode }, sort: newestFirst, limit, after }),

  /**
   * The approved submissions of a workflow that match, the newest of at most so many; without those whose
   * outcome their metadata force.
   */
  approved: async (
    scope: Pick<SubmissionFilters, 'companyId' | 'mode'>,
    slug: string,
    { createdAfter, createdBefore, approvedBy }: EvaluationSet,
    max: number,
  ) => {
    const times = { ...(createdAfter && { createdAfter }), ...(createdBefore && { createdBefore }) };
    const pages = await Promise.all(
      (['approved', 'synced'] as const).map((status) => {
        const query = { where: whereOf({ ...scope, slug, status, ...times }), sort: newestSubmissions };
        return collect(
          (limit, after) => models.page<SubmissionDocument>('submissions', { ...query, limit, after }),
          max,
        );
      }),
    );
    return pages
      .flatMap(({ items }) => items)
      .filter(({ submission, approval }) => {
        return !submission.forced?.outcome && (approvedBy === 'anybody' || approval !== null);
      })
      .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
      .slice(0, max)
      .map(({ id, submission }) => ({ id, isRedacted: submission.redaction !== null }));
  },
});
