import type { Clock } from '../kernel/clock.ts';
import type { Event } from '../kernel/event.ts';
import { createHeldLeases } from './metrics/heldLeases.ts';
import { createInstruments, type Instruments } from './metrics/instruments.ts';
import { attemptOutcome, processingOutcome, syncOutcome } from './metrics/outcomes.ts';
import type { Recorder } from './recorder.ts';
import type { StoreMetrics } from './storeMetrics.ts';

/** The metrics of this process and of the stores, for Prometheus to scrape. */
export type Metrics = Readonly<{
  recorder: Recorder;
  /** Everything in Prometheus' text form. Null: the metrics of the stores could not be read in time. */
  expose(stores: StoreMetrics | null): Promise<string>;
}>;

/** Counts what `recorder` is given (metrics/table.ts has each metric). */
export const createMetrics = (clock: Clock): Metrics => {
  const { instruments, showStores, text } = createInstruments();
  const leases = createHeldLeases(instruments, clock);
  return {
    recorder: { ...recorderOf(instruments), held: leases.held },
    expose: (stores) => {
      if (stores === null) instruments.intake_scrape_failures_total.inc();
      showStores(stores);
      leases.show();
      return text();
    },
  };
};

const METHODS = ['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PUT', 'PATCH'];

const recorderOf = (instruments: Instruments): Omit<Recorder, 'held'> => ({
  answered: ({ endpoint: name, method: sent, status, durationMs }) => {
    const endpoint = name ?? 'none';
    const method = sent === null ? 'none' : METHODS.includes(sent) ? sent : 'other';
    instruments.intake_http_requests_total.inc({ endpoint, method, status });
    if (durationMs !== null)
      instruments.intake_http_request_duration_seconds.observe({ endpoint }, durationMs / 1_000);
  },
  appended: (events, durationMs) => {
    instruments.intake_appends_total.inc();
    instruments.intake_append_duration_seconds.observe(durationMs / 1_000);
    for (const event of events) countEvent(instruments, event, events.length === 1);
  },
  conflicted: () => instruments.intake_append_conflicts_total.inc(),
  examined: (durationMs) => instruments.intake_processing_duration_seconds.observe(durationMs / 1_000),
  stepTaken: (step, durationMs) =>
    instruments.intake_processing_step_duration_seconds.observe({ step }, durationMs / 1_000),
  pagesRead: (count) => instruments.intake_processing_pages_total.inc(count),
  pairsSkipped: (count) => instruments.intake_near_duplicate_pairs_left_total.inc(count),
  processing: (running, slots) => {
    instruments.intake_processing_running.set(running);
    instruments.intake_processing_slots.set(slots);
  },
  unseen: () => instruments.intake_webhooks_unseen_total.inc(),
  projected: (projection, events) => instruments.intake_projection_events_total.inc({ projection }, events),
  uploadsRemoved: (count) => instruments.intake_uploads_removed_total.inc(count),
  clockSet: (direction) => instruments.intake_clock_set_total.inc({ direction }),
  unavailable: (part, isUnavailable) => instruments.intake_part_away.set({ part }, isUnavailable ? 1 : 0),
});

/** Attempts beyond these, of deliveries that were requested again and again, share a label. */
const ATTEMPTS = 8;

const countEvent = (instruments: Instruments, event: Event, isAlone: boolean): void => {
  instruments.intake_events_appended_total.inc({ type: event.type });
  const webhook = attemptOutcome(event);
  if (webhook !== null) {
    const { attempt, result, durationMs } = webhook;
    instruments.intake_webhook_attempts_total.inc({ result, attempt: attempt > ATTEMPTS ? 'more' : attempt });
    instruments.intake_webhook_attempt_duration_seconds.observe({ result }, durationMs / 1_000);
  }
  const processed = processingOutcome(event);
  if (processed !== null) instruments.intake_processing_results_total.inc({ result: processed });
  // A forced one (test mode) is stored together with what led to it: nothing was sent.
  const synced = isAlone ? syncOutcome(event) : null;
  if (synced !== null) instruments.intake_sync_attempts_total.inc({ result: synced });
};
