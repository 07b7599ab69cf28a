import { existsSync, readFileSync } from 'node:fs';
import { startChild } from '../../processing/engine/childProcess.ts';
import type { Limits } from '../../processing/engine/messages.ts';
import { createProcessor } from '../../processing/engine/processor.ts';

/** Whether the machine tells what processes take (Linux). */
export const tellsUsage = existsSync('/proc/self/stat');

/**
 * What children took: processor time in ms, the most memory that one had resident in bytes, and how many
 * there were.
 */
export type Usage = Readonly<{ cpuMs: number; memoryBytes: number; children: number }>;

const EVERY_MS = 15;
/** In which Linux counts processor time. */
const TICK_MS = 10;

/**
 * A processor of one child at a time, and what its children have taken so far: also those that were killed,
 * but for their last moments.
 */
export const watchedProcessor = (limits: Partial<Limits> = {}) => {
  const taken = new Map<number, Omit<Usage, 'children'>>();
  const look = (): void => {
    for (const pid of taken.keys()) taken.set(pid, usageOf(pid) ?? taken.get(pid) ?? NONE);
  };
  const processor = createProcessor({ concurrency: 1, ...limits }, (...given) => {
    const child = startChild(...given);
    taken.set(child.pid ?? 0, NONE);
    return child;
  });
  const timer = setInterval(look, EVERY_MS);
  return {
    ...processor,
    usage: (): Usage => {
      look();
      const all = [...taken.values()];
      return {
        cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
        memoryBytes: Math.max(0, ...all.map(({ memoryBytes }) => memoryBytes)),
        children: all.length,
      };
    },
    close: async (): Promise<void> => {
      clearInterval(timer);
      await processor.close();
    },
  };
};

const NONE = { cpuMs: 0, memoryBytes: 0 };

/** Null once the process has ended. */
const usageOf = (pid: number): typeof NONE | null => {
  const stat = told(pid, 'stat');
  const memory = /^VmHWM:\s+(\d+) kB/m.exec(told(pid, 'status'))?.[1];
  if (stat === '' || !memory) return null;
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return { cpuMs: (Number(user) + Number(system)) * TICK_MS, memoryBytes: Number(memory) * 1_024 };
};

const told = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
};
