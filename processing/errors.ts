/** A file that can't be processed: the message says which, and what to correct. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** A picture that is not good enough: the message says which, and how to take a better one. */
export class PoorPicture extends Error {
  override readonly name = 'PoorPicture';
}

/** Processing failed for no fault of the files: the same call may succeed later. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure';
}

/** Does work and ignores faults of a file; any other error is thrown. */
export const unlessUnreadable = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof PoorPicture)) throw error;
  }
};
