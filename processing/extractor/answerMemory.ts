/** The bytes of all extractors' answers at once: those that arrive, and those that wait to be judged. */
const LIMIT = 32 * 1_024 * 1_024;

/** Reserves more bytes; false where the limit is reached. */
export type Reserve = (bytes: number) => boolean;

/** The memory of this process for extractors' answers. */
export const createAnswerMemory = (limit = LIMIT) => {
  let reserved = 0;
  return {
    /** Releases what `use` has reserved when it has ended; a later reservation fails. */
    during: async <T>(use: (reserve: Reserve) => Promise<T>): Promise<T> => {
      let own = 0;
      let ended = false;
      const reserve: Reserve = (bytes) => {
        if (ended || reserved + bytes > limit) return false;
        reserved += bytes;
        own += bytes;
        return true;
      };
      try {
        return await use(reserve);
      } finally {
        ended = true;
        reserved -= own;
      }
    },
  };
};
export type AnswerMemory = ReturnType<typeof createAnswerMemory>;
