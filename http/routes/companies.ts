import type { companyQueries } from '../../projections/companies.ts';
import { Companies } from '../../schemas/identity.ts';
import { wholeList } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';

/** The key's own company (companies-1). */
export const companyRoutes = (companies: ReturnType<typeof companyQueries>): readonly Route[] => [
  route({
    name: 'listCompanies',
    summary: 'List the company of the key; none for an unscoped key',
    method: 'GET',
    path: '/api/v1/companies',
    access: 'anyKey',
    answers: { 200: Companies },
  })({
    run: async ({ caller }) => {
      const found = caller.companyId === null ? null : await companies.find(caller.companyId);
      return { status: 200, body: wholeList(found ? [{ id: found.id, name: found.name }] : []) };
    },
  }),
];
