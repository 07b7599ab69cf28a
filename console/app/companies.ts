import type { Companies, Company } from '../../schemas/identity.ts';
import { call } from './api.ts';
import { type Resource, useResource } from './resource.ts';
import type { ScreenProps } from './screens.ts';

export type { Company };

const MAX_PAGES = 50;

/** All companies, by name. Without a company in the address: then a super_admin gets all of them. */
export const allCompanies = async (signal: AbortSignal): Promise<readonly Company[]> => {
  const found: Company[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES && (page === 0 || cursor); page += 1) {
    const { body }: { body: Companies } = await call<Companies>('/api/v1/companies', {
      query: { cursor, limit: 100 },
      signal,
    });
    found.push(...body.data);
    cursor = body.pagination.nextCursor;
  }
  return found.sort((a, b) => a.name.localeCompare(b.name));
};

/** Whose keys and people are shown: those of a company, or null for a super_admin who has chosen none. */
export const scopeOf = ({ me, query }: Pick<ScreenProps, 'me' | 'query'>): string | null =>
  me.company?.id ?? query.get('company');

/** All companies where none is chosen; else null, since there is nothing to choose. */
export const useCompanies = (scope: string | null): Resource<readonly Company[]> =>
  useResource(scope === null ? 'companies' : null, allCompanies);
