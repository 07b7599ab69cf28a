import type { Limits, Tick } from './messages.ts';

type TimeLimits = Pick<Limits, 'stepCpuMs' | 'otherCpuMs'>;

/** The processor time of this process, in ms. */
export const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Accounts for a child's processor time under its limits; `now` is that time in ms. */
export const createBudget = ({ stepCpuMs, otherCpuMs }: TimeLimits, now = cpuMs) => {
  let step = now();
  let other = 0;
  let isRead = false;
  let isBusy = false;
  const inStep = (): number => now() - step;
  return {
    tick: (tick: Tick): void => {
      if (tick === 'read') {
        isRead = true;
        return;
      }
      other = tick === 'job' ? 0 : other + (isRead ? 0 : inStep());
      step = now();
      isRead = false;
      isBusy = tick !== 'idle';
    },
    /** Whether the current job is over a limit. */
    isSpent: (): boolean =>
      isBusy && (inStep() > (isRead ? 2 : 1) * stepCpuMs || (!isRead && other + inStep() > otherCpuMs)),
  };
};
