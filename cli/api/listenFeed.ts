import { type EventFeed, type IntakeClient, IntakeError } from '../../client/index.ts';
import { jittered, pause } from '../../kernel/signals.ts';

/** A place in the feed: so many events behind a cursor. */
export type Place = Readonly<{ cursor: string; events: number }>;

/** An event of the feed. */
export type FeedEvent = EventFeed['data'][number];

/** Where to start: at a place, or else at `from` (`now`, a time; null: at the first event). */
export type Start = Readonly<{
  place: Place | null;
  from: string | null;
  types: readonly FeedEvent['eventType'][];
}>;

/** An event, and the place after it. Without an event the place is where the feed starts. */
type Step = Readonly<{ event: FeedEvent | null; place: Place }>;

const WAIT_S = 25;
const PAGE = 100;
const MAX_PAUSE_MS = 5_000;

/**
 * The events of a key one by one, for ever. While the service does not answer it is asked again and again,
 * which `notice` says once. Throws the signal's reason when it is aborted, and IntakeErrors that a repetition
 * would not mend.
 */
export async function* follow(
  intake: IntakeClient,
  { place, from, types }: Start,
  notice: (text: string) => void,
  signal: AbortSignal,
): AsyncGenerator<Step, never> {
  const asked = types.length === 0 ? {} : { types: types.join() };
  const read = (query: object) =>
    untilAnswered(
      () => intake.get('/api/v1/events', { query: { ...asked, ...query }, signal }),
      notice,
      signal,
    );
  // A time is where the service starts to look: some events of the seconds before come first.
  const isDue = ({ occurredAt }: FeedEvent): boolean => from === null || from === 'now' || occurredAt >= from;
  let at = place;
  while (at === null) {
    // An event alone in its page, so that the place after it has a cursor.
    const { data, pagination } = await read({ ...(from !== null && { from }), limit: 1 });
    at = { cursor: pagination.nextCursor ?? '', events: 0 };
    yield { event: data.find(isDue) ?? null, place: at };
  }
  for (;;) {
    const { cursor, events } = at;
    const { data, pagination } = await read({ cursor, wait: WAIT_S, limit: PAGE });
    const next: Place = { cursor: pagination.nextCursor ?? cursor, events: 0 };
    for (const [n, event] of data.entries())
      if (n >= events && isDue(event))
        yield { event, place: n + 1 < data.length ? { cursor, events: n + 1 } : next };
    at = next;
  }
}

const untilAnswered = async <T>(
  ask: () => Promise<T>,
  notice: (text: string) => void,
  signal: AbortSignal,
): Promise<T> => {
  for (let failures = 0; ; failures += 1) {
    try {
      const answer = await ask();
      if (failures > 0) notice('The service answers again.');
      return answer;
    } catch (error) {
      if (!(error instanceof IntakeError && error.retryable)) throw error;
      if (failures === 0) notice(`${error.message}. It is asked again until it answers.`);
      await pause(error.retryAfterMs ?? jittered(Math.min(MAX_PAUSE_MS, 250 * 2 ** failures)), signal);
      signal.throwIfAborted();
    }
  }
};
