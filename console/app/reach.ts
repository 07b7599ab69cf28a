import { base } from './router.ts';
import { createStore } from './store.ts';

/** Whether the service can be reached: it is asked from a request without its answer on until it answers. */
export const isReached = createStore(true);

const PAUSE_MS = 3_000;
const LIMIT_MS = 10_000;

/** Not all pages at once when the service is back. */
const askLater = (): unknown => setTimeout(ask, PAUSE_MS * (1 + Math.random()));

const ask = async (): Promise<void> => {
  const init = { cache: 'no-store', signal: AbortSignal.timeout(LIMIT_MS) } as const;
  const answer = await fetch(`${base}/api/auth/methods`, init).catch(() => null);
  if (answer && answer.status < 500) isReached.set(true);
  else askLater();
};

/** A request had no answer of the service. */
export const lost = (): void => {
  if (!isReached.get()) return;
  isReached.set(false);
  askLater();
};
