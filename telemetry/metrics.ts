import type { InvitationEvent } from '../domain/invitation.ts';
import type { ProcessingEvent } from '../domain/submission/processing.ts';
import type { ResultEvent } from '../domain/submission/result.ts';
import type { SyncEvent } from '../domain/submission/sync.ts';
import type { WebhookDeliveryEvent } from '../domain/webhookDeliveryEvents.ts';
import type { WebhookEndpointEvent } from '../domain/webhookEndpoint.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Event, EventOf } from '../kernel/event.ts';
import { approvedValues } from './approvedValues.ts';
import type { Totals } from './figures.ts';
import { createInstruments, type Instruments } from './metrics/instruments.ts';
import { attemptLabel, SHORT } from './metrics/table.ts';
import type { Recorder } from './recorder.ts';
import { LONG_POLLS, ROUTINE } from './requestObserver.ts';
import type { StoreMetrics } from './storeMetrics.ts';

export type Metrics = Readonly<ReturnType<typeof createMetrics>>;

/** The metrics of this process, which count what `recorder` is given (metrics/table.ts has each metric). */
export const createMetrics = (clock: Clock) => {
  const { instruments, showStores, text } = createInstruments();
  const leases = createHeldLeases(instruments, clock);
  return {
    recorder: {
      ...recorderOf(instruments),
      checked: approvedValues(instruments),
      held: leases.held,
    } satisfies Recorder,
    /** What this process has counted since its start. */
    totals: () => totalsOf(instruments),
    /**
     * Everything in Prometheus' text form, with the metrics of the stores; null: these could not be read in
     * time.
     */
    expose: (stores: StoreMetrics | null): Promise<string> => {
      if (stores === null) instruments.intake_scrape_failures_total.inc();
      showStores(stores);
      leases.show();
      return text();
    },
  };
};

const METHODS = ['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PUT', 'PATCH'];

const recorderOf = (instruments: Instruments): Omit<Recorder, 'held' | 'checked'> => ({
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
  redactedByRetention: (count) => instruments.intake_retention_redactions_total.inc(count),
  retentionDue: (counts) => {
    for (const [state, count] of Object.entries(counts))
      instruments.intake_retention_items.set({ state }, count);
  },
  clockSet: (direction) => instruments.intake_clock_set_total.inc({ direction }),
  unavailable: (part, isUnavailable) => instruments.intake_part_away.set({ part }, isUnavailable ? 1 : 0),
});

type Counted =
  | ProcessingEvent
  | ResultEvent
  | SyncEvent
  | WebhookDeliveryEvent
  | WebhookEndpointEvent
  | InvitationEvent;

const countEvent = (instruments: Instruments, event: Event, isAlone: boolean): void => {
  instruments.intake_events_appended_total.inc({ type: event.type });
  const counts: Readonly<Record<string, Count<Event> | null>> = countsOf;
  counts[event.type]?.(instruments, event, isAlone);
};

/** Counts an event. Loosely typed in it, as a fold of events is. */
type Count<E extends Event> = { count(instruments: Instruments, event: E, isAlone: boolean): void }['count'];

const processed: Count<EventOf<ResultEvent, 'SubmissionProcessed' | 'SubmissionProcessingFailed'>> = (
  instruments,
  { data },
) => instruments.intake_processing_results_total.inc({ result: data.to });

/** What is counted of each event beside its type; null: nothing. */
const countsOf: Readonly<{ [E in Counted as E['type']]: Count<E> | null }> = {
  SubmissionProcessed: processed,
  SubmissionProcessingFailed: processed,
  SubmissionProcessingDelayed: (instruments) =>
    instruments.intake_processing_results_total.inc({ result: 'delayed' }),
  SubmissionResultDropped: (instruments) =>
    instruments.intake_processing_results_total.inc({ result: 'dropped' }),
  // A forced sync (test mode) is stored together with what led to it: nothing was sent.
  SubmissionSynced: (instruments, _event, isAlone) => {
    if (isAlone) instruments.intake_sync_attempts_total.inc({ result: 'synced' });
  },
  SubmissionSyncFailed: (instruments, { data }, isAlone) => {
    if (isAlone) instruments.intake_sync_attempts_total.inc({ result: ofFailure(data) });
  },
  WebhookAttempted: (instruments, { data }) => countAttempt(instruments, data),
  WebhookEndpointDisabled: (instruments, { data }) => {
    if (data.reason === 'failures') instruments.intake_endpoints_disabled_total.inc();
  },
  InvitationMailed: (instruments) =>
    instruments.intake_mail_attempts_total.inc({ mail: 'invitation', result: 'mailed' }),
  InvitationMailFailed: (instruments, { data }) =>
    instruments.intake_mail_attempts_total.inc({ mail: 'invitation', result: ofFailure(data) }),
  WebhookEndpointNoticeMailed: (instruments) =>
    instruments.intake_mail_attempts_total.inc({ mail: 'notice', result: 'mailed' }),
  WebhookEndpointNoticeFailed: (instruments, { data }) =>
    instruments.intake_mail_attempts_total.inc({ mail: 'notice', result: ofFailure(data) }),
  SubmissionProcessingStarted: null,
  SubmissionReprocessingRequested: null,
  SubmissionSyncRequested: null,
  WebhookRequested: null,
  WebhookDelivered: null,
  WebhookFailed: null,
  WebhookRedeliveryRequested: null,
  WebhookRedacted: null,
  WebhookEndpointCreated: null,
  WebhookEndpointChanged: null,
  WebhookEndpointSecretRotated: null,
  WebhookEndpointEnabled: null,
  WebhookEndpointDeleted: null,
  UserInvited: null,
  InvitationAccepted: null,
  InvitationRevoked: null,
  InvitationRedacted: null,
};

const ofFailure = ({ nextAttemptAt }: Readonly<{ nextAttemptAt: string | null }>) =>
  nextAttemptAt === null ? 'failed' : 'retried';

type Attempt = EventOf<WebhookDeliveryEvent, 'WebhookAttempted'>['data'];

const countAttempt = (
  instruments: Instruments,
  { attempt, error, notSent, nextAttemptAt, durationMs }: Attempt,
): void => {
  const failure = notSent ? 'not_sent' : ofFailure({ nextAttemptAt });
  const result = error === null ? 'delivered' : failure;
  instruments.intake_webhook_attempts_total.inc({ result, attempt: attemptLabel(attempt) });
  instruments.intake_webhook_attempt_duration_seconds.observe({ result }, durationMs / 1_000);
};

type Counts = Readonly<{ get(): Promise<Readonly<{ values: readonly Sample[] }>> }>;
type Sample = Readonly<{ value: number; labels: Readonly<Record<string, string | number | undefined>> }>;
type Passes = (labels: Sample['labels']) => boolean;

/** The sum of a counter's samples whose labels pass. */
const sumOf = async (counter: Counts, passes: Passes): Promise<number> => {
  const { values } = await counter.get();
  return values.reduce((sum, { value, labels }) => sum + (passes(labels) ? value : 0), 0);
};

/**
 * How many samples of a histogram whose labels pass are at most as large as each bound, and how many there
 * are.
 */
const durationsOf = (histogram: Counts, passes: Passes): Promise<readonly number[]> =>
  Promise.all(
    [...SHORT, '+Inf'].map((le) => sumOf(histogram, (labels) => labels.le === le && passes(labels))),
  );

const DECISIONS = ['SubmissionApproved', 'SubmissionRejected'];

const totalsOf = async (instruments: Instruments): Promise<Totals> => {
  const {
    intake_http_requests_total: answered,
    intake_http_request_duration_seconds: durations,
    intake_events_appended_total: events,
    intake_processing_results_total: results,
    intake_webhook_attempts_total: attempts,
  } = instruments;
  const isOfClients: Passes = ({ endpoint }) => !ROUTINE.includes(String(endpoint));
  const isAnsweredAtOnce: Passes = (labels) =>
    isOfClients(labels) && !LONG_POLLS.includes(String(labels.endpoint));
  return {
    requests: await sumOf(answered, isOfClients),
    problems: await sumOf(answered, (labels) => isOfClients(labels) && Number(labels.status) >= 500),
    submissions: await sumOf(events, ({ type }) => type === 'SessionSubmitted'),
    processed: await sumOf(results, ({ result }) => result !== 'delayed' && result !== 'dropped'),
    decided: await sumOf(events, ({ type }) => DECISIONS.includes(String(type))),
    deliveries: await sumOf(attempts, ({ result }) => result === 'delivered'),
    failedDeliveries: await sumOf(attempts, ({ result }) => result === 'retried' || result === 'failed'),
    durations: await durationsOf(durations, isAnsweredAtOnce),
  };
};

/** The leases that this process holds; `show` counts them by kind. */
const createHeldLeases = ({ intake_leases_held: gauge }: Instruments, clock: Clock) => {
  const kinds = new Set<string>();
  const ends = new Map<string, number>();
  return {
    held: (lease: string, until: number | null): void => {
      if (until === null) ends.delete(lease);
      else ends.set(lease, until);
    },
    show: (): void => {
      const now = clock.now().getTime();
      // One whose end was not reported: its holder could not reach the store.
      for (const [lease, until] of ends) if (until < now) ends.delete(lease);
      for (const lease of ends.keys()) kinds.add(kindOf(lease));
      for (const lease of kinds)
        gauge.set({ lease }, [...ends.keys()].filter((one) => kindOf(one) === lease).length);
    },
  };
};

/** Leases are named `projections`, `reactor:<name>`, `<queue>/<id>`. */
const kindOf = (lease: string): string => lease.split(/[:/]/)[0] ?? lease;
