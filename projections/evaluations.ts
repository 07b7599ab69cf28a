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
import type { FigureFacts } from './figureFacts.ts';
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
  /** Of a shadow: how much of what is approved it reads. */
  share: number | null;
  /** Whether it is a shadow that still grows. */
  isGrowing: boolean;
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
    ...(total === 0 && !data.shadow
      ? { status: 'completed', endedAt: at }
      : { status: 'running', endedAt: null }),
    ...{ share: data.shadow?.share ?? null, isGrowing: data.shadow !== undefined },
  };
};

const become =
  (status: EvaluationStatus): Fold<EvaluationDocument, EvaluationEvent> =>
  (before, { metadata }) => {
    const hasEnded = status === 'cancelled' || status === 'completed';
    return (
      before && {
        ...before,
        ...{ status, endedAt: hasEnded ? metadata.at : null },
        isGrowing: before.isGrowing && !hasEnded,
      }
    );
  };

/** Evaluations, with how far they are. */
export const evaluations: Projection<EvaluationDocument, EvaluationEvent> = {
  name: 'evaluations',
  version: 2,
  prefixes: ['evaluation-'],
  indexes: [
    indexOn('company', ['companyId', 'mode'], newestFirst),
    indexOn('growing', ['isGrowing', 'status'], newestFirst),
  ],
  keys: ({ data }) => [data.evaluationId],
  on: {
    EvaluationRequested: (_before, { data, metadata }) => requested(data, metadata.actor, metadata.at),
    EvaluationExtended: (before, { data: { submissionIds } }) =>
      before && {
        ...before,
        ...{ found: before.found + submissionIds.length, total: before.total + submissionIds.length },
        left: before.left + submissionIds.length,
        isGrowing: before.isGrowing && before.total + submissionIds.length < before.set.size,
      },
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

  /** The shadows that still grow, without those that are paused. */
  growing: (limit: number, after: After): Promise<ResultPage<EvaluationDocument>> =>
    models.page('evaluations', {
      where: { isGrowing: true, status: 'running' },
      sort: newestFirst,
      limit,
      after,
    }),

  /**
   * The approved submissions of a workflow that match, the newest of at most so many; without those whose
   * outcome their metadata force.
   */
  approved: async (scope: Scope, slug: string, set: EvaluationSet, max: number) => {
    const read = (query: PageQuery) => models.page<SubmissionDocument>('submissions', query);
    const found = await newestOf(read, approvedWhere(scope, slug, set), max, ({ submission, approval }) => {
      return !submission.forced?.outcome && (set.approvedBy === 'anybody' || approval !== null);
    });
    return found.map(({ id, submission }) => ({ id, isRedacted: submission.redaction !== null }));
  },

  /** The same without a look at the submissions themselves: also those that are redacted, or were forced. */
  approvedIds: async (scope: Scope, slug: string, set: EvaluationSet, max: number) => {
    const read = async (query: PageQuery) => {
      const page = await models.answerPage('submissions', 'figures', query);
      const items = (page?.items ?? []).map((text) => JSON.parse(text) as FigureFacts);
      return { items, next: page?.next ?? null };
    };
    const found = await newestOf(read, approvedWhere(scope, slug, set), max, ({ outcome }) => {
      return set.approvedBy === 'anybody' || outcome === 'approved';
    });
    return found.map(({ id }) => id);
  },
});

type Scope = Pick<SubmissionFilters, 'companyId' | 'mode'>;

const approvedWhere = (scope: Scope, slug: string, { createdAfter, createdBefore }: EvaluationSet) => {
  const times = { ...(createdAfter && { createdAfter }), ...(createdBefore && { createdBefore }) };
  return (['approved', 'synced'] as const).map((status) => whereOf({ ...scope, slug, status, ...times }));
};

type PageQuery = Parameters<ReadModels['page']>[1];
type Dated = Readonly<{ createdAt: string }>;

/** What matches any of some conditions and fits, newest first, at most so many. */
const newestOf = async <D extends Dated>(
  read: (query: PageQuery) => Promise<ResultPage<D>>,
  conditions: readonly PageQuery['where'][],
  max: number,
  fits: (one: D) => boolean,
): Promise<readonly D[]> => {
  const pages = await Promise.all(
    conditions.map((where) =>
      collect((limit, after) => read({ where, sort: newestSubmissions, limit, after }), max),
    ),
  );
  return pages
    .flatMap(({ items }) => items.filter(fits))
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    .slice(0, max);
};
