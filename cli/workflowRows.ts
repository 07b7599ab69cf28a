import type { AssignmentDocument, WorkflowDocument } from '../projections/workflows.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import { collect } from './pages.ts';

/** A workflow as operators see it: its newest version, and the companies it is assigned to. */
export type WorkflowRow = Readonly<{
  id: string;
  slug: string;
  name: string;
  version: number;
  publishedAt: string;
  companies: readonly string[];
}>;

/** Every workflow, by slug. */
export const listWorkflows = async (models: ReadModels): Promise<readonly WorkflowRow[]> => {
  // The newest version stands twice in the collection, under its slug and under its number: the first of a slug is enough.
  const versions = await collect<WorkflowDocument>((limit, after) =>
    models.page('workflows', { where: {}, sort: bySlug, limit, after }),
  );
  const assignments = await collect<AssignmentDocument>((limit, after) =>
    models.page('assignments', { where: {}, sort: byId, limit, after }),
  );
  const companies = new Map<string, string[]>();
  for (const { slug, companyId } of assignments.items) {
    companies.set(slug, [...(companies.get(slug) ?? []), companyId]);
  }
  const seen = new Set<string>();
  return versions.items.flatMap(({ workflowId: id, slug, name, version, publishedAt }) => {
    if (seen.has(slug)) return [];
    seen.add(slug);
    return [{ id, slug, name, version, publishedAt, companies: companies.get(slug) ?? [] }];
  });
};

const bySlug = [
  { path: 'slug', direction: 'ascending' },
  { path: 'version', direction: 'descending' },
] as const;
const byId = [{ path: 'id', direction: 'ascending' }] as const;
