import type { Submission } from '../../domain/submission/state.ts';
import { ExtractorUnavailable } from './extractorAway.ts';
import type { extractOverHttp } from './overHttp.ts';

type Extract = ReturnType<typeof extractOverHttp>;

/** Which extractors, by their origins, gave no result when this process asked them last. A restart learns it anew. */
export const createAway = () => {
  const origins = new Set<string>();
  return {
    has: ({ readBy }: Pick<Submission, 'readBy'>): boolean => readBy !== null && origins.has(readBy),
    /** The same, told of by what comes of it. */
    learning:
      (extract: Extract): Extract =>
      async (submission, ...asked) => {
        const { readBy } = submission;
        try {
          const outcome = await extract(submission, ...asked);
          if (readBy !== null) origins.delete(readBy);
          return outcome;
        } catch (error) {
          if (readBy !== null && error instanceof ExtractorUnavailable) origins.add(readBy);
          throw error;
        }
      },
  };
};
