import { StoreDamaged, StoreUnavailable } from '../../kernel/errors.ts';
import type { Event, Position, Recorded } from '../../kernel/event.ts';
import { groupBy } from '../../kernel/groupBy.ts';
import type { Report } from '../../kernel/report.ts';
import { pause } from '../../kernel/signals.ts';
import { MAX_DELAY_MS as OUTAGE_DELAY_MS } from '../../kernel/supervise.ts';
import type { Progress } from '../../projections/engine/progress.ts';
import type { DocumentStore, Fence } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import type { Reactor } from './reactor.ts';
import { setAside } from './setAside.ts';

export type ReactorOptions<E extends Event> = Readonly<{
  reactor: Reactor<E>;
  log: EventLog;
  documents: DocumentStore;
  progress: Pick<Progress, 'reached'>;
  fence: Fence;
  signal: AbortSignal;
  report: Report;
  /**
   * How long a failing reaction is tried again before it is set aside, except while its store is
   * unavailable; default 5 minutes.
   */
  patienceMs?: number;
  /** A monotonic clock, in milliseconds. */
  elapsedMs?: () => number;
}>;

/** Where reactors that start `now` started: `after` is the head of the log then, null when it was empty. */
const STARTS = 'reactorStarts';

const PAGE = 500;
const AT_ONCE = 32;
/** How long the checkpoint may stay while pages need no reaction. */
const SKIPPED_MS = 1_000;
/** How long a page after the head waits at most for the read models to reach it. */
const BEHIND_MS = 1_000;
const PATIENCE_MS = 5 * 60_000;
const MAX_DELAY_MS = 10_000;

/**
 * Feeds a reactor from its checkpoint on until the signal is aborted: up to 32 events of a page at once, in
 * order within a stream; the checkpoint moves when the whole page is done, but beyond pages without a
 * reaction at most once a second. Throws `LeaseLost` and `StoreUnavailable`.
 */
export const runReactor = async <E extends Event>(options: ReactorOptions<E>): Promise<void> => {
  const { reactor, log, documents, progress, fence, signal, elapsedMs = () => performance.now() } = options;
  const checkpoint = checkpointOf(reactor);
  const after = (await documents.models.checkpoint(checkpoint)) ?? (await startOf(options));
  await reactor.start?.(after);
  let movedAt = Number.NEGATIVE_INFINITY;
  let skippedTo: Position | null = null;
  const move = async (to: Position): Promise<void> => {
    await documents.models.commit([], { [checkpoint]: to }, fence);
    movedAt = elapsedMs();
    skippedTo = null;
  };
  for await (const { events, upTo, live } of log.follow(after, {
    prefixes: reactor.prefixes,
    types: reactor.handles,
    page: PAGE,
    signal,
  })) {
    // Behind the head the read models come first: the work that a reaction makes due is found in them.
    if (!live) await progress.reached((await log.head()) ?? upTo, BEHIND_MS);
    const handled = events.filter((event) => reactor.handles.includes(event.type)) as readonly Event[];
    // A page that needs no reaction may be read again: most are such, and each write delays others.
    if (handled.length === 0 && elapsedMs() - movedAt < SKIPPED_MS) {
      skippedTo = upTo;
      continue;
    }
    // Reactions may take long, and the lag is measured from the checkpoint.
    if (handled.length > 0 && skippedTo !== null) await move(skippedTo);
    reactor.learn?.(handled as readonly Recorded<E>[]);
    await reactToPage(handled as readonly Recorded<E>[], options);
    if (signal.aborted) return;
    await move(upTo);
  }
};

/** The name of a reactor's checkpoint. */
export const checkpointOf = ({ name }: Pick<Reactor, 'name'>): string => `reactor:${name}`;

/** `now` is the head at the first start, stored so that a restart before the first page loses nothing. */
const startOf = async <E extends Event>({
  reactor,
  log,
  documents: { tables },
}: ReactorOptions<E>): Promise<Position | null> => {
  if (reactor.startFrom === 'origin') return null;
  await tables.insert(STARTS, reactor.name, { after: await log.head() });
  return (await tables.read<{ after: Position | null }>(STARTS, reactor.name))?.row.after ?? null;
};

const reactToPage = async <E extends Event>(
  events: readonly Recorded<E>[],
  options: ReactorOptions<E>,
): Promise<void> => {
  const streams = [...groupBy(events, ({ stream }) => stream).values()];
  const worker = async (): Promise<void> => {
    for (let stream = streams.shift(); stream; stream = streams.shift()) {
      for (const event of stream) await reactWithRetries(event, options);
    }
  };
  // All of them end before a failure is thrown on: a reactor that is started again must not run beside its
  // own stragglers.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
};

const reactWithRetries = async <E extends Event>(
  event: Recorded<E>,
  { reactor, documents, signal, report, patienceMs = PATIENCE_MS }: ReactorOptions<E>,
): Promise<void> => {
  const end = performance.now() + patienceMs;
  for (let delay = 100; !signal.aborted; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    let rest = delay;
    try {
      return await reactor.react(event, signal);
    } catch (error) {
      if (error instanceof StoreDamaged) throw error;
      const facts = { reactor: reactor.name, eventId: event.id, err: error };
      if (error instanceof StoreUnavailable) rest = Math.min(delay, OUTAGE_DELAY_MS);
      // An outage is not the event's fault: its reaction must not be set aside, however long that takes.
      if (performance.now() < end || error instanceof StoreUnavailable) {
        report.warn('a reaction failed and will be tried again', facts);
      } else {
        report.error('a reaction was set aside', facts);
        return await setAside(documents.tables, reactor.name, event, error);
      }
    }
    await pause(rest, signal);
  }
};
