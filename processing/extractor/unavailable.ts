import type { Submission } from '../../domain/submission/state.ts';
import type { extractOverHttp } from './overHttp.ts';

const MAX_RETRY_AFTER_MS = 600_000;

/**
 * An http extractor gave no result for a reason that may pass. The submission's history has the message: it
 * names no address, no setting.
 */
export class ExtractorUnavailable extends Error {
  override readonly name = 'ExtractorUnavailable';
  /**
   * The delay before the next request that it asked for, in ms and at most ten minutes; 0 where it did not.
   */
  readonly retryAfterMs: number;
  /** The setting without the secret that signs, a fault of the operator; null for any other reason. */
  readonly setting: string | null;

  constructor(why: string, details: Readonly<{ retryAfterMs?: number; setting?: string }> = {}) {
    super(`The extractor gave no result: ${why}.`);
    this.retryAfterMs = Math.min(details.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    this.setting = details.setting ?? null;
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
