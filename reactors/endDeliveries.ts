import type { EndpointClosed } from '../commands/giveUpDeliveries.ts';
import { untilShown } from '../commands/untilShown.ts';
import { webhookEndpoint } from '../domain/webhookEndpoint.ts';
import type { Recorded } from '../kernel/event.ts';
import type { Progress } from '../projections/engine/progress.ts';
import type { Reactor } from './engine/reactor.ts';

/**
 * The pending deliveries of an endpoint end when it is disabled or deleted (endpoints-13). Those that were
 * requested before must be found in the read models; later ones end at their first attempt.
 */
export const endDeliveries = (
  giveUp: (event: Recorded<EndpointClosed>, signal: AbortSignal) => Promise<void>,
  progress: Pick<Progress, 'reached'>,
): Reactor<EndpointClosed> => ({
  name: 'endDeliveries',
  startFrom: 'origin',
  prefixes: [webhookEndpoint.category],
  handles: ['WebhookEndpointDisabled', 'WebhookEndpointDeleted'],
  react: async (event, signal) => {
    const waits = 'the read models are behind the log: deliveries to be given up wait for them';
    await untilShown(progress, event.position, waits);
    await giveUp(event, signal);
  },
});
