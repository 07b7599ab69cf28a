import type { RecordedEvent } from '../port.ts';
import type { Received } from './answers.ts';
import { requestEvents } from './calls.ts';
import type { Connection } from './connection.ts';
import { newestRequest, streamRequest } from './requests.ts';

export type Reader = ReturnType<typeof createReader>;

// So many events at once go into memory, and no more once they take so much.
const READ_AT_ONCE = 500;
const BYTES_AT_ONCE = 8_000_000;
const MAX_LOOKBACK = 16;

/**
 * Reads events, again when the line breaks over it, for as long as a connection is patient. Throws
 * `StoreUnavailable` and `StoreMisconfigured`.
 */
export const createReader = (connection: Connection, answerMs: number) => {
  const some = (stream: string, from: number | 'newest', count: number) =>
    connection.retrying(async (line) => {
      const events: Received[] = [];
      let bytes = 0;
      for await (const event of requestEvents(line, streamRequest(stream, from, count), answerMs)) {
        events.push(event);
        bytes += event.bytes;
        if (bytes > BYTES_AT_ONCE) break;
      }
      return { events, hasMore: events.length === count || bytes > BYTES_AT_ONCE };
    });

  async function* read(stream: string, from: number): AsyncGenerator<RecordedEvent> {
    for (let revision = from; ; ) {
      const { events, hasMore } = await some(stream, revision, READ_AT_ONCE);
      for (const event of events) yield event.open();
      if (!hasMore) return;
      revision = (events.at(-1)?.revision ?? revision) + 1;
    }
  }

  return {
    read,
    /** A stream's newest event; null for an unknown stream. */
    newest: async (stream: string): Promise<Received | null> =>
      (await some(stream, 'newest', 1)).events[0] ?? null,
    /** The newest of the log's last few events that matches; null when none does. */
    newestOfAll: (matches: (event: Received) => boolean): Promise<Received | null> =>
      connection.retrying(async (line) => {
        for await (const event of requestEvents(line, newestRequest(MAX_LOOKBACK), answerMs))
          if (matches(event)) return event;
        return null;
      }),
  };
};
