import type { BatchEvent } from '../domain/batch.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { type WebhookEndpointEvent, webhookEndpoint } from '../domain/webhookEndpoint.ts';
import { webhookCauses } from '../domain/webhookEvents.ts';
import type { Recorded } from '../kernel/event.ts';
import type { endpointRegistry } from './endpointRegistry.ts';
import type { Reactor } from './engine/reactor.ts';

type Causing = SubmissionEvent | BatchEvent;
type Handled = Causing | WebhookEndpointEvent;
type Registry = Pick<ReturnType<typeof endpointRegistry>, 'load' | 'learn'>;

/**
 * Each event that causes a webhook gets its deliveries, once: their streams must be new. The endpoints of
 * companies are learnt from the same pages, in their order.
 */
export const requestDeliveries = (
  requestDelivery: (event: Recorded<Causing>) => Promise<void>,
  registry: Registry,
): Reactor<Handled> => ({
  name: 'requestDeliveries',
  startFrom: 'origin',
  prefixes: ['submission-', 'batch-', webhookEndpoint.category],
  handles: [
    // For its checkpoint: a redaction waits until it is beyond the request.
    'SubmissionRedactionRequested',
    ...webhookCauses,
    ...(Object.keys(webhookEndpoint.events) as readonly WebhookEndpointEvent['type'][]),
  ],
  start: (position) => registry.load(position),
  learn: (events) => {
    for (const event of events) if (isOfEndpoint(event)) registry.learn(event);
  },
  react: async (event) => {
    if (!isOfEndpoint(event)) await requestDelivery(event);
  },
});

const isOfEndpoint = (event: Recorded<Handled>): event is Recorded<WebhookEndpointEvent> =>
  event.type in webhookEndpoint.events;
