import type { BatchEvent } from '../domain/batch.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { webhookCauses } from '../domain/webhookEvents.ts';
import type { Recorded } from '../kernel/event.ts';
import type { Reactor } from './engine/reactor.ts';

/** Each event that causes a webhook gets its delivery, once: its stream must be new. */
export const requestDeliveries = (
  requestDelivery: (event: Recorded<SubmissionEvent | BatchEvent>) => Promise<void>,
): Reactor<SubmissionEvent | BatchEvent> => ({
  name: 'requestDeliveries',
  startFrom: 'origin',
  prefixes: ['submission-', 'batch-'],
  handles: Object.keys(webhookCauses) as readonly (keyof typeof webhookCauses)[],
  react: requestDelivery,
});
