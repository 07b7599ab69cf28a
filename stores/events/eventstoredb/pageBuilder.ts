import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '../../../kernel/event.ts';
import type { Page, RecordedEvent } from '../port.ts';
import { checkpointOf, eventOf, type Received } from './answers.ts';
import { isSystem } from './marker.ts';
import { MARKER } from './requests.ts';

export type PageBuilder = ReturnType<typeof buildPages>;

/**
 * Gathers from the messages of a subscription the events of streams that start with one of `prefixes`, after
 * `after`.
 */
export const buildPages = (after: Position, prefixes: readonly string[]) => {
  let [events, bytes, upTo, live]: [RecordedEvent[], number, Position, boolean] = [[], 0, after, false];
  let believed: Position | null = null;

  const takeEvent = (event: Received): boolean => {
    believed = null;
    if (event.position <= upTo) return false;
    upTo = event.position;
    if (!matches(event.stream, prefixes)) return live && events.length === 0;
    events.push(event.open());
    bytes += event.bytes;
    return false;
  };

  // A checkpoint may lie among events of the server's own, after what head() gives: a follower must never
  // seem to be ahead of the log. When the next one comes there are thousands of events behind it, and none of
  // them is a marker.
  const takeCheckpoint = (checkpoint: Position): boolean => {
    const passed = believed;
    believed = checkpoint;
    if (passed === null || passed <= upTo || passed >= checkpoint) return false;
    upTo = passed;
    return events.length === 0;
  };

  const takeControl = (message: ReadResp): boolean => {
    const wasLive = live;
    if (message.hasCaughtUp()) live = true;
    if (message.hasFellBehind()) live = false;
    believed = null;
    return live && (!wasLive || events.length > 0);
  };

  return {
    /** Takes the next message; true when followers should get it without waiting for another. */
    take: (message: ReadResp): boolean => {
      const event = eventOf(message);
      if (event) return takeEvent(event);
      const checkpoint = checkpointOf(message);
      return checkpoint === null ? takeControl(message) : takeCheckpoint(checkpoint);
    },
    live: (): boolean => live,
    count: (): number => events.length,
    bytes: (): number => bytes,
    /** What has been gathered; starts again after it. */
    page: (): Page => {
      const page = { events, upTo, live };
      [events, bytes] = [[], 0];
      return page;
    },
  };
};

// The server's comparison follows the rules of a language, and may find more.
const matches = (stream: string, prefixes: readonly string[]): boolean =>
  stream !== MARKER && !isSystem(stream) && prefixes.some((prefix) => stream.startsWith(prefix));
