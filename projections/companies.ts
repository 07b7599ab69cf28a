import type { CompanyEvent } from '../domain/company.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import { newestOf } from './engine/pages.ts';
import { newestBy, type Projection } from './engine/projection.ts';

export type CompanyDocument = Readonly<{ id: string; name: string; createdAt: string }>;

/** The companies of the platform. */
export const companies: Projection<CompanyDocument, CompanyEvent> = {
  name: 'companies',
  version: 1,
  prefixes: ['company-'],
  indexes: [{ name: 'newest', sort: newestBy('createdAt') }],
  keys: ({ data }) => [data.companyId],
  on: {
    CompanyCreated: (_document, { data, metadata }) => ({
      id: data.companyId,
      name: data.name,
      createdAt: metadata.at,
    }),
    CompanyLogInChanged: (document) => document,
  },
};

/** Companies by identifier, and all of them for operators. */
export const companyQueries = (models: ReadModels) => ({
  find: (companyId: string): Promise<CompanyDocument | null> => models.get('companies', companyId),
  list: newestOf<CompanyDocument>(models, 'companies'),
});
