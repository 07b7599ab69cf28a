import type { RetrySchedule } from '../domain/retrySchedule.ts';
import type { WebhookEndpointEvent } from '../domain/webhookEndpoint.ts';
import type { WebhookEventType } from '../domain/webhookEvents.ts';
import { actorText, type EventOf, type Position, type Recorded, reveal } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type After, collect, newestOf } from './engine/pages.ts';
import { indexOn, newestBy, type Projection, remove } from './engine/projection.ts';
import { endOf } from './engine/readModels.ts';

/** From which position of the log on it gets which events: null all, none while it is disabled. */
type Subscription = Readonly<{ from: Position; eventTypes: readonly WebhookEventType[] | null }>;

/** A webhook endpoint without its secret. Times in ISO 8601. */
export type WebhookEndpointDocument = Readonly<{
  id: string;
  companyId: string;
  mode: Mode;
  url: string;
  description: string | null;
  eventTypes: readonly WebhookEventType[] | null;
  retrySchedule: RetrySchedule;
  createdAt: string;
  createdBy: string;
  /** Null unless a rotation gave the former secret some more time. */
  previousSecretExpiresAt: string | null;
  disabledAt: string | null;
  disabledBy: string | null;
  disabledReason: 'request' | 'failures' | null;
  /** What it got in the course of time, for a reader that is behind. */
  subscriptions: readonly Subscription[];
  /** Of its newest event. */
  position: Position;
  revision: number;
}>;

const newestFirst = newestBy('createdAt');
const NONE: readonly WebhookEventType[] = [];

const placed = (document: WebhookEndpointDocument | null, event: Recorded): WebhookEndpointDocument | null =>
  document && { ...document, ...placeOf(event) };

/** The webhook endpoints that were not deleted. */
export const webhookEndpoints: Projection<WebhookEndpointDocument, WebhookEndpointEvent> = {
  name: 'webhookEndpoints',
  version: 1,
  prefixes: ['webhookEndpoint-'],
  indexes: [{ name: 'newest', sort: newestFirst }, indexOn('company', ['companyId', 'mode'], newestFirst)],
  keys: ({ data }) => [data.endpointId],
  on: {
    WebhookEndpointCreated: (_document, event) => ({
      ...{ id: event.data.endpointId, companyId: event.data.companyId, mode: event.data.mode },
      ...optionsOf(event),
      createdAt: event.metadata.at,
      createdBy: actorText(event.metadata.actor),
      previousSecretExpiresAt: null,
      ...{ disabledAt: null, disabledBy: null, disabledReason: null },
      subscriptions: [{ from: event.position, eventTypes: event.data.eventTypes }],
      ...placeOf(event),
    }),
    WebhookEndpointChanged: (document, event) =>
      document && subscribed({ ...document, ...optionsOf(event) }, event),
    WebhookEndpointSecretRotated: (document, event) => {
      const { overlapEndsAt } = event.data;
      const expires = overlapEndsAt > event.metadata.at ? overlapEndsAt : null;
      return document && { ...document, previousSecretExpiresAt: expires, ...placeOf(event) };
    },
    WebhookEndpointDisabled: (document, event) => {
      const { at, actor } = event.metadata;
      const disabled = { disabledAt: at, disabledBy: actorText(actor), disabledReason: event.data.reason };
      return document && subscribed({ ...document, ...disabled }, event);
    },
    WebhookEndpointEnabled: (document, event) =>
      document &&
      subscribed({ ...document, disabledAt: null, disabledBy: null, disabledReason: null }, event),
    WebhookEndpointNoticeMailed: placed,
    WebhookEndpointNoticeFailed: placed,
    WebhookEndpointDeleted: remove,
  },
};

const optionsOf = ({
  data: { eventTypes, retrySchedule, private: part },
}: Recorded<EventOf<WebhookEndpointEvent, 'WebhookEndpointCreated' | 'WebhookEndpointChanged'>>) => ({
  ...{ url: reveal(part, 'url'), description: reveal(part, 'description') },
  ...{ eventTypes, retrySchedule },
});

const placeOf = ({ position, revision }: Recorded) => ({ position, revision });

/** With what it gets from this event on, where that is another thing than before. */
const subscribed = (document: WebhookEndpointDocument, event: Recorded): WebhookEndpointDocument => {
  const { subscriptions } = document;
  const eventTypes = document.disabledAt === null ? document.eventTypes : NONE;
  const isSame = String(subscriptions.at(-1)?.eventTypes) === String(eventTypes);
  const added = isSame ? [] : [{ from: event.position, eventTypes }];
  return { ...document, subscriptions: [...subscriptions, ...added], ...placeOf(event) };
};

/** Whether an endpoint gets an event of this type at this position of the log (endpoints-7). */
export const isSubscribed = (
  { subscriptions }: Pick<WebhookEndpointDocument, 'subscriptions'>,
  eventType: WebhookEventType,
  position: Position,
): boolean => {
  const then = subscriptions.findLast(({ from }) => from < position);
  return then !== undefined && (then.eventTypes === null || then.eventTypes.includes(eventType));
};

/**
 * Webhook endpoints: one, those of a company and mode newest first, or all; `end`: up to where in the log.
 */
export const webhookEndpointQueries = (models: ReadModels) => ({
  find: (endpointId: string): Promise<WebhookEndpointDocument | null> =>
    models.get('webhookEndpoints', endpointId),
  listOf: (
    companyId: string,
    mode: Mode,
    limit: number,
    after: After,
  ): Promise<ResultPage<WebhookEndpointDocument>> =>
    models.page('webhookEndpoints', { where: { companyId, mode }, sort: newestFirst, limit, after }),
  count: (companyId: string, mode: Mode, max: number): Promise<number> =>
    models.count('webhookEndpoints', { companyId, mode }, max),
  /** How many of them were made before a position of the log. */
  madeBefore: async (companyId: string, mode: Mode, position: Position): Promise<number> => {
    const { items } = await collect<WebhookEndpointDocument>((limit, after) =>
      models.page('webhookEndpoints', { where: { companyId, mode }, sort: newestFirst, limit, after }),
    );
    return items.filter(({ subscriptions: [first] }) => first !== undefined && first.from < position).length;
  },
  list: newestOf<WebhookEndpointDocument>(models, 'webhookEndpoints'),
  end: (): Promise<Position | null> => endOf(models, 'webhookEndpoints'),
});
