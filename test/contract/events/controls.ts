import { randomUUID } from 'node:crypto';
import type { Position } from '../../../kernel/event.ts';
import type { EventStore, Page, RecordedEvent, StoredEvent } from '../../../stores/events/port.ts';

/**
 * A log for one suite: `connect` opens one more store on it, as another process would. It need not be empty.
 */
export type Place = Readonly<{ connect(): Promise<EventStore>; remove(): Promise<void> }>;

/** A category (stream prefix) that no other test uses. */
export const newCategory = (): string => `test${randomUUID().replaceAll('-', '')}-`;

/** An event as the codec would hand it to a driver. */
export const storedEvent = (data: Readonly<Record<string, unknown>> = {}): StoredEvent => ({
  id: randomUUID(),
  type: 'SomethingHappened',
  data,
  metadata: {
    schema: 1,
    at: '2026-11-21T10:00:00.000Z',
    $correlationId: randomUUID(),
    $causationId: randomUUID(),
    actor: { kind: 'system', id: 'test' },
    prev: null,
  },
});

/** Events numbered in `data.n` from `first` on. */
export const numbered = (count: number, first = 0): readonly StoredEvent[] =>
  Array.from({ length: count }, (_, index) => storedEvent({ n: first + index }));

/** All that an async iterable gives. */
export const collect = async <T>(source: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
};

type Following = Readonly<{ prefixes: readonly string[]; types?: readonly string[]; page?: number }>;

/** The pages from `after` on, up to and with the first that satisfies `enough`. */
export const pagesUntil = async (
  store: EventStore,
  after: Position | null,
  { page = 100, ...following }: Following,
  enough: (page: Page, events: readonly RecordedEvent[]) => boolean,
): Promise<readonly Page[]> => {
  const stop = new AbortController();
  const pages: Page[] = [];
  for await (const found of store.follow(after, { ...following, page, signal: stop.signal })) {
    pages.push(found);
    const events = pages.flatMap((each) => each.events);
    if (enough(found, events)) break;
  }
  stop.abort();
  return pages;
};

/** Everything from `after` to the log's head. */
export const untilLive = async (
  store: EventStore,
  after: Position | null,
  following: Following,
): Promise<readonly RecordedEvent[]> =>
  (await pagesUntil(store, after, following, (page) => page.live)).flatMap((page) => page.events);

/** The promise's rejection; fails when it resolves. */
export const failure = async (promise: Promise<unknown>): Promise<Error> => {
  const outcome = await promise.then(
    () => new Error('expected a failure'),
    (error: Error) => ({ failed: error }),
  );
  if ('failed' in outcome) return outcome.failed;
  throw outcome;
};
