import type { Company } from '../../schemas/identity.ts';
import { api } from './api.ts';
import { type Resource, useResource } from './resource.ts';
import type { ScreenProps } from './screenProps.ts';

export type { Company };

/** All companies, by name. Without a company in the address: then a super_admin gets all of them. */
export const allCompanies = async (signal: AbortSignal): Promise<readonly Company[]> => {
  const found: Company[] = [];
  for await (const company of api.list('/api/v1/companies', { query: { limit: 100 }, signal }))
    found.push(company);
  return found.sort((a, b) => a.name.localeCompare(b.name));
};

/** Whose keys and people are shown: those of a company, or null for a super_admin who has chosen none. */
export const scopeOf = ({ me, query }: Pick<ScreenProps, 'me' | 'query'>): string | null =>
  me.company?.id ?? query.get('company');

/** All companies where none is chosen; else null, since there is nothing to choose. */
export const useCompanies = (scope: string | null): Resource<readonly Company[]> =>
  useResource(scope === null ? 'companies' : null, allCompanies);
