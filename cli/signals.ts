/**
 * Aborted by the first SIGINT or SIGTERM; a second one ends the process at once, with the code that shells
 * give to it.
 */
export const untilStopped = (): AbortSignal => {
  const stopped = new AbortController();
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (stopped.signal.aborted) process.exit(code);
      stopped.abort();
    });
  }
  return stopped.signal;
};

/** Runs what SIGINT and SIGTERM abort. */
export const whileStoppable = async <T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  try {
    return await run(stopped.signal);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
  }
};
