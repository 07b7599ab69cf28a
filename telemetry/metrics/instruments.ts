import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What figures are kept in: each is named and explained where it is made, and told in Prometheus' text form by `text`. */
export type Instruments = ReturnType<typeof createInstruments>;

/** Instruments of one process, with the usual figures of the process itself. Labels are names of ours, never what clients send. */
export const createInstruments = () => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    counter: <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
      new Counter({ name, help, labelNames: [...labelNames], registers }),
    gauge: <L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> =>
      new Gauge({ name, help, labelNames: [...labelNames], registers }),
    histogram: <L extends string>(
      name: string,
      help: string,
      buckets: readonly number[],
      labelNames: readonly L[] = [],
    ): Histogram<L> =>
      new Histogram({ name, help, buckets: [...buckets], labelNames: [...labelNames], registers }),
    text: (): Promise<string> => registry.metrics(),
  };
};

/** Buckets for what takes milliseconds, in seconds. */
export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Buckets for what may take a minute. */
export const LONG_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120];
