/** Permits, given out first come first served. */
type Semaphore = Readonly<{
  /** How many wait for a permit. */
  waiting(): number;
  /** Whether all permits are free. */
  isIdle(): boolean;
  /** Takes a permit if one is free. */
  tryAcquire(): boolean;
  /** Takes a permit, which `release` gives back. Throws the signal's reason when it is aborted first. */
  acquire(signal?: AbortSignal): Promise<void>;
  release(): void;
  /** Does `work` with a permit. */
  run<T>(work: () => Promise<T>): Promise<T>;
}>;

/** A semaphore of so many permits; with one, work is done one after the other. */
export const createSemaphore = (permits: number): Semaphore => {
  const queue = new Set<() => void>();
  let free = permits;
  const tryAcquire = (): boolean => {
    if (free === 0) return false;
    free -= 1;
    return true;
  };
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
    waiting: () => queue.size,
    isIdle: () => free === permits,
    tryAcquire,
    acquire,
    release,
    run: async (work) => {
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

/** Work by name: what has one name is done one after the other. */
type NamedQueues = Readonly<{
  /** How many wait behind the work under way for a name. */
  waiting(name: string): number;
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}>;

/** A queue for each name, kept while there is work in it. */
export const createNamedQueues = (): NamedQueues => {
  const queues = new Map<string, Semaphore>();
  return {
    waiting: (name) => queues.get(name)?.waiting() ?? 0,
    run: async (name, work) => {
      const queue = queues.get(name) ?? createSemaphore(1);
      queues.set(name, queue);
      return queue.run(work).finally(() => {
        if (queue.isIdle()) queues.delete(name);
      });
    },
  };
};
