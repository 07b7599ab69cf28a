import { LRUCache } from 'lru-cache';
import type { Passage } from '../domain/evaluation/gate.ts';
import type { WorkflowEvent, WorkflowPublished, WorkflowVersion } from '../domain/workflow.ts';
import type { Actor, EventOf } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';
import type { WorkflowItem } from '../schemas/workflows.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import type { After } from './engine/pages.ts';
import { indexOn, newestBy, type Projection, remove } from './engine/projection.ts';

/**
 * A published version, when it was published, by whom (unknown of documents of version 2), and how it passed
 * the gate of the version before.
 */
export type WorkflowDocument = WorkflowVersion &
  Readonly<{ publishedAt: string; publishedBy?: Actor; passage?: Passage }>;

/** A row of GET /workflows. */
export const workflowItem = (workflow: WorkflowDocument): WorkflowItem => ({
  id: workflow.workflowId,
  ...pick(workflow, 'slug', 'name', 'description', 'icon', 'color', 'version', 'publishedAt'),
});

const rowOf = (workflow: WorkflowDocument): string => JSON.stringify(workflowItem(workflow));

/** That a company may use a workflow; `since` orders its list. */
export type AssignmentDocument = Readonly<{ id: string; companyId: string; slug: string; since: string }>;

/** The order of the workflows of a company. */
export const newestFirst = newestBy('since');

/** The newest version of each workflow, by slug, and every version, by `slug/version`. */
export const workflows: Projection<WorkflowDocument, WorkflowPublished> = {
  name: 'workflows',
  version: 3,
  prefixes: ['workflow-'],
  indexes: [],
  keys: ({ data }) => [data.slug, `${data.slug}/${data.version}`],
  on: {
    // Nobody but their own people may see which companies it is assigned to.
    WorkflowPublished: (_document, { data: { companies: _, ...data }, metadata: { at, actor } }) => ({
      ...data,
      publishedAt: at,
      publishedBy: actor,
    }),
  },
  answers: { row: rowOf },
};

/** Which workflows a company may use. */
export const assignments: Projection<
  AssignmentDocument,
  EventOf<WorkflowEvent, 'WorkflowAssigned' | 'WorkflowUnassigned'>
> = {
  name: 'assignments',
  version: 2,
  prefixes: ['workflow-'],
  indexes: [indexOn('company', ['companyId'], newestFirst)],
  keys: ({ data }) => [assignmentId(data.companyId, data.slug)],
  on: {
    WorkflowAssigned: (_document, { data: { companyId, slug }, metadata }, id) => ({
      id,
      companyId,
      slug,
      since: metadata.at,
    }),
    WorkflowUnassigned: remove,
  },
};

const CACHED = 100;
/** A rebuild may have made a document of a newer form. */
const CACHED_MS = 60_000;

const assignmentId = (companyId: string, slug: string): string => `${companyId}/${slug}`;

/**
 * The queries behind the workflow endpoints. A company sees only what is assigned to it. `monotonic` is a
 * clock in milliseconds.
 */
export const workflowQueries = (models: ReadModels, monotonic: Readonly<{ now(): number }> = performance) => {
  const assigned = async (companyId: string, slug: string): Promise<boolean> =>
    (await models.get('assignments', assignmentId(companyId, slug))) !== null;
  /** One version of a workflow, assigned or not. */
  const version = (slug: string, number: number): Promise<WorkflowDocument | null> =>
    models.get('workflows', `${slug}/${number}`);
  const cache = new LRUCache<string, WorkflowDocument>({
    ...{ max: CACHED, ttl: CACHED_MS, ttlResolution: 0 },
    perf: monotonic,
  });
  const remembered = async (slug: string, number: number): Promise<WorkflowDocument | null> => {
    const id = `${slug}/${number}`;
    const known = cache.get(id);
    if (known) return known;
    const found = await version(slug, number);
    if (found) cache.set(id, found);
    return found;
  };
  return {
    /** The newest version of a workflow, assigned or not. */
    newest: (slug: string): Promise<WorkflowDocument | null> => models.get('workflows', slug),

    /** The newest version of a workflow assigned to the company, else null. */
    find: async (companyId: string, slug: string): Promise<WorkflowDocument | null> => {
      const [isOwn, newest] = await Promise.all([
        assigned(companyId, slug),
        models.get<WorkflowDocument>('workflows', slug),
      ]);
      return isOwn ? newest : null;
    },

    version,

    /** The same, which is read at most once a minute: what is published never changes. */
    remembered,

    /** A page of the versions of a workflow below a number, newest first; `next` is the last one's number. */
    versions: async (slug: string, below: number, limit: number) => {
      const first = Math.max(1, below - limit);
      const ids = Array.from({ length: below - first }, (_, index) => `${slug}/${below - 1 - index}`);
      const found = await models.getMany<WorkflowDocument>('workflows', ids);
      return { items: ids.flatMap((id) => found.get(id) ?? []), next: first > 1 ? String(first) : null };
    },

    /** The version that a submission was opened with. Throws where the read models don't have it. */
    kept: async (reference: Readonly<{ slug: string; version: number }>): Promise<WorkflowDocument> => {
      const { slug, version: number } = reference;
      const found = await remembered(slug, number);
      if (!found) throw new Error(`version ${number} of ${slug} is not in the read models`);
      return found;
    },

    /** A page of the rows of the company's workflows, those assigned last first. */
    rows: async (companyId: string, limit: number, after: After): Promise<ResultPage<string>> => {
      const query = { where: { companyId }, sort: newestFirst, limit, after };
      const { items, next } = await models.page<AssignmentDocument>('assignments', query);
      const slugs = items.map(({ slug }) => slug);
      const rows = (await models.answers('workflows', slugs, 'row')).flatMap((row) => row ?? []);
      if (rows.length === slugs.length) return { items: rows, next };
      // Those of an older release have none.
      const documents = await models.getMany<WorkflowDocument>('workflows', slugs);
      return { items: slugs.flatMap((slug) => documents.get(slug) ?? []).map(rowOf), next };
    },
  };
};
