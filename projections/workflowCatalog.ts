import type { WorkflowEvent } from '../domain/workflow.ts';
import { pick } from '../kernel/pick.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type After, collect, newestOf } from './engine/pages.ts';
import { newestBy, type Projection } from './engine/projection.ts';
import { type AssignmentDocument, newestFirst } from './workflows.ts';

/**
 * A workflow: its newest version, and the companies it is assigned to. `createdAt` is when the first one was
 * published.
 */
export type CatalogDocument = Readonly<{
  id: string;
  slug: string;
  name: string;
  description: string | null;
  version: number;
  publishedAt: string;
  createdAt: string;
  companies: readonly string[];
}>;

/** Every workflow, by slug, assigned or not. */
export const workflowCatalog: Projection<CatalogDocument, WorkflowEvent> = {
  name: 'workflowCatalog',
  version: 1,
  prefixes: ['workflow-'],
  indexes: [{ name: 'newest', sort: newestBy('createdAt') }],
  keys: ({ data }) => [data.slug],
  on: {
    WorkflowPublished: (document, { data, metadata: { at } }) => ({
      id: data.workflowId,
      ...pick(data, 'slug', 'name', 'description', 'version'),
      publishedAt: at,
      createdAt: document?.createdAt ?? at,
      companies: document?.companies ?? [],
    }),
    WorkflowAssigned: (document, { data: { companyId } }) =>
      document && { ...document, companies: [...document.companies, companyId] },
    WorkflowUnassigned: (document, { data: { companyId } }) =>
      document && { ...document, companies: document.companies.filter((id) => id !== companyId) },
  },
};

/** The workflows of the platform, and those of a company. */
export const workflowCatalogQueries = (models: ReadModels) => {
  const list = newestOf<CatalogDocument>(models, 'workflowCatalog');
  return {
    /** A workflow by slug, assigned or not. */
    find: (slug: string): Promise<CatalogDocument | null> => models.get('workflowCatalog', slug),

    list,

    /** A page of the workflows of a company, those assigned last first. */
    listOf: async (companyId: string, limit: number, after: After): Promise<ResultPage<CatalogDocument>> => {
      const query = { where: { companyId }, sort: newestFirst, limit, after };
      const { items, next } = await models.page<AssignmentDocument>('assignments', query);
      const slugs = items.map(({ slug }) => slug);
      const found = await models.getMany<CatalogDocument>('workflowCatalog', slugs);
      return { items: slugs.flatMap((slug) => found.get(slug) ?? []), next };
    },

    /** Every workflow, by slug. */
    all: async (): Promise<readonly CatalogDocument[]> =>
      (await collect<CatalogDocument>(list)).items.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
  };
};
