import type { Recorded } from '../domain/kernel.ts';
import { reveal } from '../domain/submission/private.ts';
import { sessionIdOf } from '../domain/submission.ts';
import type { Attempt, WebhookDeliveryEvent, WebhookRequested } from '../domain/webhookDelivery.ts';
import type { ReadModels, ResultPage, Scalar } from '../stores/documents/port.ts';
import { newestBy, type Projection } from './projection.ts';

/** A webhook delivery with every attempt; that of a batch is of no session. */
export type DeliveryDocument = Readonly<{
  id: string;
  eventType: string;
  occurredAt: string;
  sessionId: string | null;
  submissionId: string | null;
  companyId: string;
  mode: string;
  keyId: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: readonly (Attempt & Readonly<{ at: string }>)[];
  nextAttemptAt: string | null;
  createdAt: string;
}>;

const newestFirst = newestBy('createdAt');

/** The webhook deliveries. */
export const deliveries: Projection<DeliveryDocument, WebhookDeliveryEvent> = {
  name: 'deliveries',
  version: 1,
  prefixes: ['webhookDelivery-'],
  handles: ['WebhookRequested', 'WebhookAttempted', 'WebhookDelivered', 'WebhookFailed'],
  indexes: [
    { name: 'newest', sort: newestFirst },
    { name: 'status', sort: [{ path: 'status', direction: 'ascending' }, ...newestFirst] },
  ],
  keys: ({ data }) => [data.eventId],
  evolve: (document, event) => {
    if (event.type === 'WebhookRequested') return requested(event);
    if (document === null) return null;
    switch (event.type) {
      case 'WebhookAttempted': {
        const { statusCode, durationMs, error, nextAttemptAt } = event.data;
        const attempt = { at: event.metadata.at, statusCode, durationMs, error };
        return { ...document, attempts: [...document.attempts, attempt], nextAttemptAt };
      }
      case 'WebhookDelivered':
        return { ...document, status: 'delivered', nextAttemptAt: null };
      case 'WebhookFailed':
        return { ...document, status: 'failed', nextAttemptAt: null };
    }
  },
};

const requested = ({ data, metadata }: Recorded<WebhookRequested>): DeliveryDocument => ({
  id: data.eventId,
  eventType: data.eventType,
  occurredAt: data.occurredAt,
  sessionId: data.submissionId && sessionIdOf(data.submissionId),
  submissionId: data.submissionId,
  companyId: data.companyId,
  mode: data.mode,
  keyId: data.keyId,
  url: reveal(data.private, 'url'),
  status: 'pending',
  attempts: [],
  nextAttemptAt: metadata.at,
  createdAt: metadata.at,
});

/** Deliveries for operators and integrators. */
export const deliveryQueries = (models: ReadModels) => ({
  find: (eventId: string): Promise<DeliveryDocument | null> => models.get('deliveries', eventId),
  /** Those of these events that caused one, in the events' order. */
  ofEvents: async (eventIds: readonly string[]): Promise<readonly DeliveryDocument[]> => {
    const found = await models.getMany<DeliveryDocument>('deliveries', eventIds);
    return eventIds.flatMap((id) => found.get(id)?.document ?? []);
  },
  list: (
    where: Readonly<Record<string, string>>,
    limit: number,
    after: readonly Scalar[] | null,
  ): Promise<ResultPage<DeliveryDocument>> =>
    models.page('deliveries', { where, sort: newestFirst, limit, after }),
});
