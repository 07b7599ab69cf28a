import type { Event } from '../../kernel/event.ts';
import type { Measures } from '../recorder.ts';
import { type Instruments, SECONDS } from './instruments.ts';
import { attemptOutcome, processingOutcome, syncOutcome } from './outcomes.ts';

/** Appends, and what the events that they store tell of webhooks and processing. */
export const logMeasures = (
  instruments: Instruments,
): Pick<Measures, 'appended' | 'conflicted' | 'unseen'> => {
  const { counter, histogram } = instruments;
  const appends = counter('intake_appends_total', 'Appends that were stored');
  const events = counter('intake_events_appended_total', 'Events stored, by type', ['type']);
  const duration = histogram('intake_append_duration_seconds', 'From the call to the disk, in seconds', [
    0.0005,
    0.001,
    ...SECONDS,
  ]);
  const conflicts = counter('intake_append_conflicts_total', 'Appends that another writer was quicker than');
  const webhooks = webhookMeasures(instruments);
  const results = counter('intake_processing_results_total', 'Ends of processing by result', ['result']);
  const syncs = syncMeasures(instruments);
  return {
    appended: (added, durationMs) => {
      appends.inc();
      duration.observe(durationMs / 1_000);
      for (const event of added) {
        events.inc({ type: event.type });
        webhooks.count(event);
        const result = processingOutcome(event);
        if (result !== null) results.inc({ result });
        // A forced one (test mode) is stored together with what led to it: nothing was sent.
        if (added.length === 1) syncs.count(event);
      }
    },
    conflicted: () => conflicts.inc(),
    unseen: webhooks.unseen,
  };
};

/** Attempts beyond these, of deliveries that were asked for again and again, count as one. */
const ATTEMPTS = 8;

const webhookMeasures = ({ counter, histogram }: Instruments) => {
  const attempts = counter('intake_webhook_attempts_total', 'Attempts of webhooks by result', [
    'result',
    'attempt',
  ]);
  const duration = histogram(
    'intake_webhook_attempt_duration_seconds',
    'What an attempt took, in seconds',
    SECONDS,
    ['result'],
  );
  const unseen = counter(
    'intake_webhooks_unseen_total',
    'First attempts before the read models showed the event',
  );
  const count = (event: Event): void => {
    const outcome = attemptOutcome(event);
    if (outcome === null) return;
    const { attempt, result, durationMs } = outcome;
    attempts.inc({ result, attempt: attempt > ATTEMPTS ? 'more' : attempt });
    duration.observe({ result }, durationMs / 1_000);
  };
  return { count, unseen: () => unseen.inc() };
};

const syncMeasures = ({ counter }: Instruments) => {
  const attempts = counter('intake_sync_attempts_total', 'Attempts to sync approved data by result', [
    'result',
  ]);
  const count = (event: Event): void => {
    const result = syncOutcome(event);
    if (result !== null) attempts.inc({ result });
  };
  return { count };
};
