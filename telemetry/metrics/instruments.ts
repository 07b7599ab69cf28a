import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { StoreMetrics } from '../storeMetrics.ts';
import { type LabelValues, type Metric, processMetrics, type StoreGauge, storeGauges } from './table.ts';

const table = { ...processMetrics, ...storeGauges } as const;

/** A counter that is given no other values of its labels than those of the table. */
type ClosedCounter<V extends LabelValues> = Omit<Counter<keyof V & string>, 'inc'> &
  Readonly<{ inc(labels: Readonly<{ [L in keyof V]: V[L][number] }>, value?: number): void }>;

type InstrumentOf<M> =
  M extends Readonly<{ kind: 'counter'; values: infer V extends LabelValues }>
    ? ClosedCounter<V>
    : M extends Metric<'counter', infer L>
      ? Counter<L>
      : M extends Metric<'histogram', infer L>
        ? Histogram<L>
        : M extends Metric<'gauge', infer L>
          ? Gauge<L>
          : never;

/** An instrument for each metric of the table, by its name. */
export type Instruments = Readonly<{ [N in keyof typeof table]: InstrumentOf<(typeof table)[N]> }>;

/**
 * The instruments of one process, beside the usual metrics of the process itself; `text` gives Prometheus'
 * text form.
 */
export const createInstruments = () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const made = Object.entries(table).map(([name, metric]) => [name, instrumentOf(name, metric, registry)]);
  const instruments = Object.fromEntries(made) as Instruments;
  return {
    instruments,
    /** Sets the gauges of the stores. Null: they are absent, and do not show what was true once. */
    showStores: (stores: StoreMetrics | null): void => {
      for (const name of Object.keys(storeGauges) as readonly StoreGauge[]) {
        const gauge: Gauge<string> = instruments[name];
        const [label = ''] = storeGauges[name].labels;
        gauge.reset();
        for (const [one, value] of Object.entries(stores?.[name] ?? {})) gauge.set({ [label]: one }, value);
      }
    },
    text: (): Promise<string> => registry.metrics(),
  };
};

const instrumentOf = (
  name: string,
  { kind, help, labels, values, buckets = [] }: Metric,
  registry: Registry,
) => {
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  switch (kind) {
    case 'counter':
      return counterFrom0(new Counter(common), values);
    case 'gauge':
      return new Gauge(common);
    case 'histogram':
      return new Histogram({ ...common, buckets: [...buckets] });
  }
};

/** Otherwise the first event of a series would be no increase to those who watch it (metrics-20). */
const counterFrom0 = (counter: Counter, values: LabelValues | undefined): Counter => {
  if (values) for (const labels of combined(Object.entries(values))) counter.inc(labels, 0);
  return counter;
};

/** Each combination of values. */
const combined = (
  labels: readonly (readonly [string, readonly string[]])[],
): readonly Readonly<Record<string, string>>[] =>
  labels.reduce<readonly Readonly<Record<string, string>>[]>(
    (some, [label, values]) => some.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
