import { useRead } from './resource.ts';

/** The names of workflows by their slugs; none until they are read. */
export const useWorkflowNames = (): Readonly<Record<string, string>> => {
  const { value } = useRead('/api/v1/workflows', { query: { limit: 100 } });
  return Object.fromEntries((value?.data ?? []).map(({ slug, name }) => [slug, name]));
};
