import type { ChildLimits, Tick } from './messages.ts';

type TimeLimits = Pick<ChildLimits, 'stepCpuMs' | 'otherCpuMs'>;

/**
 * Keeps account of a child's processor time, which `now` gives in ms: one step may take `stepCpuMs`, twice that once text was read on its page, and all steps of a job but pages on which text was
 * read `otherCpuMs` together.
 */
export const createBudget = ({ stepCpuMs, otherCpuMs }: TimeLimits, now: () => number) => {
  let step = now();
  let other = 0;
  let isRead = false;
  let isBusy = false;
  const since = (): number => now() - step;
  return {
    tick: (tick: Tick): void => {
      if (tick === 'read') {
        isRead = true;
        return;
      }
      other = tick === 'job' ? 0 : other + (isRead ? 0 : since());
      step = now();
      isRead = false;
      isBusy = tick !== 'idle';
    },
    /** Whether what is under way has taken more than it may. */
    isSpent: (): boolean =>
      isBusy && (since() > (isRead ? 2 : 1) * stepCpuMs || (!isRead && other + since() > otherCpuMs)),
  };
};
