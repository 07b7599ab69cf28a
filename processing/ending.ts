import type { Ended } from './engine/messages.ts';
import { PoorPicture, Unreadable } from './errors.ts';
import type { Extracted, Outcome } from './types.ts';

const KIB = 1_024;
/** The most that may be kept of what was read, in bytes of JSON: it is one event, and those are kept small. */
const LARGEST_EXTRACTION = 256 * KIB;

/**
 * How work on strangers' bytes ends: what is wrong with them is an outcome, and so is that they hold more than is kept; anything else that is
 * thrown is no fault of theirs.
 */
export const ending = async <T extends Ended>(
  work: () => T | Promise<T>,
): Promise<T | Exclude<Outcome, { kind: 'extracted' }>> => {
  try {
    const ended = await work();
    const bytes = ended.kind === 'extracted' ? sizeOf(ended) : 0;
    if (bytes <= LARGEST_EXTRACTION) return ended;
    const told = `The values that were read take ${Math.ceil(bytes / KIB)} KiB, told in extractedData and again in result`;
    return {
      kind: 'failed',
      reason: `${told}: more than the ${LARGEST_EXTRACTION / KIB} KiB that are kept.`,
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
