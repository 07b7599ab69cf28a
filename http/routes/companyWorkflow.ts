import type { administer } from '../../commands/administer.ts';
import { noWorkflowSettings, settingsOf } from '../../domain/workflowSettings.ts';
import type { workflowQueries } from '../../projections/workflows.ts';
import { ChangeCompanyWorkflow, CompanyWorkflow, unknownFields } from '../../schemas/companyWorkflow.ts';
import { companyId, slug } from '../../schemas/parameters.ts';
import { entityTag } from '../engine/request/preconditions.ts';
import { type Route, route } from '../engine/route.ts';
import { type CurrentCompany, commandContext, visibleCompany } from './caller.ts';

type CompanyWorkflowPorts = Readonly<{
  current: CurrentCompany;
  find: ReturnType<typeof workflowQueries>['find'];
  changeWorkflow: ReturnType<typeof administer>['changeWorkflow'];
}>;

/** What a company sets of a workflow for itself (workflows-20). */
export const companyWorkflowRoutes = (ports: CompanyWorkflowPorts): readonly Route[] => {
  const visible = visibleCompany(ports.current);
  const common = {
    path: '/api/v1/companies/{companyId}/workflows/{slug}',
    parameters: { companyId, slug },
    answers: { 200: CompanyWorkflow },
    headers: ['ETag'],
  } as const;
  const find = async (request: Parameters<typeof visible>[0] & Named) => {
    const company = await visible(request);
    const newest = company && (await ports.find(company.id, request.parameters.slug));
    return company && newest ? { company, newest } : null;
  };
  return [
    route({
      ...common,
      name: 'getCompanyWorkflow',
      summary: 'Get what a company has set of a workflow for itself',
      description: 'What is null, or not named, is as the version of a submission says.',
      method: 'GET',
      access: 'workflows.inspect',
    })({
      find,
      run: async ({ found: { company }, parameters }) => ({
        status: 200,
        headers: entityTag(company.revision),
        body: settingsOf(company.workflows, parameters.slug),
      }),
    }),
    route({
      ...common,
      name: 'changeCompanyWorkflow',
      summary: 'Change labels, thresholds and review of a workflow for a company',
      description:
        'For this company alone, without a version: submissions that are processed from now on are judged by it, whatever their version. All else of a workflow is the platform’s.',
      method: 'PUT',
      access: 'workflows.adjust',
      body: ChangeCompanyWorkflow,
      conditional: true,
    })({
      find,
      check: ({ found: { newest }, body }) => unknownFields(body, newest.outputSchema),
      run: async ({ found: { company }, parameters, guard, body, ...request }) => {
        const settings = { ...noWorkflowSettings, ...body };
        const context = commandContext(request);
        const { position, revision } = await ports.changeWorkflow(
          company.id,
          { slug: parameters.slug, settings },
          context,
          guard,
        );
        return { status: 200, headers: entityTag(revision), position, body: settings };
      },
    }),
  ];
};

type Named = Readonly<{ parameters: Readonly<{ slug: string }> }>;
