import { PoorPicture, Unreadable } from './errors.ts';
import type { Ended } from './isolation/messages.ts';
import type { Outcome } from './types.ts';

const LARGEST_RESULT = 256 * 1_024;

/**
 * How work on strangers' bytes ends: what is wrong with them is an outcome; anything else that is thrown is no fault of theirs. An outcome is stored
 * as one event, and those are kept small: more than 256 KiB fails.
 */
export const ending = async <T extends Ended>(
  work: () => T | Promise<T>,
): Promise<T | Exclude<Outcome, { kind: 'extracted' }>> => {
  try {
    const ended = await work();
    const bytes = Buffer.byteLength(JSON.stringify(ended));
    if (bytes <= LARGEST_RESULT) return ended;
    return { kind: 'failed', reason: `the extracted data take ${bytes} bytes, more than ${LARGEST_RESULT}.` };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'failed', reason: error.message };
    if (error instanceof PoorPicture) return { kind: 'capture_quality_blocked', reason: error.message };
    throw error;
  }
};
