import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from './clock.ts';
import type { Figures } from './figures.ts';
import type { Measures } from './measures.ts';
import { attemptOutcome, processingOutcome } from './outcomes.ts';

/** The figures of this process, and what it is told of the stores, for Prometheus to read. */
export type Metrics = Readonly<{
  measures: Measures;
  contentType: string;
  /** Everything in Prometheus' text form. `figures` are those of the stores, null when they could not be had in time. */
  expose(figures: Figures | null): Promise<string>;
}>;

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LONG_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120];

/** Every metric is named, explained and labelled here or in `storeGauges`: labels are names of ours, never what clients send. */
export const createMetrics = (clock: Clock): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const stores = storeGauges(registry);
  const leases = leaseGauge(registry, clock);
  const unread = counterIn(registry)(
    'intake_scrape_failures_total',
    'Scrapes without the figures of the stores',
  );
  return {
    measures: { ...requestMeasures(registry), ...logMeasures(registry), held: leases.held },
    contentType: registry.contentType,
    expose: (figures) => {
      if (figures === null) unread.inc();
      stores.show(figures);
      leases.show();
      return registry.metrics();
    },
  };
};

const counterIn =
  (registry: Registry) =>
  <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });

const histogramIn =
  (registry: Registry) =>
  <L extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    labelNames: readonly L[] = [],
  ): Histogram<L> =>
    new Histogram({ name, help, buckets: [...buckets], labelNames: [...labelNames], registers: [registry] });

const METHODS = ['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PUT', 'PATCH'];

const requestMeasures = (registry: Registry): Pick<Measures, 'answered'> => {
  const requests = counterIn(registry)(
    'intake_http_requests_total',
    'Requests answered; endpoint `none`: no endpoint of ours',
    ['endpoint', 'method', 'status'],
  );
  const duration = histogramIn(registry)(
    'intake_http_request_duration_seconds',
    'From the first look at a request to its answer, in seconds',
    SECONDS,
    ['endpoint'],
  );
  return {
    answered: ({ endpoint: name, method: sent, status, durationMs }) => {
      const endpoint = name ?? 'none';
      const method = sent === null ? 'none' : METHODS.includes(sent) ? sent : 'other';
      requests.inc({ endpoint, method, status });
      if (durationMs !== null) duration.observe({ endpoint }, durationMs / 1_000);
    },
  };
};

/** Attempts beyond these, of deliveries that were asked for again and again, count as one. */
const ATTEMPTS = 8;

const logMeasures = (
  registry: Registry,
): Pick<Measures, 'appended' | 'conflicted' | 'examined' | 'unseen'> => {
  const counter = counterIn(registry);
  const histogram = histogramIn(registry);
  const appends = counter('intake_appends_total', 'Appends that were stored');
  const events = counter('intake_events_appended_total', 'Events stored, by type', ['type']);
  const duration = histogram('intake_append_duration_seconds', 'From the call to the disk, in seconds', [
    0.0005,
    0.001,
    ...SECONDS,
  ]);
  const conflicts = counter('intake_append_conflicts_total', 'Appends that another writer was quicker than');
  const attempts = counter('intake_webhook_attempts_total', 'Attempts of webhooks by result', [
    'result',
    'attempt',
  ]);
  const sending = histogram(
    'intake_webhook_attempt_duration_seconds',
    'What an attempt took, in seconds',
    SECONDS,
    ['result'],
  );
  const unseen = counter(
    'intake_webhooks_unseen_total',
    'First attempts before the read models showed the event',
  );
  const results = counter('intake_processing_results_total', 'Ends of processing by result', ['result']);
  const processing = histogram(
    'intake_processing_duration_seconds',
    'Fetching and reading the files of a submission, in seconds',
    LONG_SECONDS,
  );
  return {
    appended: (added, durationMs) => {
      appends.inc();
      duration.observe(durationMs / 1_000);
      for (const event of added) {
        events.inc({ type: event.type });
        const tried = attemptOutcome(event);
        if (tried) {
          const { attempt, result } = tried;
          attempts.inc({ result, attempt: attempt > ATTEMPTS ? 'more' : attempt });
          sending.observe({ result }, tried.durationMs / 1_000);
        }
        const result = processingOutcome(event);
        if (result) results.inc({ result });
      }
    },
    conflicted: () => conflicts.inc(),
    examined: (durationMs) => processing.observe(durationMs / 1_000),
    unseen: () => unseen.inc(),
  };
};

const leaseGauge = (registry: Registry, clock: Clock) => {
  const gauge = gaugeIn(registry)('intake_leases_held', 'Leases that this process holds, by kind', ['lease']);
  const kinds = new Set<string>();
  const held = new Map<string, number>();
  return {
    held: (lease: string, until: number | null): void => {
      if (until === null) held.delete(lease);
      else held.set(lease, until);
    },
    show: (): void => {
      const now = clock.now().getTime();
      // One whose end nobody told of: its holder could not reach the store.
      for (const [lease, until] of held) if (until < now) held.delete(lease);
      for (const lease of held.keys()) kinds.add(kindOf(lease));
      for (const kind of kinds) {
        const ofKind = [...held.keys()].filter((lease) => kindOf(lease) === kind);
        gauge.set({ lease: kind }, ofKind.length);
      }
    },
  };
};

/** Leases are named `projections`, `reactor:<name>`, `<queue>/<id>`. */
const kindOf = (lease: string): string => lease.split(/[:/]/)[0] ?? lease;

const gaugeIn =
  (registry: Registry) =>
  <L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });

/** Gauges of the stores show nothing rather than what was true once. */
const storeGauges = (registry: Registry) => {
  const gauge = gaugeIn(registry);
  const lagSeconds = gauge(
    'intake_projection_lag_seconds',
    'Age of the oldest event that a read model does not show',
    ['projection'],
  );
  const lagEvents = gauge(
    'intake_projection_lag_events',
    'Events that a read model does not show yet, counted up to 200',
    ['projection'],
  );
  const reactorSeconds = gauge(
    'intake_reactor_lag_seconds',
    'Age of the oldest event that a reactor has not answered',
    ['reactor'],
  );
  const quarantined = gauge(
    'intake_quarantined_documents',
    'Documents that stand still since their projection threw on an event, counted up to 1000',
    ['projection'],
  );
  const setAside = gauge('intake_reactions_set_aside', 'Reactions that were given up, counted up to 1000', [
    'reactor',
  ]);
  const items = gauge('intake_queue_items', 'Work that waits, due or not, counted up to 10000', ['queue']);
  const due = gauge(
    'intake_queue_due_items',
    'Work that is due, also what is under way, counted up to 10000',
    ['queue'],
  );
  const oldest = gauge('intake_queue_oldest_due_seconds', 'How long the oldest due work has been due', [
    'queue',
  ]);
  const all = [lagSeconds, lagEvents, reactorSeconds, quarantined, setAside, items, due, oldest];
  const show = (figures: Figures | null): void => {
    for (const one of all) one.reset();
    for (const [projection, { seconds, events }] of Object.entries(figures?.projections ?? {})) {
      lagSeconds.set({ projection }, seconds);
      lagEvents.set({ projection }, events);
    }
    for (const [reactor, { seconds }] of Object.entries(figures?.reactors ?? {}))
      reactorSeconds.set({ reactor }, seconds);
    for (const { queue, ...of } of figures?.queues ?? []) {
      items.set({ queue }, of.items);
      due.set({ queue }, of.due);
      oldest.set({ queue }, of.oldestDueSeconds);
    }
    for (const [projection, count] of Object.entries(figures?.quarantined ?? {}))
      quarantined.set({ projection }, count);
    for (const [reactor, count] of Object.entries(figures?.setAside ?? {})) setAside.set({ reactor }, count);
  };
  return { show };
};
