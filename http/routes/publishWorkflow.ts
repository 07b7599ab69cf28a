import type { administer } from '../../commands/administer.ts';
import { type Fault, faultsUnder } from '../../kernel/fault.ts';
import { pick } from '../../kernel/pick.ts';
import type { companyQueries } from '../../projections/companies.ts';
import type { CatalogDocument, workflowCatalogQueries } from '../../projections/workflowCatalog.ts';
import { definitionProblems, type EndpointRules } from '../../schemas/definitionProblems.ts';
import { Companies } from '../../schemas/identity.ts';
import { companyId, cursor, limit, slug } from '../../schemas/parameters.ts';
import { definitionOf, type WorkflowDefinition, withDefaults } from '../../schemas/workflowDefinition.ts';
import {
  CheckDefinition,
  CheckedDefinition,
  DefinitionPublished,
  PublishDefinition,
  WorkflowAssignment,
} from '../../schemas/workflowDefinitions.ts';
import { keyedPageOf } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';
import { companyOf } from './companies.ts';

type Commands = Pick<
  ReturnType<typeof administer>,
  'publishWorkflow' | 'assignWorkflow' | 'unassignWorkflow'
>;

type PublishPorts = Commands &
  Readonly<{
    find: ReturnType<typeof workflowCatalogQueries>['find'];
    company: ReturnType<typeof companyQueries>['find'];
    rules: EndpointRules;
  }>;

/** What super_admins do with workflows: publish (workflows-12, workflows-13), and assign (workflows-14). */
export const publishWorkflowRoutes = (ports: PublishPorts): readonly Route[] => [
  checkRoute(ports),
  publishRoute(ports),
  companiesRoute(ports),
  assignmentRoute(ports, true),
  assignmentRoute(ports, false),
];

const faultsOf =
  ({ rules }: PublishPorts) =>
  ({ body: { definition } }: Readonly<{ body: Readonly<{ definition?: object }> }>): readonly Fault[] =>
    definition === undefined ? [] : faultsUnder('/definition', definitionProblems(definition, rules));

/** The definition of a body that `faultsOf` has compared with the schema, with every default filled in. */
const completed = (definition: object) => withDefaults(definition as WorkflowDefinition);

const checkRoute = (ports: PublishPorts): Route =>
  route({
    name: 'checkWorkflowDefinition',
    summary: 'Check a workflow definition, and get it with every default filled in',
    description: 'Publishes nothing. What publishing would refuse is refused here in the same words.',
    method: 'POST',
    path: '/api/v1/workflow-definitions/check',
    access: 'workflows.manage',
    body: CheckDefinition,
    answers: { 200: CheckedDefinition },
  })({
    check: faultsOf(ports),
    run: async ({ body }) => {
      const definition = completed(body.definition);
      const newest = await ports.find(definition.slug);
      const version = (newest?.version ?? 0) + 1;
      return { status: 200, body: { definition: definitionOf(definition), version } };
    },
  });

const publishRoute = (ports: PublishPorts): Route =>
  route({
    name: 'publishWorkflow',
    summary: 'Publish a definition as the next version of its workflow',
    description:
      'A published version never changes. Sessions that are open keep theirs; new ones get the newest. A workflow that nobody has heard of begins with version 1, and must be assigned to companies.',
    method: 'POST',
    path: '/api/v1/workflow-definitions',
    access: 'workflows.manage',
    body: PublishDefinition,
    answers: { 201: DefinitionPublished },
    headers: ['Location'],
    refusals: ['version-taken', 'publish-gate-closed'],
  })({
    check: faultsOf(ports),
    run: async ({ body, ...request }) => {
      const definition = completed(body.definition);
      const { ulid } = request.reserved;
      const given = { ulid, ...pick(body, 'version', 'evaluationId', 'force') };
      const { version, position } = await ports.publishWorkflow(definition, commandContext(request), given);
      const { slug } = definition;
      const Location = `/api/v1/workflow-definitions/${slug}/versions/${version}`;
      return { status: 201, position, headers: { Location }, body: { slug, version } };
    },
  });

type WorkflowRequest = Readonly<{ parameters: Readonly<{ slug: string }> }>;

const known =
  ({ find }: PublishPorts) =>
  ({ parameters }: WorkflowRequest): Promise<CatalogDocument | null> =>
    find(parameters.slug);

const companiesRoute = (ports: PublishPorts): Route =>
  route({
    name: 'listCompaniesOfWorkflow',
    summary: 'List the companies that a workflow is assigned to, the last assigned last',
    description: 'Those whose keys and people may use it.',
    method: 'GET',
    path: '/api/v1/workflow-definitions/{slug}/companies',
    access: 'workflows.manage',
    parameters: { slug },
    query: { cursor, limit },
    answers: { 200: Companies },
  })({
    find: known(ports),
    run: async ({ found: { slug, companies }, query }) => {
      const read = async (size: number, last: string | null) => {
        const [from, to] = [Number(last), Number(last) + size];
        const found = await Promise.all(companies.slice(from, to).map(ports.company));
        return { items: found.flatMap((one) => one ?? []), next: to < companies.length ? String(to) : null };
      };
      const filters = { list: 'workflow-companies', slug };
      return { status: 200, body: await keyedPageOf(query, filters, read, companyOf) };
    },
  });

const assignmentRoute = (ports: PublishPorts, assigned: boolean): Route =>
  route({
    name: assigned ? 'assignWorkflow' : 'unassignWorkflow',
    summary: assigned
      ? 'Let a company open sessions of a workflow'
      : 'Stop new sessions of a company; open ones continue',
    description: 'It may be repeated.',
    method: assigned ? 'PUT' : 'DELETE',
    path: '/api/v1/workflow-definitions/{slug}/companies/{companyId}',
    access: 'workflows.manage',
    parameters: { slug, companyId },
    answers: { 200: WorkflowAssignment },
  })({
    find: async (request) => {
      const found = await known(ports)(request);
      return found && ports.company(request.parameters.companyId);
    },
    run: async ({ found, parameters: { slug }, ...request }) => {
      const change = assigned ? ports.assignWorkflow : ports.unassignWorkflow;
      const position = await change(slug, found.id, commandContext(request));
      return { status: 200, position, body: { slug, companyId: found.id, assigned } };
    },
  });
