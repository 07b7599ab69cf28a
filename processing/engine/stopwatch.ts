/** Opening files and preparing pictures, recognising text, finding the fields. */
export const readingSteps = ['open', 'recognise', 'understand'] as const;
export type ReadingStep = (typeof readingSteps)[number];

/** Milliseconds by step. */
export type StepTimes = Readonly<Record<ReadingStep, number>>;

/** Measures the steps of one reading; `now` is in ms. */
export const createStopwatch = (now: () => number = () => performance.now()) => {
  const times: Record<ReadingStep, number> = { open: 0, recognise: 0, understand: 0 };
  let step: ReadingStep = 'open';
  let since = now();
  const enter = (next: ReadingStep): void => {
    const at = now();
    times[step] += at - since;
    since = at;
    step = next;
  };
  return {
    enter,
    /** The times until now. */
    times: (): StepTimes => {
      enter(step);
      return { ...times };
    },
  };
};
