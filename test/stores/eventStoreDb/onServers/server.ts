import { setMaxListeners } from 'node:events';
import { addressOf } from '../../../../stores/events/eventstoredb/address.ts';
import { createAppender } from '../../../../stores/events/eventstoredb/appender.ts';
import { openCall } from '../../../../stores/events/eventstoredb/calls.ts';
import { connect } from '../../../../stores/events/eventstoredb/connection.ts';
import { streamRequest } from '../../../../stores/events/eventstoredb/requests.ts';
import { eventStoreDb } from '../../../../stores/events/eventstoredb.ts';
import type { EventStore } from '../../../../stores/events/port.ts';
import { suite } from '../../../harness.ts';

/** Where a server is, and what ends it, if it is the test's. */
export type Place = Readonly<{ connectionString: string; remove(): Promise<void> }>;

/** An event as it lies in the server. */
export type Raw = Readonly<{
  id: string;
  type: string;
  contentType: string;
  data: string;
  metadata: string;
}>;

/**
 * A server that others may use too: nothing is known of what else is in its log, and nothing but what any
 * client may do is asked of it. `append` and `read` go past the store: without its markers, and whatever the
 * bytes are.
 */
export type Server = Readonly<{
  connectionString: string;
  store: EventStore;
  append(stream: string, data: readonly string[], type?: string): Promise<void>;
  read(stream: string): Promise<readonly Raw[]>;
  close(): Promise<void>;
}>;

const ANSWER_MS = 3_000;

/** A store on a server, and a way past it. */
const openServer = ({ connectionString, remove }: Place): Server => {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const address = addressOf(connectionString);
  const connection = connect({ address, answerMs: ANSWER_MS, closed: closing.signal });
  const appender = createAppender({ connection, answerMs: ANSWER_MS, inFlight: 16 });
  const store = eventStoreDb({ connectionString });
  return {
    connectionString,
    store,
    append: async (stream, data, type = 'SomethingHappened') => {
      const metadata = type.startsWith('$') ? '' : '{}'; // what the server writes itself has none
      const rows = data.map((each) => ({ id: crypto.randomUUID(), type, data: each, metadata }));
      await appender.append(stream, 'any', rows);
    },
    read: (stream) =>
      connection.retrying(async (line) => {
        const events: Raw[] = [];
        const messages = openCall(line, streamRequest(stream, 0, 1_000));
        for (;;) {
          const next = await messages.next(ANSWER_MS);
          if (next === 'end') return events;
          if (typeof next === 'string') throw new Error(`the server gave no answer: ${next}`);
          const event = next.message.getEvent()?.getEvent();
          if (event)
            events.push({
              id: event.getId()?.getString() ?? '',
              type: event.getMetadataMap().get('type') ?? '',
              contentType: event.getMetadataMap().get('content-type') ?? '',
              data: Buffer.from(event.getData_asU8()).toString(),
              metadata: Buffer.from(event.getCustomMetadata_asU8()).toString(),
            });
        }
      }),
    close: async () => {
      await store.close();
      closing.abort();
      appender.close();
      await remove();
    },
  };
};

/** A suite on such a server, and the server once the suite has begun. */
export const serverSuite = (name: string, place: () => Promise<Place>) => {
  const test = suite(name);
  let server: Server | null = null;
  test.before(async () => {
    server = openServer(await place());
  });
  test.after(() => server?.close());
  const opened = (): Server => {
    if (!server) throw new Error('the suite has not begun');
    return server;
  };
  return { test, opened };
};
