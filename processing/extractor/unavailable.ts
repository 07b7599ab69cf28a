import type { Submission } from '../../domain/submission/state.ts';
import type { extractOverHttp } from './overHttp.ts';

/** The longest delay that an extractor may ask for, in ms. */
const MAX_RETRY_AFTER_MS = 600_000;

type Details = Readonly<{ retryAfterMs?: number; setting?: string }>;

/** An http extractor gave no result for a reason that may pass. The message is fit for the submission's history: no address, no setting. */
export class ExtractorUnavailable extends Error {
  override readonly name = 'ExtractorUnavailable';
  /** The delay before the next request that it asked for, in ms and within bounds; 0 where it did not. */
  readonly retryAfterMs: number;
  /** The setting that lacks the secret which signs: an operator's fault, not the extractor's; null for any other reason. */
  readonly setting: string | null;

  constructor(why: string, { retryAfterMs = 0, setting }: Details = {}) {
    super(`The extractor gave no result: ${why}.`);
    this.retryAfterMs = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
    this.setting = setting ?? null;
  }
}

type Extract = ReturnType<typeof extractOverHttp>;

/** Remembers which extractors (by origin) gave no result to this process's last request. */
export const createExtractorAvailability = () => {
  const unavailable = new Set<string>();
  return {
    isUnavailable: ({ readBy }: Pick<Submission, 'readBy'>): boolean =>
      readBy !== null && unavailable.has(readBy),
    /** `extract`, with its outcomes remembered. */
    observing:
      (extract: Extract): Extract =>
      async (submission, ...request) => {
        const { readBy } = submission;
        try {
          const outcome = await extract(submission, ...request);
          if (readBy !== null) unavailable.delete(readBy);
          return outcome;
        } catch (error) {
          if (readBy !== null && error instanceof ExtractorUnavailable) unavailable.add(readBy);
          throw error;
        }
      },
  };
};
