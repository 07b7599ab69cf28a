import type { BatchEvent } from '../domain/batch.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { type WebhookEventType, webhookCauses, webhookTypeOf } from '../domain/webhookEvents.ts';
import type { Position } from '../kernel/event.ts';
import type { ReadModels, ResultPage, Scalar } from '../stores/documents/port.ts';
import { type Fold, foldAlike, indexOn, type Projection } from './engine/projection.ts';

/** Where in the log an event stands that integrations are told of: what it says is made from its stream, so that nothing private stands here. */
export type FeedItem = Readonly<{
  id: string;
  position: Position;
  keyId: string;
  eventType: WebhookEventType;
  stream: string;
  revision: number;
}>;

const inLogOrder = [{ path: 'position', direction: 'ascending' }] as const;

type Cause = Extract<SubmissionEvent | BatchEvent, { type: (typeof webhookCauses)[number] }>;

const feedItem: Fold<FeedItem, Cause> = (item, event) => {
  const eventType = webhookTypeOf(event);
  if (eventType === null) return item;
  const { id, position, stream, revision } = event;
  return { id, position, keyId: event.data.keyId, eventType, stream, revision };
};

/** The events that cause a webhook, whether or not there is an address to send it to. */
export const feed: Projection<FeedItem, Cause> = {
  name: 'feed',
  version: 1,
  prefixes: ['submission-', 'batch-'],
  indexes: [indexOn('own', ['keyId'], inLogOrder), indexOn('ownType', ['keyId', 'eventType'], inLogOrder)],
  keys: ({ id }) => [id],
  on: foldAlike(webhookCauses, feedItem),
};

/** The query behind GET /events. */
export const feedQueries = (models: ReadModels) => ({
  /**
   * A page of a key's events, in the order of the log, after a position; of these types only, unless null. It ends where the read model
   * is whole: what was written beyond its checkpoint, or between two of its queries, may lack events before it.
   */
  page: async (
    keyId: string,
    types: readonly WebhookEventType[] | null,
    limit: number,
    after: readonly Scalar[] | null,
  ): Promise<Readonly<{ items: readonly FeedItem[]; hasMore: boolean }>> => {
    const whole = await models.checkpoint(await models.alias('feed'));
    if (whole === null) return { items: [], hasMore: false };
    const within = { keyId, position: { before: `${whole}${BEHIND}` } };
    const conditions = types === null ? [within] : types.map((eventType) => ({ ...within, eventType }));
    const pages = await Promise.all(
      conditions.map((where) => models.page<FeedItem>('feed', { where, sort: inLogOrder, limit, after })),
    );
    return merged(pages, limit);
  },
});

/** Greater than all that may follow a position's text, so that the position itself is within. */
const BEHIND = '\u{10FFFF}';

const merged = (pages: readonly ResultPage<FeedItem>[], limit: number) => {
  const all = pages
    .flatMap(({ items }) => items)
    .sort((one, other) => (one.position < other.position ? -1 : 1));
  return {
    items: all.slice(0, limit),
    hasMore: all.length > limit || pages.some(({ next }) => next !== null),
  };
};
