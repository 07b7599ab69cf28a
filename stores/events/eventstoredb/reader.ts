import type { RecordedEvent } from '../port.ts';
import { eventOf, type Received } from './answers.ts';
import { readMessages } from './calls.ts';
import type { Connection } from './connection.ts';
import { newestRequest, streamRequest } from './requests.ts';

/** Reads what is there. Throws `StoreUnavailable`, `StoreMisconfigured`. */
export type Reader = Readonly<{
  read(stream: string, from: number): AsyncGenerator<RecordedEvent>;
  /** A stream's newest event; null for an unknown stream. */
  newest(stream: string): Promise<Received | null>;
  /** The newest of the log's last few events that is wanted; null when none of them is. */
  newestOfAll(wanted: (event: Received) => boolean): Promise<Received | null>;
}>;

// So many events at once go into memory, and no more once they take so much.
const READ_AT_ONCE = 500;
const BYTES_AT_ONCE = 8_000_000;
const MAX_LOOKBACK = 16;

/** Whatever is read is read again when the line breaks over it, for as long as a connection is patient. */
export const createReader = (connection: Connection, answerMs: number): Reader => {
  const some = (stream: string, from: number | 'newest', count: number): Promise<readonly Received[]> =>
    connection.retrying(async (line) => {
      const events: Received[] = [];
      let bytes = 0;
      await readMessages(line, streamRequest(stream, from, count), answerMs, (message) => {
        const event = eventOf(message);
        if (event) events.push(event);
        bytes += event?.bytes ?? 0;
        return bytes > BYTES_AT_ONCE;
      });
      return events;
    });

  async function* read(stream: string, from: number): AsyncGenerator<RecordedEvent> {
    for (let revision = from; ; ) {
      const events = await some(stream, revision, READ_AT_ONCE);
      for (const event of events) {
        const opened = event.open();
        revision = opened.revision + 1;
        yield opened;
      }
      const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
      if (events.length < READ_AT_ONCE && bytes <= BYTES_AT_ONCE) return;
    }
  }

  return {
    read,
    newest: async (stream) => (await some(stream, 'newest', 1))[0] ?? null,
    newestOfAll: (wanted) =>
      connection.retrying(async (line) => {
        let found: Received | null = null;
        await readMessages(line, newestRequest(MAX_LOOKBACK), answerMs, (message) => {
          const event = eventOf(message);
          if (event && wanted(event)) found = event;
          return found !== null;
        });
        return found;
      }),
  };
};
