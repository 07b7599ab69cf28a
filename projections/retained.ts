import { type RetainedKind, type Retention, retainedKinds, retentionDays } from '../domain/retention.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { underWay } from '../domain/submission/transitions.ts';
import type { Mode } from '../kernel/scope.ts';
import type { ReadModels, ResultPage, Where } from '../stores/documents/port.ts';
import type { After } from './engine/pages.ts';
import {
  earliestBy,
  type Fold,
  foldAlike,
  indexOn,
  remove,
  type SelectiveProjection,
} from './engine/projection.ts';
import { type StatusEvent, statusFolds } from './statusFolds.ts';

/**
 * A submission, or a session that was not submitted, until its redaction is requested. `endedAt`: when it
 * came to its present end (ISO 8601); null while it is under way.
 */
export type RetainedDocument = Readonly<{
  id: string;
  companyId: string;
  mode: Mode;
  kind: RetainedKind;
  slug: string;
  isHeld: boolean;
  endedAt: string | null;
}>;

const changed: Fold<RetainedDocument, StatusEvent> = (before, { data, metadata }) => {
  const endedAt = underWay.includes(data.to) ? null : metadata.at;
  return before && (before.endedAt === endedAt ? before : { ...before, endedAt });
};

const held =
  (isHeld: boolean): Fold<RetainedDocument, SubmissionEvent> =>
  (before) =>
    before && { ...before, isHeld };

const scope = ['companyId', 'kind'] as const;
const bySlug = indexOn('due', ['slug', 'isHeld'], earliestBy('endedAt')).sort;

/** What is kept of companies, in documents small enough to look up what is due by their retention. */
export const retained: SelectiveProjection<RetainedDocument, SubmissionEvent> = {
  name: 'retained',
  version: 1,
  prefixes: ['submission-'],
  indexes: [indexOn('due', scope, bySlug)],
  keys: ({ data }) => [data.submissionId],
  on: statusFolds<RetainedDocument>({
    SessionCreated: (_before, { data: { companyId, mode, workflow } }, id) => ({
      ...{ id, companyId, mode, slug: workflow.slug },
      ...{ kind: 'session', isHeld: false, endedAt: null },
    }),
    ...foldAlike(
      [
        'SessionExpired',
        'SubmissionProcessingStarted',
        'SubmissionProcessed',
        'SubmissionProcessingFailed',
        'SubmissionReprocessingRequested',
        'SubmissionOpenedForEntry',
        'SubmissionApproved',
        'SubmissionRejected',
        'SubmissionCancelled',
        'SubmissionSynced',
      ],
      changed,
    ),
    SessionSubmitted: (before) => before && { ...before, kind: 'submission' },
    SubmissionLegalHoldPlaced: held(true),
    SubmissionLegalHoldLifted: held(false),
    SubmissionRedactionRequested: remove,
  }),
};

/** What is due, and since when: times in ISO 8601. `days`: for how many it was kept. */
export type DueDocument = RetainedDocument & Readonly<{ endedAt: string; dueSince: string; days: number }>;

/** What is due of a company by its retention, at a time. */
export type DueOf = Readonly<{ companyId: string; retention: Retention; now: Date }>;

const DAY_MS = 86_400_000;
/** Nobody needs to know of more, exactly. */
const MAX_COUNT = 10_000;

/** The queries behind the list of what is due, and the sweep. What is not due costs them nothing. */
export const retainedQueries = (models: ReadModels) => {
  const groups = groupsOf(models);
  const pageOf = async ({ where, days }: Group, limit: number, after: After) => {
    const [dueSince, id = null] = after ?? [];
    const start = dueSince ? [shifted(String(dueSince), -days), id] : null;
    const query = { where, sort: earliestBy('endedAt'), limit, after: start };
    const { items, next } = await models.page<DueDocument>('retained', query);
    const due = items.map((item) => ({ ...item, days, dueSince: shifted(item.endedAt, days) }));
    return { items: due, hasMore: next !== null };
  };
  return {
    /** A page of what is due, the longest due first; `isHeld`: only what is under a legal hold, or is not. */
    due: async (
      of: DueOf,
      limit: number,
      after: After,
      isHeld?: boolean,
    ): Promise<ResultPage<DueDocument>> => {
      const wanted = (await groups(of)).filter(
        ({ where }) => isHeld === undefined || where.isHeld === isHeld,
      );
      const pages = await Promise.all(wanted.map((group) => pageOf(group, limit, after)));
      const found = pages.flatMap(({ items }) => items).sort(byDueSince);
      const items = found.slice(0, limit);
      const last = items.at(-1);
      const hasMore = found.length > limit || pages.some((page) => page.hasMore);
      return { items, next: last && hasMore ? [last.dueSince, last.id] : null };
    },
    /** How much is due, and how much more would be without its legal hold; each counted up to 10,000. */
    count: async (of: DueOf): Promise<Readonly<{ due: number; held: number }>> => {
      const counts = { due: 0, held: 0 };
      for (const { where } of await groups(of)) {
        const name = where.isHeld ? 'held' : 'due';
        const left = MAX_COUNT - counts[name];
        if (left > 0) counts[name] += await models.count('retained', where, left);
      }
      return counts;
    },
  };
};

type Group = Readonly<{ where: Where; days: number }>;

/** What is kept for so many days and is due, apart by workflow and by legal hold. */
const groupsOf =
  (models: ReadModels) =>
  async ({ companyId, retention, now }: DueOf): Promise<readonly Group[]> => {
    const groups: Group[] = [];
    for (const kind of retainedKinds)
      for (const slug of await slugsOf(models, companyId, kind)) {
        const days = retentionDays(retention, kind, slug);
        if (days === null) continue;
        const before = shifted(new Date(now.getTime() + 1).toISOString(), -days);
        for (const isHeld of [false, true])
          groups.push({ where: { companyId, kind, slug, isHeld, endedAt: { before } }, days });
      }
    return groups;
  };

/** The workflows of which a company has something, also those that it may use no longer: one look-up each. */
const slugsOf = async (
  models: ReadModels,
  companyId: string,
  kind: RetainedKind,
): Promise<readonly string[]> => {
  const slugs: string[] = [];
  for (;;) {
    const last = slugs.at(-1);
    // No slug has a space: this comes right after the last one.
    const slug = last === undefined ? {} : { from: `${last} ` };
    const query = { where: { companyId, kind, slug }, sort: bySlug, limit: 1, after: null };
    const [first] = (await models.page<RetainedDocument>('retained', query)).items;
    if (!first) return slugs;
    slugs.push(first.slug);
  }
};

const shifted = (time: string, days: number): string =>
  new Date(Date.parse(time) + days * DAY_MS).toISOString();

const byDueSince = (one: DueDocument, other: DueDocument): number =>
  one.dueSince === other.dueSince ? (one.id < other.id ? -1 : 1) : one.dueSince < other.dueSince ? -1 : 1;
