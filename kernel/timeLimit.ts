/** What `work` gives or throws; after `ms`, what `late` does. The work itself continues. */
export const within = async <T, L>(
  work: Promise<T>,
  ms: number,
  late: () => L | Promise<L>,
): Promise<T | L> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, limit.then(late)]);
  } finally {
    clearTimeout(timer);
  }
};

/** Waits for `work` to end, `ms` at most. */
export const waitFor = (work: Promise<unknown>, ms: number): Promise<void> =>
  within(
    work.then(() => undefined),
    ms,
    () => undefined,
  );
