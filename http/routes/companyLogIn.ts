import type { administer } from '../../commands/administer.ts';
import type { RoleMap } from '../../domain/company.ts';
import { companyRoles } from '../../kernel/scope.ts';
import { ChangeCompanyLogIn, CompanyLogIn } from '../../schemas/logIn.ts';
import { companyId } from '../../schemas/parameters.ts';
import { entityTag } from '../engine/request/preconditions.ts';
import { type Route, route } from '../engine/route.ts';
import { type CurrentCompany, commandContext, visibleCompany } from './caller.ts';

type LogInPorts = Readonly<{
  current: CurrentCompany;
  changeLogIn: ReturnType<typeof administer>['changeLogIn'];
}>;

/** How the people of a company log in (logins-15). */
export const companyLogInRoutes = ({ current, changeLogIn }: LogInPorts): readonly Route[] => {
  const find = visibleCompany(current);
  return [
    route({
      name: 'getCompanyLogIn',
      summary: 'Get which claim of the identity provider gives the people of a company their roles',
      description: 'Without a claim the roles are those of the invitations.',
      method: 'GET',
      path: '/api/v1/companies/{companyId}/log-in',
      access: 'logIn.read',
      parameters: { companyId },
      answers: { 200: CompanyLogIn },
      headers: ['ETag'],
    })({
      find,
      run: async ({ found: { roleMap, revision } }) => ({
        status: 200,
        headers: entityTag(revision),
        body: shown(roleMap),
      }),
    }),
    route({
      name: 'changeCompanyLogIn',
      summary: 'Change which claim of the identity provider gives the people of a company their roles',
      description: `At each log-in by the identity provider the person gets the role of the claim’s value, of several the first of ${companyRoles.join(', ')}; who has no such value is refused. Without a claim people keep the role that they were invited with, or given.`,
      method: 'PUT',
      path: '/api/v1/companies/{companyId}/log-in',
      access: 'logIn.manage',
      parameters: { companyId },
      body: ChangeCompanyLogIn,
      answers: { 200: CompanyLogIn },
      conditional: true,
      headers: ['ETag'],
    })({
      find,
      check: ({ body: { claim, roles = {} }, invalidMembers }) => {
        const isEmpty = Object.keys(roles).length === 0;
        if (invalidMembers.size > 0 || (claim === undefined) === isEmpty) return [];
        return claim === undefined
          ? [{ pointer: '/claim', detail: 'must be given beside roles' }]
          : [{ pointer: '/roles', detail: 'must have a value beside a claim' }];
      },
      run: async ({ found, guard, body: { claim, roles = {} }, ...request }) => {
        const roleMap = claim === undefined ? null : { claim, roles };
        const context = commandContext(request);
        const { position, revision } = await changeLogIn(found.id, roleMap, context, guard);
        return { status: 200, headers: entityTag(revision), position, body: shown(roleMap) };
      },
    }),
  ];
};

const shown = (roleMap: RoleMap | null) => roleMap ?? { claim: null, roles: {} };
