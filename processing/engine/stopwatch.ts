/** What reading a submission's files is made of: opening them and making pictures ready, recognising text, finding the fields. */
export const readingSteps = ['open', 'recognise', 'understand'] as const;
export type ReadingStep = (typeof readingSteps)[number];

/** Milliseconds that went into each step. */
export type Spent = Readonly<Record<ReadingStep, number>>;

/** Tells what goes into which step of one reading. `now` gives milliseconds. */
export const createStopwatch = (now: () => number = () => performance.now()) => {
  const spent: Record<ReadingStep, number> = { open: 0, recognise: 0, understand: 0 };
  let step: ReadingStep = 'open';
  let since = now();
  const enter = (next: ReadingStep): void => {
    const at = now();
    spent[step] += at - since;
    since = at;
    step = next;
  };
  return {
    /** From now on it is spent on this. */
    enter,
    /** What was spent until now. */
    spent: (): Spent => {
      enter(step);
      return { ...spent };
    },
  };
};
