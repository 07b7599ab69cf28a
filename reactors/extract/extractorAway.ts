/** The longest that an extractor may ask to be left alone, in milliseconds. */
const LONGEST_WAIT_MS = 600_000;

/** An http extractor gave no result for a reason that may pass. The message is fit for the submission's history: no address, no setting. */
export class ExtractorAway extends Error {
  override readonly name = 'ExtractorAway';
  /** How long it asked to be left alone, in milliseconds and within bounds; 0 where it did not. */
  readonly retryAfterMs: number;

  constructor(why: string, retryAfterMs = 0) {
    super(`The extractor gave no result: ${why}.`);
    this.retryAfterMs = Math.min(retryAfterMs, LONGEST_WAIT_MS);
  }
}
