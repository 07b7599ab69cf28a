import { within } from '../kernel/timeLimit.ts';
import type { Metrics } from './metrics.ts';
import type { StoreMetrics } from './storeMetrics.ts';

const LIMIT_MS = 2_000;

/**
 * Gives the metrics in Prometheus' text form, with the figures of the stores when they come within two seconds (`limitMs`). `failed` hears of it
 * when they do not. One look at the stores serves all who ask meanwhile.
 */
export const createScrape = (
  metrics: Metrics,
  readStoreMetrics: () => Promise<StoreMetrics>,
  failed: (error: unknown) => void,
  limitMs = LIMIT_MS,
): (() => Promise<string>) => {
  let looking: Promise<StoreMetrics | null> | null = null;
  const look = (): Promise<StoreMetrics | null> => {
    looking ??= readStoreMetrics()
      .catch((error: unknown) => {
        failed(error);
        return null;
      })
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  return async () => metrics.expose(await within(look(), limitMs, () => null));
};
