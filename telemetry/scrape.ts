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
  let reading: Promise<StoreMetrics | null> | null = null;
  const read = (): Promise<StoreMetrics | null> => {
    reading ??= readStoreMetrics()
      .catch((error: unknown) => {
        onFailed(error);
        return null;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  return async () => metrics.expose(await within(read(), limitMs, () => null));
};
