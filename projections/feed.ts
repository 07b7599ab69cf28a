import type { BatchEvent } from '../domain/batch.ts';
import { evolve, type Submission, type SubmissionEvent } from '../domain/submission/state.ts';
import {
  batchEnvelope,
  type WebhookEventType,
  webhookCauses,
  webhookEnvelope,
  webhookTypeOf,
} from '../domain/webhookEvents.ts';
import type { EventOf, Recorded } from '../kernel/event.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { After } from './engine/pages.ts';
import { type Fold, foldAlike, indexOn, type Projection } from './engine/projection.ts';

/** An event of the feed. Its envelope is made from its stream: nothing private is stored here. */
export type FeedItem = Pick<Recorded, 'id' | 'position' | 'stream' | 'revision'> &
  Readonly<{ keyId: string; eventType: WebhookEventType }>;

const inLogOrder = [{ path: 'position', direction: 'ascending' }] as const;

type FeedEvent = EventOf<SubmissionEvent | BatchEvent, keyof typeof webhookCauses>;

const feedItem: Fold<FeedItem, FeedEvent> = (item, event) => {
  const eventType = webhookTypeOf(event);
  if (eventType === null) return item;
  const { id, position, stream, revision } = event;
  return { id, position, keyId: event.data.keyId, eventType, stream, revision };
};

/** The events that cause a webhook, whether or not there is an address to send it to. */
export const feed: Projection<FeedItem, FeedEvent> = {
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
   * A page of a key's events in log order, after a position; of these types only, unless null. It ends at the
   * checkpoint: beyond it later events may be written before earlier ones.
   */
  page: async (
    keyId: string,
    types: readonly WebhookEventType[] | null,
    limit: number,
    after: After,
  ): Promise<Readonly<{ items: readonly FeedItem[]; hasMore: boolean }>> => {
    const checkpoint = await models.checkpoint(await models.alias('feed'));
    if (checkpoint === null) return { items: [], hasMore: false };
    const within = { keyId, position: { before: `${checkpoint}${BEHIND}` } };
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

type Cause = Recorded<SubmissionEvent | BatchEvent>;
type Envelope = ReturnType<typeof webhookEnvelope> | ReturnType<typeof batchEnvelope>;

/** The envelopes of these events, made from their streams; what was redacted since is missing. */
export const envelopes =
  (log: Pick<EventLog, 'load'>) =>
  async (items: readonly Pick<FeedItem, 'stream' | 'revision'>[]): Promise<readonly Envelope[]> => {
    const names = [...new Set(items.map(({ stream }) => stream))];
    const load = async (name: string) => [name, (await log.load(name)).events] as const;
    const streams = new Map(await Promise.all(names.map(load)));
    return items.map(({ stream, revision }) => {
      const events = streams.get(stream)?.filter((event) => event.revision <= revision) ?? [];
      // An event that this release does not know: the one before it must not be given in its place.
      const isKnown = events.at(-1)?.revision === revision;
      const envelope = isKnown ? envelopeOf(events as readonly Cause[]) : null;
      if (envelope === null) throw new Error(`${stream} has no envelope at ${revision}`);
      return envelope;
    });
  };

const envelopeOf = (events: readonly Cause[]): Envelope | null => {
  const event = events.at(-1);
  if (event?.type === 'BatchCompleted') return batchEnvelope(event);
  const eventType = event ? webhookTypeOf(event) : null;
  const state = (events as readonly Recorded<SubmissionEvent>[]).reduce<Submission | null>(evolve, null);
  return event && eventType && state ? webhookEnvelope(event, eventType, state) : null;
};
