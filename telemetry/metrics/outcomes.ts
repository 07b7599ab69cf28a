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

/** What an event tells of an attempt to deliver a webhook, null for any other event. */
export const attemptOutcome = (event: Event): AttemptOutcome | null => {
  if (event.type !== 'WebhookAttempted') return null;
  const { attempt, error, nextAttemptAt, durationMs } = (
    event as EventOf<WebhookDeliveryEvent, 'WebhookAttempted'>
  ).data;
  const result = error === null ? 'delivered' : nextAttemptAt === null ? 'failed' : 'retried';
  return { attempt, result, durationMs };
};

/** What an event tells of an attempt to sync approved data: what came of it; null for any other event. */
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

/** What an event tells of a round of processing: the status it ended in, `delayed` or `dropped`; null for any other event. */
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
