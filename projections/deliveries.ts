import type { Recorded } from '../domain/kernel.ts';
import { reveal } from '../domain/submission/private.ts';
import { sessionIdOf } from '../domain/submission.ts';
import type { Attempt, WebhookDeliveryEvent, WebhookRequested } from '../domain/webhookDelivery.ts';
import type { WebhookEventType } from '../domain/webhookEvents.ts';
import type { Index, ReadModels, ResultPage, Scalar, Sort, Where } from '../stores/documents/port.ts';
import { newestBy, type Projection } from './projection.ts';

/** A webhook delivery with every attempt; that of a batch is of no session. */
export type DeliveryDocument = Readonly<{
  id: string;
  eventType: WebhookEventType;
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

const index = (name: string, paths: readonly string[]): Index => ({
  name,
  sort: [...paths.map((path) => ({ path, direction: 'ascending' as const })), ...newestFirst],
});

/** The webhook deliveries. */
export const deliveries: Projection<DeliveryDocument, WebhookDeliveryEvent> = {
  name: 'deliveries',
  version: 1,
  prefixes: ['webhookDelivery-'],
  handles: [
    'WebhookRequested',
    'WebhookAttempted',
    'WebhookDelivered',
    'WebhookFailed',
    'WebhookRedeliveryRequested',
  ],
  indexes: [
    index('newest', []),
    index('status', ['status']),
    index('own', ['keyId']),
    index('ownStatus', ['keyId', 'status']),
    index('ownSession', ['keyId', 'sessionId']),
    index('ownType', ['keyId', 'eventType']),
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
      case 'WebhookRedeliveryRequested':
        return { ...document, status: 'pending', nextAttemptAt: event.metadata.at };
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

/** Conditions of a list of deliveries; a member left out does not matter. */
export type DeliveryFilters = Readonly<{
  keyId?: string;
  sessionId?: string;
  status?: string;
  eventType?: string;
}>;

/** When deliveries were first asked for: from `from` (ISO 8601) to before `to`. */
export type DeliveryTimes = Readonly<{ from: string; to: string }>;

/** Deliveries for operators and integrators. */
export const deliveryQueries = (models: ReadModels) => ({
  find: (eventId: string): Promise<DeliveryDocument | null> => models.get('deliveries', eventId),
  /** Those of these events that caused one, in the events' order. */
  ofEvents: async (eventIds: readonly string[]): Promise<readonly DeliveryDocument[]> => {
    const found = await models.getMany<DeliveryDocument>('deliveries', eventIds);
    return eventIds.flatMap((id) => found.get(id)?.document ?? []);
  },
  /** A page of deliveries, newest first. */
  list: (
    where: DeliveryFilters,
    limit: number,
    after: readonly Scalar[] | null,
  ): Promise<ResultPage<DeliveryDocument>> =>
    models.page('deliveries', { where, sort: newestFirst, limit, after }),
  /** A page of the deliveries of a time, oldest first. */
  ofTime: (
    where: DeliveryFilters,
    times: DeliveryTimes,
    limit: number,
    after: readonly Scalar[] | null,
  ): Promise<ResultPage<DeliveryDocument>> =>
    models.page('deliveries', { where: within(where, times), sort: oldestFirst, limit, after }),
  /** How many deliveries there are of a time; `most` means so many or more. */
  countOfTime: (where: DeliveryFilters, times: DeliveryTimes, most: number): Promise<number> =>
    models.count('deliveries', within(where, times), most),
});

const oldestFirst: Sort = newestFirst.map(({ path }) => ({ path, direction: 'ascending' }));

const within = (where: DeliveryFilters, { from, to }: DeliveryTimes): Where => ({
  ...where,
  createdAt: { from, before: to },
});
