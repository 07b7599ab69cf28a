import type { workflowQueries } from '../../projections/workflows.ts';
import { cursor, limit, slug, version } from '../../schemas/parameters.ts';
import { WorkflowContract, WorkflowPage, WorkflowSummary } from '../../schemas/workflows.ts';
import { pageOfRows } from '../engine/request/paging.ts';
import { entityTag } from '../engine/request/preconditions.ts';
import { type Route, route } from '../engine/route.ts';
import { workflowContract, workflowSummary } from './present.ts';

/** The workflows that a company may use (workflows-1). */
export const workflowRoutes = (workflows: ReturnType<typeof workflowQueries>): readonly Route[] => [
  route({
    name: 'listWorkflows',
    summary: 'List the workflows that the company may use, the last assigned first',
    description:
      'Each with its newest version. What a version accepts and extracts: `GET /workflows/{slug}/versions/{version}`.',
    method: 'GET',
    path: '/api/v1/workflows',
    access: 'workflows.read',
    query: { cursor, limit },
    answers: { 200: WorkflowPage },
  })({
    run: async ({ caller, query }) => {
      const { companyId } = caller;
      const filters = { list: 'workflows', companyId };
      const body = await pageOfRows(query, filters, (...page) => workflows.rows(companyId, ...page));
      return { status: 200, body };
    },
  }),
  route({
    name: 'getWorkflow',
    summary: 'Get the newest version of a workflow',
    description: 'With the files that it accepts. A session that names no version gets this one.',
    method: 'GET',
    path: '/api/v1/workflows/{slug}',
    access: 'workflows.read',
    parameters: { slug },
    answers: { 200: WorkflowSummary },
    headers: ['ETag'],
  })({
    find: ({ caller, parameters }) => workflows.find(caller.companyId, parameters.slug),
    run: async ({ found }) => ({
      status: 200,
      headers: entityTag(found.version),
      body: workflowSummary(found),
    }),
  }),
  route({
    name: 'getWorkflowVersion',
    summary: 'Get the contract of a version: its files and its fields',
    description: 'A published version never changes: the answer can be cached.',
    method: 'GET',
    path: '/api/v1/workflows/{slug}/versions/{version}',
    access: 'workflows.read',
    parameters: { slug, version },
    answers: { 200: WorkflowContract },
    headers: ['ETag'],
  })({
    find: async ({ caller, parameters }) => {
      const newest = await workflows.find(caller.companyId, parameters.slug);
      return newest && workflows.version(parameters.slug, parameters.version);
    },
    run: async ({ found }) => ({
      status: 200,
      headers: entityTag(found.version),
      body: workflowContract(found),
    }),
  }),
];
