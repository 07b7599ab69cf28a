type Semaphore = ReturnType<typeof createSemaphore>;

/** So many permits, given out first come first served; with one, work is done one after the other. */
export const createSemaphore = (permits: number) => {
  const queue = new Set<() => void>();
  let free = permits;
  /** Takes a permit if one is free. */
  const tryAcquire = (): boolean => {
    if (free === 0) return false;
    free -= 1;
    return true;
  };
  /** Takes a permit, which `release` gives back. Throws the signal's reason when it is aborted first. */
  const acquire = async (signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    if (!tryAcquire()) await enqueue(queue, signal);
  };
  const release = (): void => {
    const [next] = queue;
    // The permit is handed over.
    if (next) next();
    else free += 1;
  };
  return {
    /** How many wait for a permit. */
    waiting: (): number => queue.size,
    /** Whether all permits are free. */
    isIdle: (): boolean => free === permits,
    tryAcquire,
    acquire,
    release,
    /** Does `work` with a permit. */
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
};

const enqueue = (queue: Set<() => void>, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      queue.delete(turn);
      signal?.removeEventListener('abort', abort);
    };
    const turn = (): void => {
      leave();
      resolve();
    };
    const abort = (): void => {
      leave();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort);
    queue.add(turn);
  });

/** Work by name: what has one name is done one after the other. A queue is kept while there is work in it. */
export const createNamedQueues = () => {
  const queues = new Map<string, Semaphore>();
  return {
    /** How many wait after the work under way for a name. */
    waiting: (name: string): number => queues.get(name)?.waiting() ?? 0,
    run: async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const queue = queues.get(name) ?? createSemaphore(1);
      queues.set(name, queue);
      return queue.run(work).finally(() => {
        if (queue.isIdle()) queues.delete(name);
      });
    },
  };
};
