import { shared } from '../kernel/once.ts';
import { within } from '../kernel/timeLimit.ts';
import type { Metrics } from './metrics.ts';
import type { StoreMetrics } from './storeMetrics.ts';

const LIMIT_MS = 2_000;

/**
 * Gives the metrics in Prometheus' text form, with those of the stores when they can be read within two
 * seconds (`limitMs`); `onFailed` is called when reading fails. Scrapes at the same time share one reading.
 */
export const createScrape = (
  metrics: Metrics,
  readStoreMetrics: () => Promise<StoreMetrics>,
  onFailed: (error: unknown) => void,
  limitMs = LIMIT_MS,
): (() => Promise<string>) => {
  const read = shared(() =>
    readStoreMetrics().catch((error: unknown) => {
      onFailed(error);
      return null;
    }),
  );
  return async () => metrics.expose(await within(read(), limitMs, () => null));
};
