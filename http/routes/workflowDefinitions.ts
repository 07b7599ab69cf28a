import type { workflowCatalogQueries } from '../../projections/workflowCatalog.ts';
import type { WorkflowDocument, workflowQueries } from '../../projections/workflows.ts';
import { cursor, limit, slug, version } from '../../schemas/parameters.ts';
import { definitionOf, type WorkflowDefinition } from '../../schemas/workflowDefinition.ts';
import { PublishedDefinition, WorkflowHeads, WorkflowVersions } from '../../schemas/workflowDefinitions.ts';
import type { PersonCaller } from '../engine/access/caller.ts';
import { keyedPageOf, pageOf } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';

type DefinitionPorts = Readonly<{
  catalog: ReturnType<typeof workflowCatalogQueries>;
  workflows: ReturnType<typeof workflowQueries>;
}>;

/** What was published of workflows, for people (workflows-9, workflows-10, workflows-11). */
export const workflowDefinitionRoutes = (ports: DefinitionPorts): readonly Route[] => [
  listRoute(ports),
  versionsRoute(ports),
  definitionRoute(ports),
];

const listRoute = ({ catalog }: DefinitionPorts): Route =>
  route({
    name: 'listWorkflowDefinitions',
    summary:
      'List the workflows of the company, the last assigned first; all to a super_admin who names none',
    description: 'With the newest version of each; the definition of a version has an address of its own.',
    method: 'GET',
    path: '/api/v1/workflow-definitions',
    access: 'workflows.inspect',
    query: { cursor, limit },
    answers: { 200: WorkflowHeads },
  })({
    run: async ({ caller: { companyId }, query }) => {
      const read: typeof catalog.list = (size, after) =>
        companyId === null ? catalog.list(size, after) : catalog.listOf(companyId, size, after);
      const filters = { list: 'workflow-definitions', companyId };
      const body = await pageOf(query, filters, read, ({ createdAt: _, companies, ...head }) => ({
        ...head,
        companies: companyId === null ? companies.length : null,
      }));
      return { status: 200, body };
    },
  });

type WorkflowRequest = Readonly<{ caller: PersonCaller; parameters: Readonly<{ slug: string }> }>;

/** The newest version of a workflow that the person may see. */
const visible =
  ({ workflows }: DefinitionPorts) =>
  ({ caller: { companyId }, parameters }: WorkflowRequest): Promise<WorkflowDocument | null> =>
    companyId === null ? workflows.newest(parameters.slug) : workflows.find(companyId, parameters.slug);

const versionsRoute = (ports: DefinitionPorts): Route =>
  route({
    name: 'listWorkflowVersions',
    summary: 'List the versions of a workflow, newest first',
    description: 'Who published each and when; versions never change.',
    method: 'GET',
    path: '/api/v1/workflow-definitions/{slug}/versions',
    access: 'workflows.inspect',
    parameters: { slug },
    query: { cursor, limit },
    answers: { 200: WorkflowVersions },
  })({
    find: visible(ports),
    run: async ({ found, query }) => {
      const { versions } = ports.workflows;
      const filters = { list: 'workflow-versions', slug: found.slug };
      const read = (size: number, last: string | null) =>
        versions(found.slug, last === null ? found.version + 1 : Number(last), size);
      const head = (one: WorkflowDocument) => ({ ...publication(one), name: one.name });
      return { status: 200, body: await keyedPageOf(query, filters, read, head) };
    },
  });

const definitionRoute = (ports: DefinitionPorts): Route =>
  route({
    name: 'getWorkflowDefinition',
    summary: 'Get all that was published of a version',
    description:
      'A definition with every default filled in, which may be published again. Of the addresses that it names only super_admins see more than the origin.',
    method: 'GET',
    path: '/api/v1/workflow-definitions/{slug}/versions/{version}',
    access: 'workflows.inspect',
    parameters: { slug, version },
    answers: { 200: PublishedDefinition },
  })({
    find: async (request) => {
      const newest = await visible(ports)(request);
      return newest && ports.workflows.version(newest.slug, request.parameters.version);
    },
    run: async ({ found, caller: { role } }) => {
      const definition = definitionOf(found);
      const shown = role === 'super_admin' ? definition : withOrigins(definition);
      return { status: 200, body: { ...publication(found), definition: shown } };
    },
  });

const publication = ({ version, publishedAt, publishedBy, passage }: WorkflowDocument) => ({
  ...{ version, publishedAt },
  publishedBy: publishedBy ?? null,
  passage: passage ?? null,
});

/** The definition with the origins of its addresses alone: a path or a query may hold a secret. */
const withOrigins = (definition: WorkflowDefinition): WorkflowDefinition => {
  const { extractor, sync, ...rest } = definition.processing ?? {};
  const read =
    typeof extractor === 'object'
      ? { http: { ...extractor.http, url: originOf(extractor.http) } }
      : extractor;
  return {
    ...definition,
    processing: {
      ...rest,
      ...(read === undefined ? {} : { extractor: read }),
      ...(sync === undefined ? {} : { sync: { ...sync, url: originOf(sync) } }),
    },
  };
};

const originOf = ({ url }: Readonly<{ url: string }>): string => new URL(url).origin;
