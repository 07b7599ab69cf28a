/** A file that can't be processed, whatever is tried: the message tells a person which and what to mend. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** A picture of which a better one would do: the message tells a person which and what to do better. */
export class PoorPicture extends Error {
  override readonly name = 'PoorPicture';
}

/** Processing could not be done now, for no fault of the files: the same call may succeed later. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure';
}

/** Looks at what is not to be judged: what is wrong with a file's bytes is nobody's concern, anything else that is thrown is. */
export const unlessUnreadable = async (look: () => Promise<void>): Promise<void> => {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof PoorPicture)) throw error;
  }
};
