const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs what the first SIGINT or SIGTERM aborts; a second one ends the process at once, with the code that
 * shells give to it.
 */
export const whileStoppable = async <T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const stopped = new AbortController();
  const stop = (_name: string, number: number): void => {
    if (stopped.signal.aborted) process.exit(128 + number);
    stopped.abort();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await run(stopped.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
};
