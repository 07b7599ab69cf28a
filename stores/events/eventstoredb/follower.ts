import { StoreUnavailable } from '../../../kernel/errors.ts';
import type { Position } from '../../../kernel/event.ts';
import { jittered, linkTo, pause } from '../../../kernel/signals.ts';
import type { Follow, Page } from '../port.ts';
import { openCall, requestEvents } from './calls.ts';
import type { Connection, Line } from './connection.ts';
import { noAnswer, notNow } from './failures.ts';
import { buildPages, type PageBuilder } from './pageBuilder.ts';
import { origin, parsePosition } from './positions.ts';
import { newestRequest, subscriptionRequest } from './requests.ts';

type Options = Readonly<{ connection: Connection; answerMs: number; closed: AbortSignal }>;

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 500;
const MAX_OUTAGE_MS = 2_000;

/**
 * Follows by one subscription after the other, each from where the last one ended: the server may end them at
 * any time. A log that is not there for two seconds is `StoreUnavailable`: then it is for the caller's
 * supervision to follow again.
 */
export const createFollower = ({ connection, answerMs, closed }: Options) =>
  async function* follow(after: Position | null, options: Follow): AsyncGenerator<Page> {
    const stop = linkTo(options.signal, closed);
    const { signal } = stop;
    let upTo = after ?? origin;
    parsePosition(upTo);
    let connectedUntil = performance.now();
    let delay = FIRST_DELAY_MS;
    try {
      while (!signal.aborted) {
        let line: Line | null = null;
        try {
          line = await connection.line();
          for await (const page of subscriptionPages(line, upTo, { ...options, signal }, answerMs)) {
            upTo = page.upTo;
            connectedUntil = Number.POSITIVE_INFINITY;
            yield page;
          }
        } catch (reason) {
          if (signal.aborted) break;
          const { error, again } = connection.failed(line, reason);
          if (connectedUntil > performance.now())
            [connectedUntil, delay] = [performance.now(), FIRST_DELAY_MS];
          if (!again || performance.now() - connectedUntil > MAX_OUTAGE_MS) throw error;
        }
        await pause(jittered(delay), signal);
        delay = Math.min(delay * 2, MAX_DELAY_MS);
      }
      if (closed.aborted && !options.signal.aborted) throw new StoreUnavailable('this store has been closed');
    } finally {
      stop.unlink();
    }
  };

// A page ends at this size even if it may have more events. While catching up it waits so long for each of
// them, live so long for all: callers whose appends are answered together then share the commits of readers.
const PAGE_BYTES = 8_000_000;
const BATCH_MS = 100;
const LIVE_MS = 2;

/**
 * The pages of one subscription, until the signal is aborted or the line lost: its node's answers may be
 * stale then. Throws what ends it, and `StoreUnavailable` when the server ends it without an error or does
 * not start it. Its messages are read in order: what a checkpoint states holds for those before it.
 */
async function* subscriptionPages(
  line: Line,
  after: Position,
  { prefixes, types, page, signal }: Follow,
  answerMs: number,
): AsyncGenerator<Page> {
  const start = await startPosition(line, after, answerMs);
  const request = subscriptionRequest(start, prefixes, types);
  const messages = openCall(line, request, signal, line.lost);
  const builder = buildPages(after, prefixes);
  try {
    // The first message confirms the subscription: it must come.
    for (let isStarted = false, since = 0; ; isStarted = true) {
      const next = await messages.next(isStarted ? timeoutFor(builder, since) : answerMs);
      if (builder.count() === 0) since = performance.now();
      if (next === 'aborted') return;
      if (next === 'end') throw notNow(`${line.node} ended a subscription`);
      if (next === 'nothing' && !isStarted) throw noAnswer(line, answerMs);
      const due = next === 'nothing' || builder.take(next.message);
      if (due || builder.count() >= page || builder.bytes() > PAGE_BYTES) yield builder.page();
    }
  } finally {
    messages.close();
  }
}

/**
 * Where a subscription must start. What lay at a position may have been scavenged since; a server that
 * skips one event all the same would leave out the next, so it is given one to skip that is there. An event
 * that it then sends once more is recognised by its position.
 */
const startPosition = async (line: Line, after: Position, answerMs: number): Promise<Position> => {
  if (!line.skipsFirst || after === origin) return after;
  for await (const { position } of requestEvents(line, newestRequest(1, after), answerMs)) return position;
  return origin;
};

/** How long to wait for the next message; without limit once all that came has been handed on. */
const timeoutFor = (builder: PageBuilder, since: number): number | null => {
  if (builder.count() === 0) return null;
  return builder.live() ? Math.max(0, since + LIVE_MS - performance.now()) : BATCH_MS;
};
