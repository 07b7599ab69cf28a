import type { WebhookDeliveryEvent } from '../domain/webhookDeliveryEvents.ts';
import type { WebhookEndpointEvent } from '../domain/webhookEndpoint.ts';
import type { EventOf } from '../kernel/event.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import type { After } from './engine/pages.ts';
import { earliestBy, type Projection, remove } from './engine/projection.ts';

/**
 * What has failed of an enabled endpoint since its last success: from when on, how many deliveries were given
 * up, and when the last of them was (ISO 8601). What could not be sent is no failure of the endpoint. Of one
 * that is disabled or was deleted nothing counts: `failingSince` is null.
 */
export type EndpointHealth = Readonly<{
  id: string;
  failingSince: string | null;
  lastFailedAt: string | null;
  failed: number;
}>;

type Handled =
  | EventOf<WebhookDeliveryEvent, 'WebhookAttempted' | 'WebhookFailed' | 'WebhookDelivered'>
  | EventOf<WebhookEndpointEvent, `WebhookEndpoint${'Changed' | 'Enabled' | 'Disabled' | 'Deleted'}`>;

const firstFailing = earliestBy('failingSince');

const uncounted = (_document: EndpointHealth | null, _event: unknown, id: string): EndpointHealth => ({
  id,
  failingSince: null,
  lastFailedAt: null,
  failed: 0,
});

/** The endpoints that fail. A success, a change of the address and enabling it begin anew. */
export const endpointHealth: Projection<EndpointHealth, Handled> = {
  name: 'endpointHealth',
  version: 2,
  prefixes: ['webhookDelivery-', 'webhookEndpoint-'],
  indexes: [{ name: 'failing', sort: firstFailing }],
  keys: ({ data }) => (data.endpointId === undefined ? [] : [data.endpointId]),
  on: {
    WebhookAttempted: (document, { data, metadata }, id) => {
      if (data.error === null || data.notSent || document) return document;
      return { id, failingSince: metadata.at, lastFailedAt: null, failed: 0 };
    },
    WebhookFailed: (document, { data, metadata }) =>
      document?.failingSince && !data.notSent
        ? { ...document, lastFailedAt: metadata.at, failed: document.failed + 1 }
        : document,
    WebhookDelivered: (document) => (document?.failingSince ? null : document),
    WebhookEndpointChanged: (document) => (document?.failingSince ? null : document),
    WebhookEndpointEnabled: remove,
    WebhookEndpointDisabled: uncounted,
    WebhookEndpointDeleted: uncounted,
  },
};

/** The query behind the sweep. */
export const endpointHealthQueries = (models: ReadModels) => ({
  /** Endpoints that have failed since before a time, those that have failed longest first. */
  failingSince: (before: string, limit: number, after: After): Promise<ResultPage<EndpointHealth>> =>
    models.page('endpointHealth', { where: { failingSince: { before } }, sort: firstFailing, limit, after }),
});
