import { sessionIdOf } from '../domain/submission/submission.ts';
import {
  type Attempt,
  type DeliveryStatus,
  deliveryIdOf,
  type WebhookDeliveryEvent,
} from '../domain/webhookDeliveryEvents.ts';
import type { WebhookEventType } from '../domain/webhookEvents.ts';
import type { EventOf, Recorded } from '../kernel/event.ts';
import { reveal } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';
import type { Mode } from '../kernel/scope.ts';
import type { deliveryFilters } from '../schemas/listFilters.ts';
import type { ReadModels, ResultPage, Where } from '../stores/documents/port.ts';
import { type Conditions, conditionsOn, type FilterPaths } from './engine/listFilters.ts';
import { type After, collect } from './engine/pages.ts';
import { earliestBy, indexOn, newestBy, type Projection } from './engine/projection.ts';

/**
 * A webhook delivery with every attempt; that of a batch is of no session. `id` is that of its event, or
 * `<eventId>.<ulid of the endpoint>`.
 */
export type DeliveryDocument = Readonly<{
  id: string;
  eventType: WebhookEventType;
  occurredAt: string;
  sessionId: string | null;
  submissionId: string | null;
  companyId: string;
  mode: Mode;
  keyId: string;
  /** Absent where it goes to the `webhookUrl` of a session. */
  endpointId?: string;
  /** Null once only the end of the delivery's stream is kept. */
  url: string | null;
  /** The host of it. */
  receiver: string | null;
  status: DeliveryStatus;
  attempts: readonly (Attempt & Readonly<{ at: string }>)[];
  nextAttemptAt: string | null;
  createdAt: string;
  endedAt: string | null;
}>;

const newestFirst = newestBy('createdAt');
const oldestFirst = earliestBy('createdAt');
const firstEnded = earliestBy('endedAt');
const byId = [{ path: 'id', direction: 'ascending' }] as const;

const index = (name: string, ...paths: readonly string[]) => indexOn(name, paths, newestFirst);

/** The webhook deliveries. */
export const deliveries: Projection<DeliveryDocument, WebhookDeliveryEvent> = {
  name: 'deliveries',
  version: 2,
  prefixes: ['webhookDelivery-'],
  indexes: [
    index('newest'),
    index('company', 'companyId', 'mode'),
    index('companyStatus', 'companyId', 'mode', 'status'),
    index('companySession', 'companyId', 'mode', 'sessionId'),
    index('companyType', 'companyId', 'mode', 'eventType'),
    index('companyEndpoint', 'companyId', 'mode', 'endpointId'),
    index('companyEndpointStatus', 'companyId', 'mode', 'endpointId', 'status'),
    index('companyReceiver', 'companyId', 'mode', 'receiver', 'status'),
    index('status', 'status'),
    index('own', 'keyId'),
    index('ownStatus', 'keyId', 'status'),
    index('ownSession', 'keyId', 'sessionId'),
    index('ownType', 'keyId', 'eventType'),
    index('ownReceiver', 'keyId', 'receiver', 'status'),
    { name: 'ended', sort: firstEnded },
    { name: 'event', sort: byId },
  ],
  keys: ({ data }) => [deliveryIdOf(data)],
  on: {
    WebhookRequested: (_document, event) =>
      requested(event, event.metadata.at, reveal(event.data.private, 'url')),
    WebhookAttempted: (document, { data, metadata }) => {
      if (document === null) return null;
      const { statusCode, durationMs, error, nextAttemptAt } = data;
      const attempt = { at: metadata.at, statusCode, durationMs, error };
      return { ...document, attempts: [...document.attempts, attempt], nextAttemptAt };
    },
    WebhookDelivered: (document, event) => ended(document, event, 'delivered'),
    WebhookFailed: (document, event) => ended(document, event, 'failed'),
    WebhookRedacted: (document, event) => ({
      ...ended(document, event, event.data.outcome),
      ...(document ? { endedAt: document.endedAt } : {}),
      ...{ url: null, receiver: null },
    }),
    WebhookRedeliveryRequested: (document, { metadata }) =>
      document && { ...document, status: 'pending', nextAttemptAt: metadata.at, endedAt: null },
  },
};

/** Without a document, only the end of the delivery's stream was kept. */
const ended = (
  document: DeliveryDocument | null,
  event: Recorded<EventOf<WebhookDeliveryEvent, 'WebhookDelivered' | 'WebhookFailed' | 'WebhookRedacted'>>,
  status: DeliveryDocument['status'],
): DeliveryDocument => ({
  ...(document ?? requested(event, event.data.occurredAt, null)),
  status,
  nextAttemptAt: null,
  endedAt: event.metadata.at,
});

const requested = (
  { data, metadata }: Recorded<WebhookDeliveryEvent>,
  createdAt: string,
  url: string | null,
): DeliveryDocument => ({
  id: deliveryIdOf(data),
  ...pick(data, 'eventType', 'occurredAt'),
  sessionId: data.submissionId && sessionIdOf(data.submissionId),
  ...pick(data, 'submissionId', 'companyId', 'mode', 'keyId'),
  ...(data.endpointId === undefined ? {} : { endpointId: data.endpointId }),
  url,
  receiver: hostOf(url),
  status: 'pending',
  attempts: [],
  nextAttemptAt: metadata.at,
  createdAt,
  endedAt: null,
});

/** Null for an address that is not there any more. */
const hostOf = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).host : null;

/** Where a delivery's document has what lists are restricted by. */
const filterPaths = {
  keyId: 'keyId',
  endpointId: 'endpointId',
  sessionId: 'sessionId',
  submissionId: 'submissionId',
  status: 'status',
  eventType: 'eventType',
  receiver: 'receiver',
} as const satisfies FilterPaths<DeliveryDocument, typeof deliveryFilters>;
const paths = { companyId: 'companyId', mode: 'mode', ...filterPaths } as const;

type DeliveryFilters = Conditions<typeof paths> & Readonly<{ submissionId?: string }>;

type OfSubmission = Readonly<{ companyId: string; mode: string; submissionId: string }>;

/** Deliveries for operators and integrators. */
export const deliveryQueries = (models: ReadModels) => ({
  find: (deliveryId: string): Promise<DeliveryDocument | null> => models.get('deliveries', deliveryId),
  /** How the delivery of an event to its session’s address stands; null without an event (webhooks-19). */
  statusOf: async (eventId: string | null): Promise<DeliveryDocument['status'] | null> =>
    eventId === null
      ? null
      : ((await models.get<DeliveryDocument>('deliveries', eventId))?.status ?? 'pending'),
  /** Those of a submission's events, to its session's address and to endpoints, oldest first. */
  ofSubmission: async ({
    companyId,
    mode,
    submissionId,
  }: OfSubmission): Promise<readonly DeliveryDocument[]> => {
    const where = { companyId, mode, sessionId: sessionIdOf(submissionId) };
    const { items } = await collect<DeliveryDocument>((limit, after) =>
      models.page('deliveries', { where, sort: oldestFirst, limit, after }),
    );
    return items;
  },
  /** A page of those of one event, by their identifiers, which all begin with that of the event. */
  ofEvent: (eventId: string, limit: number, after: After): Promise<ResultPage<DeliveryDocument>> => {
    // Right after the dot comes the slash.
    const id = { from: eventId, before: `${eventId}/` };
    return models.page('deliveries', { where: { id }, sort: byId, limit, after });
  },
  /** A page of deliveries, newest first. */
  list: (filters: DeliveryFilters, limit: number, after: After): Promise<ResultPage<DeliveryDocument>> =>
    models.page('deliveries', { where: whereOf(filters), sort: newestFirst, limit, after }),
  /** The same, oldest first. */
  oldest: (filters: DeliveryFilters, limit: number, after: After): Promise<ResultPage<DeliveryDocument>> =>
    models.page('deliveries', { where: whereOf(filters), sort: oldestFirst, limit, after }),
  /** How many deliveries there are; `max` means so many or more. */
  count: (filters: DeliveryFilters, max: number): Promise<number> =>
    models.count('deliveries', whereOf(filters), max),
  /** A page of those that ended before a time, the first to end first. */
  ended: (before: string, limit: number, after: After): Promise<ResultPage<DeliveryDocument>> =>
    models.page('deliveries', { where: { endedAt: { before } }, sort: firstEnded, limit, after }),
});

const conditions = conditionsOn(paths);

/** By its session a submission's are found in an index. */
const whereOf = (filters: DeliveryFilters): Where => {
  const { submissionId } = filters;
  return conditions(submissionId ? { sessionId: sessionIdOf(submissionId), ...filters } : filters);
};
