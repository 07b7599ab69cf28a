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

/** A place in a queue: it gets its turn, or is refused. */
type Place = Readonly<{ turn(): void; refuse(error: Error): void }>;

/**
 * So many permits, given to names in turn: however many wait under one name, another waits for one of each at
 * most. `places` may wait in all; beyond that the last one of the longest queue gives way to a name with
 * fewer, or the new one is refused, with what `refusal` gives.
 */
export const createFairSemaphore = (permits: number, places: number, refusal: () => Error) => {
  /** By the order of their turns. */
  const queues = new Map<string, Place[]>();
  let free = permits;
  let waiting = 0;
  const makePlace = (name: string): void => {
    const longest = [...queues].reduce((one, other) => (other[1].length > one[1].length ? other : one));
    if (longest[1].length <= (queues.get(name)?.length ?? 0) + 1) throw refusal();
    waiting -= 1;
    longest[1].pop()?.refuse(refusal());
  };
  const acquire = async (name: string): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting >= places) makePlace(name);
    waiting += 1;
    await new Promise<void>((turn, refuse) => {
      const queue = queues.get(name) ?? [];
      queue.push({ turn, refuse });
      queues.set(name, queue);
    });
  };
  const release = (): void => {
    const [next] = queues;
    if (!next) {
      free += 1;
      return;
    }
    const [name, queue] = next;
    queues.delete(name);
    const place = queue.shift();
    if (queue.length > 0) queues.set(name, queue);
    waiting -= 1;
    place?.turn();
  };
  return {
    /** Does `work` with a permit. Throws what `refusal` gives where too many wait. */
    run: async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      await acquire(name);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
};

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
