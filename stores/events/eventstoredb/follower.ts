import { StoreUnavailable } from '../../../kernel/errors.ts';
import type { Position } from '../../../kernel/event.ts';
import { jittered, linkTo, pause } from '../../../kernel/signals.ts';
import type { Follow, Page } from '../port.ts';
import type { Connection, Line } from './connection.ts';
import { origin, placeOf } from './positions.ts';
import { type Subscription, subscriptionPages } from './subscription.ts';

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
    const { prefixes, page } = options;
    const stop = linkTo(options.signal, closed);
    let upTo = after ?? origin;
    placeOf(upTo);
    let connectedUntil = performance.now();
    let delay = FIRST_DELAY_MS;
    try {
      while (!stop.signal.aborted) {
        let line: Line | null = null;
        try {
          line = await connection.line();
          const subscription = { line, after: upTo, prefixes, page, signal: stop.signal, answerMs };
          for await (const next of pagesAlong(subscription)) {
            upTo = next.upTo;
            connectedUntil = Number.POSITIVE_INFINITY;
            yield next;
          }
        } catch (reason) {
          if (stop.signal.aborted) break;
          const { error, again } = connection.failed(line, reason);
          if (connectedUntil > performance.now())
            [connectedUntil, delay] = [performance.now(), FIRST_DELAY_MS];
          if (!again || performance.now() - connectedUntil > MAX_OUTAGE_MS) throw error;
        }
        await pause(jittered(delay), stop.signal);
        delay = Math.min(delay * 2, MAX_DELAY_MS);
      }
      if (closed.aborted && !options.signal.aborted) throw new StoreUnavailable('this store has been closed');
    } finally {
      stop.unlink();
    }
  };

/** The pages of one subscription, until its line is lost: its node's answers may be stale then. */
async function* pagesAlong(subscription: Subscription): AsyncGenerator<Page> {
  const stop = linkTo(subscription.signal, subscription.line.lost);
  try {
    yield* subscriptionPages({ ...subscription, signal: stop.signal });
  } finally {
    stop.unlink();
  }
}
