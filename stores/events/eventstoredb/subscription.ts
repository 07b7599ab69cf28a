import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '../../../kernel/event.ts';
import type { Page } from '../port.ts';
import { eventOf } from './answers.ts';
import { readMessages } from './calls.ts';
import { callsOn, type Line } from './connection.ts';
import { noAnswer, notNow } from './failures.ts';
import { MARKER } from './marker.ts';
import { messagesOf } from './messages.ts';
import { buildPages, type PageBuilder } from './pageBuilder.ts';
import { origin } from './positions.ts';
import { type Filter, newestRequest, subscriptionRequest } from './requests.ts';

/** What to follow along a line, from where on. */
export type Subscription = Readonly<{
  line: Line;
  after: Position;
  prefixes: readonly string[];
  page: number;
  signal: AbortSignal;
  answerMs: number;
}>;

// A page ends at this much though more events were asked for, and waits so long for more while there is more
// to catch up with.
const PAGE_BYTES = 8_000_000;
const BATCH_MS = 100;

/**
 * The pages of one subscription, until the signal is aborted. Throws what ends it, and `StoreUnavailable`
 * when the server ends it without an error or does not start it. Its messages are taken in their order: what
 * a checkpoint states holds for the messages before it.
 */
export async function* subscriptionPages(subscription: Subscription): AsyncGenerator<Page> {
  const { line, after, prefixes, page, signal, answerMs } = subscription;
  const request = subscriptionRequest(await startPosition(subscription), filterOf(prefixes));
  if (signal.aborted) return;
  const call = callsOn(line).read(request, line.metadata);
  const messages = messagesOf<ReadResp>(call, signal);
  const builder = buildPages(after, prefixes);
  try {
    // The first message confirms the subscription: it must come.
    for (let begun = false; !signal.aborted; begun = true) {
      const next = await messages.next(begun ? timeoutFor(builder) : answerMs);
      if (signal.aborted) return;
      if (next === 'end') throw notNow(`${line.node} ended a subscription`);
      if (next === 'nothing' && !begun) throw noAnswer(line, answerMs);
      const due = next === 'nothing' || builder.take(next.message);
      if (due || builder.count() >= page || builder.bytes() > PAGE_BYTES) yield builder.page();
    }
  } finally {
    messages.close();
  }
}

/**
 * Where a subscription must start. What lay at a position may have been cleared away since; a server that
 * skips one event all the same would leave out the next, so it is given one to skip that is there. What it
 * then sends once more is known by its position.
 */
const startPosition = async ({ line, after, answerMs }: Subscription): Promise<Position> => {
  if (!line.skipsFirst || after === origin) return after;
  let before = origin;
  await readMessages(line, newestRequest(1, after), answerMs, (message) => {
    before = eventOf(message)?.position ?? before;
    return before !== origin;
  });
  return before;
};

/** How long to wait for the next message; without limit once all that came has been handed on. */
const timeoutFor = (builder: PageBuilder): number | null => {
  if (builder.count() === 0) return null;
  return builder.live() ? 0 : BATCH_MS;
};

const filterOf = (prefixes: readonly string[]): Filter =>
  prefixes.includes('') ? { regex: '^[^$]' } : { prefixes: [...prefixes, MARKER] };
