import type { Counts } from '../../schemas/reviewQueue.ts';
import { scopeNow } from './api.ts';
import { createOwnStore } from './session.ts';
import { useStore } from './store.ts';

/** What waits for a review, as it was read last, of one company and mode. */
const last = createOwnStore<Readonly<{ of: string; counts: Counts }> | null>(null);

const here = (): string => JSON.stringify(scopeNow());

/** It was read. */
export const rememberWaiting = (counts: Counts): void => last.set({ of: here(), counts });

/** What waits in the company and mode of the address; null where nobody has read it. */
export const useWaiting = (): Counts | null => {
  const read = useStore(last);
  return read?.of === here() ? read.counts : null;
};
