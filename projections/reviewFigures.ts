import { type Approval, weeksOf } from '../domain/evaluation/drift.ts';
import { groupBy } from '../kernel/groupBy.ts';
import { pick } from '../kernel/pick.ts';
import type { DayFigures, FieldFigures, ReviewFigures } from '../schemas/figures.ts';
import type { figureFilters } from '../schemas/listFilters.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type Conditions, conditionsOn, type FilterPaths } from './engine/listFilters.ts';
import type { FigureFacts } from './figureFacts.ts';
import { filterPaths, scopePaths } from './submissionFilters.ts';
import { newestFirst, type SubmissionDocument } from './submissions.ts';

const paths = {
  ...scopePaths,
  ...pick(filterPaths, 'slug'),
} satisfies FilterPaths<
  SubmissionDocument,
  typeof figureFilters,
  { workflow: 'slug'; from: never; until: never }
>;

/** Created from `createdAfter` on, before `createdBefore`: both begin a day in UTC. */
export type FiguresOf = Conditions<typeof paths> &
  Readonly<Record<keyof typeof scopePaths | 'createdAfter' | 'createdBefore', string>>;
const whereOf = conditionsOn(paths);

/** So many submissions are counted at most, the newest: more would take seconds. */
export const MAX_FIGURED = 20_000;
const PAGE = 1_000;

/** The query behind GET /review-figures. */
export const reviewFigures = (models: ReadModels) => ({
  /** What became of the submissions of a time, by the day on which each was created. */
  of: async (conditions: FiguresOf): Promise<ReviewFigures> => {
    const where = whereOf(conditions);
    const facts: FigureFacts[] = [];
    for (let after: ResultPage<string>['next'] = null; ; ) {
      const limit = Math.min(PAGE, MAX_FIGURED - facts.length);
      const page = await models.answerPage('submissions', 'figures', {
        where,
        sort: newestFirst,
        limit,
        after,
      });
      facts.push(...(page?.items ?? []).map((text) => JSON.parse(text) as FigureFacts));
      after = page?.next ?? null;
      if (after === null || facts.length >= MAX_FIGURED) break;
    }
    return figuresOf(facts, daysFrom(conditions.createdAfter, conditions.createdBefore));
  },
});

const DAY_MS = 86_400_000;

const daysFrom = (from: string, before: string): readonly string[] => {
  const days: string[] = [];
  for (let at = Date.parse(from); at < Date.parse(before); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
};

/** The figures of these submissions; every one of the days has its own, also without any. */
export const figuresOf = (facts: readonly FigureFacts[], days: readonly string[]): ReviewFigures => {
  const byDay = groupBy(facts, ({ createdAt }) => createdAt.slice(0, 10));
  return {
    counted: facts.length,
    isCut: facts.length >= MAX_FIGURED,
    days: days.map((date) => ({ date, ...dayOf(byDay.get(date) ?? []) })),
    fields: fieldsOf(facts),
    ...weeksOf(facts.flatMap(approvalIn), days),
  };
};

const approvalIn = ({ outcome, ...fact }: FigureFacts): readonly Approval[] =>
  outcome === 'approved' || outcome === 'automatic' ? [{ ...fact, outcome }] : [];

const dayOf = (facts: readonly FigureFacts[]): Omit<DayFigures, 'date'> => {
  const count = (outcome: FigureFacts['outcome']): number =>
    facts.filter((one) => one.outcome === outcome).length;
  const waited = facts
    .flatMap(({ since, until }) => (since && until ? [Date.parse(until) - Date.parse(since)] : []))
    .sort((one, other) => one - other);
  return {
    received: facts.length,
    approvedAutomatically: count('automatic'),
    approved: count('approved'),
    rejected: count('rejected'),
    cancelled: count('cancelled'),
    failed: count('failed'),
    waiting: facts.filter(({ since, until }) => since !== null && until === null).length,
    waitedMs: { p50: percentile(waited, 0.5), p95: percentile(waited, 0.95) },
  };
};

/** The smallest of sorted values that so large a share of them does not exceed; null of none. */
const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? null;

/** Of each field that people corrected: of how many approvals, most corrected first. */
const fieldsOf = (facts: readonly FigureFacts[]): readonly FieldFigures[] => {
  const found: FieldFigures[] = [];
  const approved = facts.filter(({ outcome }) => outcome === 'approved');
  for (const [workflow, own] of groupBy(approved, ({ slug }) => slug)) {
    const corrected = groupBy(
      own.flatMap((one) => one.corrected),
      (field) => field,
    );
    for (const [field, all] of corrected)
      found.push({ workflow, field, corrected: all.length, approved: own.length });
  }
  return found.sort(
    (one, other) =>
      other.corrected / other.approved - one.corrected / one.approved ||
      (`${one.workflow} ${one.field}` < `${other.workflow} ${other.field}` ? -1 : 1),
  );
};
