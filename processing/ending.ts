import type { JobResult } from './engine/messages.ts';
import { PoorPicture, Unreadable } from './errors.ts';
import type { Extracted, Outcome } from './types.ts';

const KIB = 1_024;
/** In bytes of JSON: the extraction is part of one event, and those are small. */
const MAX_EXTRACTION = 256 * KIB;

/**
 * The result of work on untrusted bytes: a fault of theirs is an outcome, also more values than are stored;
 * any other error is thrown.
 */
export const ending = async <T extends JobResult>(
  work: () => T | Promise<T>,
): Promise<T | Exclude<Outcome, { kind: 'extracted' }>> => {
  try {
    const ended = await work();
    const bytes = ended.kind === 'extracted' ? sizeOf(ended) : 0;
    if (bytes <= MAX_EXTRACTION) return ended;
    const size = `The values that were read take ${Math.ceil(bytes / KIB)} KiB, told in extractedData and again in result`;
    return {
      kind: 'failed',
      reason: `${size}: more than the ${MAX_EXTRACTION / KIB} KiB that are kept.`,
    };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'failed', reason: error.message };
    if (error instanceof PoorPicture) return { kind: 'capture_quality_blocked', reason: error.message };
    throw error;
  }
};

/** The bytes of what is kept of it, as it is stored. */
const sizeOf = ({ extractedData, fieldConfidences, aiSummary, result }: Extracted): number =>
  Buffer.byteLength(JSON.stringify({ extractedData, fieldConfidences, aiSummary, result }));
