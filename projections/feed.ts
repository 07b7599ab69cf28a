import type { BatchEvent } from '../domain/batch.ts';
import { evolve, type Submission, type SubmissionEvent } from '../domain/submission/state.ts';
import {
  batchEnvelope,
  type WebhookEventType,
  webhookCauses,
  webhookEnvelope,
  webhookTypeOf,
} from '../domain/webhookEvents.ts';
import type { EventOf, Position, Recorded } from '../kernel/event.ts';
import { shared } from '../kernel/once.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import { type Changes, createChanges } from './engine/changes.ts';
import type { After } from './engine/pages.ts';
import { type Fold, foldAlike, indexOn, type Projection } from './engine/projection.ts';
import { endOf } from './engine/readModels.ts';

/** An event of the feed. Its envelope is made from its stream: nothing private is stored here. */
export type FeedItem = Pick<Recorded, 'id' | 'position' | 'stream' | 'revision'> &
  Readonly<{ keyId: string; eventType: WebhookEventType; at: string }>;

const inLogOrder = [{ path: 'position', direction: 'ascending' }] as const;
const newest = [
  { path: 'at', direction: 'descending' },
  { path: 'position', direction: 'descending' },
] as const;

type FeedEvent = EventOf<SubmissionEvent | BatchEvent, (typeof webhookCauses)[number]>;

const feedItem: Fold<FeedItem, FeedEvent> = (item, event) => {
  const eventType = webhookTypeOf(event);
  if (eventType === null) return item;
  const { id, position, stream, revision, metadata } = event;
  const at = event.type === 'BatchCompleted' ? event.data.completedAt : metadata.at;
  return { id, position, keyId: event.data.keyId, eventType, at, stream, revision };
};

/** The events that cause a webhook, whether or not there is an address to send it to. */
export const feed: Projection<FeedItem, FeedEvent> = {
  name: 'feed',
  version: 2,
  prefixes: ['submission-', 'batch-'],
  indexes: [
    indexOn('own', ['keyId'], inLogOrder),
    indexOn('ownType', ['keyId', 'eventType'], inLogOrder),
    indexOn('ownTime', ['keyId'], newest),
    indexOn('all', [], inLogOrder),
  ],
  keys: ({ id }) => [id],
  on: foldAlike(webhookCauses, feedItem),
};

/** The queries behind GET /events. */
export const feedQueries = (models: ReadModels) => ({
  /** Where the feed ends: null while it is empty. */
  end: (): Promise<Position | null> => endOf(models, 'feed'),
  /**
   * The position of a key's last event that occurred before a time (ISO 8601 in UTC with milliseconds), not
   * beyond the end; null where there is none.
   */
  lastBefore: async (keyId: string, time: string): Promise<Position | null> => {
    const end = await endOf(models, 'feed');
    const where = { keyId, at: { before: time } };
    const { items } = await models.page<FeedItem>('feed', { where, sort: newest, limit: 1, after: null });
    const [last] = items;
    if (last === undefined || end === null) return null;
    return last.position < end ? last.position : end;
  },
  /** The first events of all keys after a position, up to another one that the feed includes. */
  between: async (after: Position, upTo: Position, limit: number): Promise<readonly FeedItem[]> => {
    const where = { position: { before: `${upTo}${BEHIND}` } };
    const query = { where, sort: inLogOrder, limit, after: [after] };
    return (await models.page<FeedItem>('feed', query)).items;
  },
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
    const end = await endOf(models, 'feed');
    if (end === null) return { items: [], hasMore: false };
    const within = { keyId, position: { before: `${end}${BEHIND}` } };
    const conditions = types === null ? [within] : types.map((eventType) => ({ ...within, eventType }));
    const pages = await Promise.all(
      conditions.map((where) => models.page<FeedItem>('feed', { where, sort: inLogOrder, limit, after })),
    );
    return merged(pages, limit);
  },
});

type FeedEnd = Pick<ReturnType<typeof feedQueries>, 'end' | 'between'>;

/** More events at once, or of more keys, are not told apart. */
const MAX_EVENTS = 1_000;
const MAX_KEYS = 10_000;

/**
 * Tells when a key has events of its own. All who wait share one reading of what the feed's end has moved
 * over, so that an event of others costs a key no query; where that is too much, each key looks for itself.
 */
export const feedChanges = ({ end, between }: FeedEnd): Changes => {
  let seen: Position | null = null;
  let round = 0;
  const newest = new Map<string, Position>();
  const advance = shared(async () => {
    const now = await end();
    if (now === seen) return;
    // It is behind what was seen while another version of it serves.
    const isKnown = now !== null && seen !== null && seen < now;
    const items = isKnown ? await between(seen as Position, now, MAX_EVENTS) : null;
    seen = now;
    if (items === null || items.length === MAX_EVENTS || newest.size > MAX_KEYS) {
      round += 1;
      newest.clear();
    } else for (const { keyId, position } of items) newest.set(keyId, position);
  });
  return createChanges(async (keyId) => {
    await advance();
    return `${round} ${newest.get(keyId) ?? ''}`;
  });
};

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
