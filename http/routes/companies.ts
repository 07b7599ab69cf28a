import type { administer } from '../../commands/administer.ts';
import type { CompanyDocument, companyQueries } from '../../projections/companies.ts';
import { Companies, Company, CompanyRequest } from '../../schemas/identity.ts';
import { cursor, limit } from '../../schemas/parameters.ts';
import { pageOf, wholeList } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';

type CompanyPorts = ReturnType<typeof companyQueries> & Pick<ReturnType<typeof administer>, 'createCompany'>;

/** The caller's own company; all of them to a super_admin who names none (companies-1, companies-3). */
export const companyRoutes = (companies: CompanyPorts): readonly Route[] => [
  route({
    name: 'listCompanies',
    summary: 'List the company of the caller; none for an unscoped key, all for a super_admin who names none',
    description: 'An identifier and a name each.',
    method: 'GET',
    path: '/api/v1/companies',
    access: 'companies.read',
    query: { cursor, limit },
    answers: { 200: Companies },
  })({
    run: async ({ caller, query }) => {
      const { kind, companyId } = caller;
      if (kind === 'person' && companyId === null)
        return { status: 200, body: await pageOf(query, { list: 'companies' }, companies.list, companyOf) };
      const found = companyId === null ? null : await companies.find(companyId);
      return { status: 200, body: wholeList(found ? [companyOf(found)] : []) };
    },
  }),
  route({
    name: 'createCompany',
    summary: 'Create a company',
    description: 'It has no workflows, keys or people yet: assign, make and invite them next.',
    method: 'POST',
    path: '/api/v1/companies',
    access: 'companies.manage',
    body: CompanyRequest,
    answers: { 201: Company },
  })({
    run: async ({ body: { name }, ...request }) => {
      const { ulid } = request.reserved;
      const { id, position } = await companies.createCompany(name, commandContext(request), ulid);
      return { status: 201, position, body: { id, name } };
    },
  }),
];

/** A company as it is answered. */
export const companyOf = ({ id, name }: Pick<CompanyDocument, 'id' | 'name'>) => ({ id, name });
