/** The longest that an extractor may ask to be left alone, in milliseconds. */
const LONGEST_WAIT_MS = 600_000;

type Details = Readonly<{ retryAfterMs?: number; setting?: string }>;

/** An http extractor gave no result for a reason that may pass. The message is fit for the submission's history: no address, no setting. */
export class ExtractorUnavailable extends Error {
  override readonly name = 'ExtractorUnavailable';
  /** How long it asked to be left alone, in milliseconds and within bounds; 0 where it did not. */
  readonly retryAfterMs: number;
  /** The setting that should hold the secret which signs, where that is what is wrong: an operator's fault, and not the extractor's. */
  readonly setting: string | null;

  constructor(why: string, { retryAfterMs = 0, setting }: Details = {}) {
    super(`The extractor gave no result: ${why}.`);
    this.retryAfterMs = Math.min(retryAfterMs, LONGEST_WAIT_MS);
    this.setting = setting ?? null;
  }
}
