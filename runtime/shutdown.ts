import { within } from '../kernel/timeLimit.ts';

/** What a process has started, to be ended in the opposite order; nothing at first. */
export const createShutdown = () => {
  const parts: Readonly<{ part: string; end: () => unknown }>[] = [];
  return {
    add: (part: string, end: () => unknown): void => void parts.push({ part, end }),
    /**
     * Ends all parts, one after the other, within `withinMs` in all. Gives the part that had not ended by
     * then, and leaves those behind it; null when all have.
     */
    close: async (withinMs: number): Promise<string | null> => {
      const deadline = performance.now() + withinMs;
      for (let last = parts.pop(); last; last = parts.pop()) {
        const ended = Promise.resolve(last.end()).then(() => true);
        if (!(await within(ended, deadline - performance.now(), () => false))) return last.part;
      }
      return null;
    },
  };
};
