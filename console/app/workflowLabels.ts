import { IntakeError } from '../../client/error.ts';
import { api } from './api.ts';
import { createOwnStore, me } from './session.ts';

type Labels = Readonly<Record<string, string>>;

/** What was read of them, by workflow. */
const known = createOwnStore<Readonly<Record<string, Labels>>>({});

/**
 * What the person's company calls the fields of a workflow; none to people of no company, and where it has
 * the workflow no more. Throws `IntakeError`.
 */
export const labelsOf = async (slug: string, signal: AbortSignal): Promise<Labels> => {
  const companyId = me()?.company?.id;
  if (companyId === undefined) return {};
  const before = known.get();
  if (Object.hasOwn(before, slug)) return before[slug] ?? {};
  try {
    const path = { companyId, slug };
    const { labels } = await api.get('/api/v1/companies/{companyId}/workflows/{slug}', { path, signal });
    known.set({ ...known.get(), [slug]: labels });
    return labels;
  } catch (error) {
    if (error instanceof IntakeError && error.status === 404) return {};
    throw error;
  }
};

/** They were changed: they are read anew. */
export const forgetLabels = (): void => known.set({});
