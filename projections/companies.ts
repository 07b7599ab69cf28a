import type { CompanyEvent } from '../domain/company.ts';
import type { Retention } from '../domain/retention.ts';
import type { WorkflowSettings } from '../domain/workflowSettings.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type After, newestOf } from './engine/pages.ts';
import { indexOn, newestBy, type Projection } from './engine/projection.ts';

/**
 * `retention`: null until the company has one; older documents lack it. `workflows`: what it has set of each,
 * by slug; absent until it has.
 */
export type CompanyDocument = Readonly<{
  id: string;
  name: string;
  createdAt: string;
  retention?: Retention | null;
  workflows?: Readonly<Record<string, WorkflowSettings>>;
}>;

const newestFirst = newestBy('createdAt');
const enforced = 'retention.isEnforced';

/** The companies of the platform. */
export const companies: Projection<CompanyDocument, CompanyEvent> = {
  name: 'companies',
  version: 2,
  prefixes: ['company-'],
  indexes: [{ name: 'newest', sort: newestFirst }, indexOn('enforcing', [enforced], newestFirst)],
  keys: ({ data }) => [data.companyId],
  on: {
    CompanyCreated: (_document, { data, metadata }) => ({
      id: data.companyId,
      name: data.name,
      createdAt: metadata.at,
      retention: null,
    }),
    CompanyLogInChanged: (document) => document,
    CompanyRetentionChanged: (document, { data: { retention } }) => document && { ...document, retention },
    CompanyWorkflowChanged: (document, { data: { slug, settings } }) =>
      document && { ...document, workflows: { ...document.workflows, [slug]: settings } },
  },
};

/** Companies by identifier, and all of them for operators. */
export const companyQueries = (models: ReadModels) => ({
  find: (companyId: string): Promise<CompanyDocument | null> => models.get('companies', companyId),
  list: newestOf<CompanyDocument>(models, 'companies'),
  /** Companies whose retention is enforced. */
  enforcing: (limit: number, after: After): Promise<ResultPage<CompanyDocument>> =>
    models.page('companies', { where: { [enforced]: true }, sort: newestFirst, limit, after }),
});
