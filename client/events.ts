import type { EventFeed, WebhookEvent, WebhookEventType } from './api.ts';
import type { Platform } from './platform.ts';
import type { Send } from './request.ts';

export type EventsOptions = Readonly<{
  /** Where to go on: the `cursor` that came with the last event that was processed. */
  cursor?: string;
  /**
   * Where to start without a cursor: `now`, or a time such as `2026-11-21T10:46:00Z`; with the oldest event
   * unless told.
   */
  from?: string;
  /** Only these types of events. A cursor belongs to them. */
  types?: readonly WebhookEventType[];
  signal?: AbortSignal;
}>;

/**
 * An event of the feed. With `cursor` the feed goes on after it; it may then give events of the same page
 * again.
 */
export type FeedEvent = Readonly<{ event: WebhookEvent; cursor: string | undefined }>;

/** How long the service waits for an event before it answers without one, in seconds. */
const WAIT_S = 25;
/** Between answers without an event that came at once all the same. */
const PAUSE_MS = 1_000;

/**
 * The events of the key, in the order in which they were stored, and then those to come; it ends with its
 * signal alone.
 */
export async function* events(
  send: Send,
  { now, sleep, timeoutMs }: Pick<Platform, 'now' | 'sleep'> & Readonly<{ timeoutMs: number }>,
  { cursor: start, from, types, signal }: EventsOptions = {},
): AsyncGenerator<FeedEvent, void> {
  let cursor = start;
  for (;;) {
    const asked = now();
    // The end comes at once: each event after it then has a cursor, and a reader who stops loses none.
    const wait = cursor === undefined && from === 'now' ? 0 : WAIT_S;
    const where = cursor === undefined ? { from } : { cursor };
    const { body } = await send<EventFeed>('get', '/api/v1/events', {
      query: { ...where, types: types?.join(','), wait },
      timeoutMs: timeoutMs + wait * 1000,
      signal,
    });
    const next = body.pagination.nextCursor ?? undefined;
    for (const [index, event] of body.data.entries())
      yield { event, cursor: index === body.data.length - 1 ? next : cursor };
    cursor = next;
    if (wait > 0 && body.data.length === 0 && now() - asked < PAUSE_MS) await sleep(PAUSE_MS, signal);
  }
}
