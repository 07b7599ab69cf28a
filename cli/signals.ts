/** Aborted by the first SIGINT or SIGTERM; a second one ends the process at once, with the code that shells give to it. */
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

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
