import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets calls go on together: the first one waits `ms`, and all that come in that time end with it. What they
 * then do shares commits.
 */
export const createGathering = (ms: number): (() => Promise<void>) => {
  let gathering: Promise<void> | null = null;
  return () => {
    gathering ??= sleep(ms).then(() => {
      gathering = null;
    });
    return gathering;
  };
};
