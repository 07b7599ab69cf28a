import { aggregates } from '../../domain/aggregates.ts';
import { processedStatuses, transitions } from '../../domain/submission/transitions.ts';
import { allProjections } from '../../projections/all.ts';

type Kind = 'counter' | 'gauge' | 'histogram';

/** All values of labels. */
export type LabelValues<L extends string = string> = Readonly<Record<L, readonly string[]>>;

/**
 * A metric. Labels are fixed names, or slugs of workflows up to a number, never client input.
 * docs/operating.md shows `help` (Markdown).
 */
export type Metric<K extends Kind = Kind, L extends string = string> = Readonly<{
  kind: K;
  help: string;
  labels: readonly L[];
  /** Of a counter whose labels have closed lists of values: it has all its series from the start, at 0. */
  values?: LabelValues<L>;
  /** Upper bounds of a histogram, in seconds. */
  buckets?: readonly number[];
}>;

const counter = <L extends string = never>(help: string, ...labels: readonly L[]): Metric<'counter', L> => ({
  ...{ kind: 'counter', help, labels },
});

/** A counter whose labels have no other values than these. */
const closedCounter = <const V extends LabelValues>(
  help: string,
  values: V,
): Metric<'counter', keyof V & string> & Readonly<{ values: V }> => ({
  ...{ kind: 'counter', help, labels: Object.keys(values), values },
});

const gauge = <L extends string = never>(help: string, ...labels: readonly L[]): Metric<'gauge', L> => ({
  ...{ kind: 'gauge', help, labels },
});

const histogram = <L extends string = never>(
  buckets: readonly number[],
  help: string,
  ...labels: readonly L[]
): Metric<'histogram', L> => ({ kind: 'histogram', help, labels, buckets });

/** For what takes milliseconds. */
export const SHORT = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** For what may take a minute. */
const LONG = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120];

/** How an attempt ends at something that is tried again; `success` where it does not fail. */
const attemptResults = <S extends string>(success: S) => [success, 'retried', 'failed'] as const;

/** Attempts beyond these, of deliveries that were requested again and again, share a label. */
const ATTEMPTS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;

/** The label of an attempt, counted from 1. */
export const attemptLabel = (attempt: number) => ATTEMPTS[attempt - 1] ?? 'more';

/** Workflows beyond so many of a process share a label. */
const MAX_WORKFLOWS = 50;

/** Gives the label of a workflow, which keeps it until the process ends. */
export const workflowLabels = (): ((slug: string) => string) => {
  const known = new Set<string>();
  return (slug) => {
    if (known.size < MAX_WORKFLOWS) known.add(slug);
    return known.has(slug) ? slug : 'other';
  };
};

/** In what a round of processing ends. */
const processingResults = [
  ...transitions.processing.filter((status) => processedStatuses.includes(status)),
  ...(['delayed', 'dropped'] as const),
];

/** The process's own counters, gauges and histograms. */
export const processMetrics = {
  intake_http_requests_total: counter(
    'requests answered; endpoint `none`: an unknown path, or bytes that are not HTTP',
    ...(['endpoint', 'method', 'status'] as const),
  ),
  intake_http_request_duration_seconds: histogram(
    SHORT,
    'from the arrival of a request to its answer; a POST includes the wait until its events can be read',
    'endpoint',
  ),
  intake_appends_total: counter('appends that were stored'),
  intake_events_appended_total: closedCounter('events stored', {
    type: aggregates.flatMap(({ events }) => Object.keys(events)),
  }),
  intake_append_duration_seconds: histogram([0.0005, 0.001, ...SHORT], 'from the call to the disk'),
  intake_append_conflicts_total: counter(
    'appends that lost a race to another writer; each was decided again',
  ),
  intake_processing_results_total: closedCounter(
    'rounds of processing by what they ended in: a submission status, `delayed` (will be tried again) or `dropped` (cancelled during processing)',
    { result: processingResults },
  ),
  intake_processing_duration_seconds: histogram(LONG, 'fetching and reading a submission’s files'),
  intake_processing_step_duration_seconds: histogram(
    LONG,
    'its steps, also where they were cut short: `fetch` (downloading the files), `open` (decoding, preparing pictures), `recognise` (OCR), `understand` (finding the fields), `elsewhere` (waiting for an `http` extractor), `fraud` (the fraud checks)',
    'step',
  ),
  intake_processing_pages_total: counter('pages that were read; its rate is pages a second'),
  intake_approved_values_total: counter(
    `values of live data that people approved: \`right\` as they were read, \`corrected\`, \`corrected_sure\` (although no reason of the review named the field); by the slug of the workflow, those beyond the ${MAX_WORKFLOWS}th of a process are \`other\``,
    ...(['workflow', 'result'] as const),
  ),
  intake_near_duplicate_pairs_left_total: counter(
    'pairs of pages that were not compared for near duplicates, as a check may take five seconds of processor time (or what is kept of a page is broken)',
  ),
  intake_processing_running: gauge('submissions that this process reads now'),
  intake_processing_slots: gauge(
    'how many it reads at once at the most (`WORKERS`): both equal for long, and more workers would help',
  ),
  intake_webhook_attempts_total: closedCounter(
    'attempts of webhooks: `delivered`, `retried` (failed, and will be tried again), `failed` (for good), `not_sent` (nothing could be sent: the endpoint is disabled or deleted, a secret is missing, the body is no longer kept); attempts beyond 8 are `more`',
    { result: [...attemptResults('delivered'), 'not_sent'], attempt: [...ATTEMPTS, 'more'] },
  ),
  intake_webhook_attempt_duration_seconds: histogram(SHORT, 'duration of an attempt', 'result'),
  intake_sync_attempts_total: closedCounter(
    'attempts to send approved data on: `synced`, `retried` (failed, and will be tried again), `failed` (given up)',
    { result: attemptResults('synced') },
  ),
  intake_mail_attempts_total: closedCounter(
    'attempts to mail the link of an invitation, or the notice that an endpoint was disabled: `mailed`, `retried` (failed, and will be tried again), `failed` (given up)',
    { mail: ['invitation', 'notice'], result: attemptResults('mailed') },
  ),
  intake_endpoints_disabled_total: counter(
    'webhook endpoints that the service has disabled, since nothing was delivered to them for `ENDPOINT_DISABLE_AFTER`',
  ),
  intake_webhooks_unseen_total: counter(
    'first attempts that went out although the read models did not show their event within five seconds',
  ),
  intake_projection_events_total: closedCounter('events that a read model has folded in this process', {
    projection: allProjections.map(({ name }) => name),
  }),
  intake_clock_set_total: closedCounter(
    'times that the machine’s clock was set by more than two seconds, `back` or `forward`',
    { direction: ['back', 'forward'] },
  ),
  intake_leases_held: gauge(
    'leases that this process holds: `projections`, `reactor`, `sweep`, and work under way by queue',
    'lease',
  ),
  intake_part_away: gauge(
    '1 while `events`, `documents` or `objects` was unavailable at this process’s last call or probe, else 0',
    'part',
  ),
  intake_uploads_removed_total: counter(
    'uploads of ended sessions, removed from the object store by the sweep',
  ),
  intake_retention_redactions_total: counter(
    'submissions, and sessions that were never submitted, whose redaction the sweep requested by the retention of their company',
  ),
  intake_retention_items: gauge(
    'what was due by retention after the last sweep of this process, of the companies that enforce it: `due`, and what a legal hold alone keeps (`held`); counted up to 10,000 a company. 0 where another process sweeps',
    'state',
  ),
  intake_scrape_failures_total: counter('scrapes without the gauges of the stores'),
} as const;

/** Of the whole service: gauges with one label each, read from the stores at each scrape. */
export const storeGauges = {
  intake_projection_lag_seconds: gauge(
    'age of the oldest event that a read model does not show',
    'projection',
  ),
  intake_projection_lag_events: gauge('events that it does not show, counted up to 200', 'projection'),
  intake_projection_position: gauge(
    'its position in the log: rows of the embedded log, bytes of EventStoreDB',
    'projection',
  ),
  intake_projection_version: gauge('the version of the read model that serves', 'projection'),
  intake_reactor_lag_seconds: gauge('age of the oldest event that a reactor has not answered yet', 'reactor'),
  intake_quarantined_documents: gauge(
    'documents that are quarantined because their projection threw, counted up to 1,000',
    'projection',
  ),
  intake_parked_events: gauge(
    'events of a type or version that this release does not support, skipped by the read models, counted up to 1,000; types beyond the 20th are `other`',
    'type',
  ),
  intake_reactions_set_aside: gauge(
    'reactions that were given up after five minutes, counted up to 1,000',
    'reactor',
  ),
  intake_queue_items: gauge(
    'submissions that wait for processing (`processing`), webhooks (`deliveries`), approved data (`syncs`) and mails of invitations (`mails`) that wait for an attempt; due or not, counted up to 10,000',
    'queue',
  ),
  intake_queue_due_items: gauge('those of them that are due, also what is under way', 'queue'),
  intake_queue_oldest_due_seconds: gauge('for how long the oldest of them has been due', 'queue'),
} as const;

export type StoreGauge = keyof typeof storeGauges;
