import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { SyncEvent } from '../../domain/submission/sync.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDelivery.ts';
import type { Event, EventOf } from '../../kernel/event.ts';

/** An attempt of a webhook: what came of it, and how long it took in milliseconds. */
export type AttemptOutcome = Readonly<{
  attempt: number;
  result: 'delivered' | 'retried' | 'failed';
  durationMs: number;
}>;

/** The attempt to deliver a webhook that an event records; null for any other event. */
export const attemptOutcome = (event: Event): AttemptOutcome | null => {
  if (event.type !== 'WebhookAttempted') return null;
  const { attempt, error, nextAttemptAt, durationMs } = (
    event as EventOf<WebhookDeliveryEvent, 'WebhookAttempted'>
  ).data;
  const result = error === null ? 'delivered' : nextAttemptAt === null ? 'failed' : 'retried';
  return { attempt, result, durationMs };
};

/** The outcome of an attempt to sync approved data that an event records; null for any other event. */
export const syncOutcome = (event: Event): 'synced' | 'retried' | 'failed' | null => {
  const known = event as SyncEvent;
  switch (known.type) {
    case 'SubmissionSynced':
      return 'synced';
    case 'SubmissionSyncFailed':
      return known.data.nextAttemptAt === null ? 'failed' : 'retried';
    default:
      return null;
  }
};

/**
 * The outcome of a round of processing that an event records: a status, `delayed` or `dropped`; null for any
 * other event.
 */
export const processingOutcome = (event: Event): string | null => {
  const known = event as SubmissionEvent;
  switch (known.type) {
    case 'SubmissionProcessed':
    case 'SubmissionProcessingFailed':
      return known.data.to;
    case 'SubmissionProcessingDelayed':
      return 'delayed';
    case 'SubmissionResultDropped':
      return 'dropped';
    default:
      return null;
  }
};
