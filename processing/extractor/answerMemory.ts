/** How much of extractors' answers is held at once, in bytes: those that are coming, and those that wait to be judged. */
const LIMIT = 32 * 1_024 * 1_024;

/** Takes so many bytes more; false when there are no more to be had. */
export type Take = (bytes: number) => boolean;

/** What all answers together may take of this process's memory. An extractor has it for as long as its answer is of use, whoever else waits. */
export const createAnswerMemory = (limit = LIMIT) => {
  let taken = 0;
  return {
    /** What `use` takes is given back when it has ended; later it gets nothing. */
    during: async <T>(use: (take: Take) => Promise<T>): Promise<T> => {
      let mine = 0;
      let over = false;
      const take: Take = (bytes) => {
        if (over || taken + bytes > limit) return false;
        taken += bytes;
        mine += bytes;
        return true;
      };
      try {
        return await use(take);
      } finally {
        over = true;
        taken -= mine;
      }
    },
  };
};
export type AnswerMemory = ReturnType<typeof createAnswerMemory>;
