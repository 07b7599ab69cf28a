import { setMaxListeners } from 'node:events';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { waitFor } from '../../kernel/timeLimit.ts';
import { addressOf } from './eventstoredb/address.ts';
import { createAppender } from './eventstoredb/appender.ts';
import { connect } from './eventstoredb/connection.ts';
import { createFollower } from './eventstoredb/follower.ts';
import { createMarkers } from './eventstoredb/marker.ts';
import { truncater } from './eventstoredb/metadata.ts';
import { parsePosition } from './eventstoredb/positions.ts';
import { createReader } from './eventstoredb/reader.ts';
import { newRows } from './newRows.ts';
import type { EventStore } from './port.ts';

/**
 * `answerMs`: how long an answer may take before a call is made again (default 3 s). `inFlight`: how many
 * appends are under way at once (default 128); the others wait.
 */
type Options = Readonly<{ connectionString: string; answerMs?: number; inFlight?: number }>;

/**
 * The log in an EventStoreDB (23.10 or newer), one node or a cluster, for any number of processes. It
 * connects by itself, and again whenever the connection breaks. Throws `StoreMisconfigured` for a connection
 * string that is not valid; each operation throws it for what waiting does not mend (a wrong password, a
 * missing right, an old server), and `StoreUnavailable` for what it does.
 */
export const eventStoreDb = ({ connectionString, answerMs = 3_000, inFlight = 128 }: Options): EventStore => {
  const closing = new AbortController();
  const closed = closing.signal;
  setMaxListeners(0, closed); // each follower listens
  const connection = connect({ address: addressOf(connectionString), answerMs, closed });
  const appender = createAppender({ connection, answerMs, inFlight });
  const reader = createReader(connection, answerMs);
  const markers = createMarkers(reader, appender);
  const underWay = new Set<Promise<unknown>>();
  let open = true;

  const append: EventStore['append'] = async (stream, expected, events) => {
    const { revision, position } = await appender.append(stream, expected, newRows(events));
    markers.schedule();
    // The server need not report where a repetition was stored.
    return { revision, position: position ?? (await positionAt(stream, revision)) };
  };
  const positionAt = async (stream: string, revision: number) => {
    for await (const event of reader.read(stream, revision)) return event.position;
    throw new StoreUnavailable(`the event store does not show ${stream}@${revision} yet`);
  };

  return {
    append: async (stream, expected, events) => {
      if (!open) throw new StoreUnavailable('this store has been closed');
      const appending = append(stream, expected, events);
      underWay.add(appending);
      return appending.finally(() => underWay.delete(appending));
    },
    read: (stream, from = 0) => reader.read(stream, from),
    truncate: truncater(reader, appender),
    follow: createFollower({ connection, answerMs, closed }),
    head: markers.head,
    offset: (position) => Number(parsePosition(position).commit),
    close: async () => {
      open = false;
      markers.close();
      // A silent server is not waited for any longer.
      await waitFor(Promise.allSettled(underWay), answerMs);
      closing.abort();
      appender.close();
    },
  };
};
