import type { WorkflowPage } from '../../schemas/workflows.ts';
import { call } from './api.ts';
import { useResource } from './resource.ts';

/** The names of workflows by their slugs; none until they are read. */
export const useWorkflowNames = (): Readonly<Record<string, string>> => {
  const { value } = useResource('workflows', async (signal) => {
    const { body } = await call<WorkflowPage>('/api/v1/workflows', { query: { limit: 100 }, signal });
    return Object.fromEntries(body.data.map(({ slug, name }) => [slug, name]));
  });
  return value ?? {};
};
