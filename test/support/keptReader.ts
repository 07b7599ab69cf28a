import { type Child, type OnRead, startChild } from '../../processing/engine/childProcess.ts';
import type { Limits } from '../../processing/engine/messages.ts';
import { atEnd } from '../harness.ts';

type Kept = { readonly child: Child; onRead: OnRead };

/** Those that nobody uses, by their limits. */
const free = new Map<string, Kept[]>();

/**
 * A process that reads files, as `startChild` gives, for the services of this process one after another: to
 * start one takes longer than most tests. One that is stopped idle waits for the next service, and ends with
 * this process.
 */
export const keptReader = (limits: Limits, onRead: OnRead = () => undefined): Child => {
  const others = freeOf(JSON.stringify(limits));
  const kept = others.pop() ?? start(limits);
  kept.onRead = onRead;
  const { child } = kept;
  let running = 0;
  return {
    ...child,
    run: async (job, signal) => {
      running += 1;
      try {
        return await child.run(job, signal);
      } finally {
        running -= 1;
      }
    },
    stop: async () => {
      if (running > 0 || !child.alive()) await child.stop();
      else others.push(kept);
    },
  };
};

const start = (limits: Limits): Kept => {
  const kept: Kept = { child: startChild(limits, (times) => kept.onRead(times)), onRead: () => undefined };
  return kept;
};

const freeOf = (limits: string): Kept[] => {
  const known = free.get(limits);
  if (known) return known;
  const others: Kept[] = [];
  free.set(limits, others);
  atEnd(async () => {
    for (const { child } of others) await child.stop();
  });
  return others;
};
