import type { Clock } from '../kernel/clock.ts';
import { createInstruments } from './metrics/instruments.ts';
import { leaseGauge } from './metrics/leases.ts';
import { logMeasures } from './metrics/log.ts';
import { processingMeasures } from './metrics/processing.ts';
import { requestMeasures } from './metrics/requests.ts';
import { storeGauges } from './metrics/stores.ts';
import type { Measures } from './recorder.ts';
import type { Figures } from './storeMetrics.ts';

/** The figures of this process, and what it is told of the stores, for Prometheus to read. */
export type Metrics = Readonly<{
  measures: Measures;
  /** Everything in Prometheus' text form. `figures` are those of the stores, null when they could not be had in time. */
  expose(figures: Figures | null): Promise<string>;
}>;

/** Counts what it is told by `measures` (docs/operating.md explains each metric). */
export const createMetrics = (clock: Clock): Metrics => {
  const instruments = createInstruments();
  const stores = storeGauges(instruments);
  const leases = leaseGauge(instruments, clock);
  const parts = instruments.gauge(
    'intake_part_away',
    '1 while a part of the service could not be used by this process when it looked last, else 0',
    ['part'],
  );
  const projected = instruments.counter(
    'intake_projection_events_total',
    'Events that a read model has taken in, in this process: its rate is that of the read model',
    ['projection'],
  );
  const uploads = instruments.counter(
    'intake_uploads_removed_total',
    'Uploads of sessions that are over, removed from the object store by the sweep',
  );
  const jumps = instruments.counter(
    'intake_clock_set_total',
    'Times that the machine’s clock was set by more than two seconds',
    ['direction'],
  );
  const unread = instruments.counter(
    'intake_scrape_failures_total',
    'Scrapes without the figures of the stores',
  );
  return {
    measures: {
      ...requestMeasures(instruments),
      ...logMeasures(instruments),
      ...processingMeasures(instruments),
      projected: (projection, events) => projected.inc({ projection }, events),
      held: leases.held,
      uploadsRemoved: (count) => uploads.inc(count),
      clockSet: (direction) => jumps.inc({ direction }),
      away: (part, isAway) => parts.set({ part }, isAway ? 1 : 0),
    },
    expose: (figures) => {
      if (figures === null) unread.inc();
      stores.show(figures);
      leases.show();
      return instruments.text();
    },
  };
};
