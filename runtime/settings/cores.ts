import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * Where Linux says how much processor time a container may use: "200000 100000" are two cores, "max 100000"
 * all.
 */
const QUOTA = '/sys/fs/cgroup/cpu.max';

/**
 * How many cores this process may use: those of the machine that it may run on, or fewer where a container's
 * quota gives it less, which Node.js 20 ignores. At least one.
 */
export const coresOf = (
  cores: number = availableParallelism(),
  quota: string | null = readQuota(),
): number => {
  const [, used, period] = /^(\d+) (\d+)/.exec(quota ?? '') ?? [];
  const allowed = used && period ? Math.ceil(Number(used) / Number(period)) : cores;
  return Math.max(1, Math.min(cores, allowed));
};

const readQuota = (): string | null => {
  try {
    return readFileSync(QUOTA, 'utf8');
  } catch {
    return null; // no Linux, or no container
  }
};
