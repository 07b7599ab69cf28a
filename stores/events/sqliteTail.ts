import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '../../kernel/event.ts';
import type { Database } from '../sqlite/database.ts';
import type { Follow, Page, RecordedEvent } from './port.ts';
import type { Append, Appended } from './sqliteAppends.ts';
import { origin, pageReader, positionOf, recorded, type StoredRow } from './sqliteRows.ts';

type Waiting = Readonly<{ position: Position; wake(): void }>;

const POLL_MS = 20;
/** How much text of events is kept at most. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Follows the log. Its newest events are kept as long as somebody follows: those at the head share what a
 * commit of this process has added. Who is behind reads. Commits of other connections and processes are
 * noticed within 20 ms, by one poll for all.
 */
export const sqliteTail = (database: Database) => {
  const newest = newestEvents(database);
  const waiting = new Set<Waiting>();
  let followers = 0;
  let timer: NodeJS.Timeout | undefined;

  const wake = (isAll = false): void => {
    for (const waiter of waiting) if (isAll || waiter.position < newest.upTo()) waiter.wake();
  };
  const poll = (): void => {
    try {
      if (newest.read()) wake();
    } catch {
      wake(true); // their next read throws the same error to its caller
    }
  };
  /** Resolves once there is more after a position, or the signal is aborted. */
  const more = (position: Position, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted || position < newest.upTo()) return resolve();
      const leave = (): void => {
        waiting.delete(waiter);
        signal.removeEventListener('abort', leave);
        if (waiting.size === 0) timer = void clearInterval(timer);
        resolve();
      };
      const waiter = { position, wake: leave };
      signal.addEventListener('abort', leave);
      waiting.add(waiter);
      timer ??= setInterval(poll, POLL_MS);
    });

  return {
    /** Reports what became of appends of this process, in the order of their commit. */
    committed: (appends: readonly Append[], results: readonly Appended[]): void => {
      if (followers === 0) return;
      for (const [index, append] of appends.entries()) newest.appended(append, results[index]);
      wake();
    },
    async *follow(after: Position | null, options: Follow): AsyncGenerator<Page> {
      const read = pageReader(database, options.prefixes);
      let position = after ?? origin;
      let [isFirst, hasBeenLive] = [true, false];
      followers += 1;
      try {
        while (!options.signal.aborted) {
          // Not before a read has reached the head: commits of others are noticed later than they are read.
          const page = (hasBeenLive ? newest.page(position, options) : null) ?? read(position, options.page);
          if (page.upTo > position || isFirst) yield page;
          isFirst = false;
          hasBeenLive ||= page.live;
          position = page.upTo;
          await (page.live ? more(position, options.signal) : nextTurn());
        }
      } finally {
        followers -= 1;
      }
    },
  };
};

/** The newest events of this process, as they are read from the log: all after a position, without a gap. */
const newestEvents = (database: Database) => {
  const head = database.prepare<[number | null]>('SELECT max(position) FROM events');
  // SQLite's data_version moves with the commits of every other connection.
  const dataVersion = database.prepare<[number]>('PRAGMA data_version');
  let version: number | undefined;
  let [from, to] = [origin, origin];
  let events: RecordedEvent[] = [];
  let characters = 0;

  const startAt = (position: Position): void => {
    [from, to, events, characters] = [position, position, [], 0];
  };
  const add = (before: Position, rows: readonly StoredRow[], upTo: Position): void => {
    const length = rows.reduce((sum, row) => sum + row[5].length + row[6].length, 0);
    if (before !== to || characters + length > MAX_CHARACTERS) startAt(before);
    events.push(...rows.map(recorded(database)));
    characters += length;
    to = upTo;
    if (length > MAX_CHARACTERS) startAt(upTo);
  };
  return {
    upTo: (): Position => to,
    /** Notices what others have committed; gives whether there was a commit. */
    read: (): boolean => {
      const [present] = dataVersion.get() ?? [];
      if (present === version) return false;
      const last = head.get()?.[0] ?? 0;
      if (last > Number(to)) startAt(positionOf(last)); // each follower reads what they have added
      version = present;
      return true;
    },
    /** Adds what an append of this process has stored. */
    appended: ({ stream, first, rows }: Append, result: Appended | undefined): void => {
      // A repetition may be of events that are stored with other data, and a read may have come first.
      if (!result || !('position' in result) || result.isRepetition || result.position <= to) return;
      const before = Number(result.position) - rows.length;
      const stored = rows.map(({ id, type, metadata, data }, n): StoredRow => {
        return [String(before + n + 1), stream, String(first + n), id, type, metadata, data];
      });
      add(positionOf(before), stored, result.position);
    },
    /** The page behind a position; null unless all events behind it are here. */
    page: (position: Position, { prefixes, types, page }: Follow): Page | null => {
      if (position < from || position >= to) return null;
      const found = events
        .slice(events.findLastIndex((event) => event.position <= position) + 1)
        .filter(({ type }) => types?.includes(type) ?? true)
        .filter(({ stream }) => prefixes.some((prefix) => stream.startsWith(prefix)));
      const last = found[page - 1];
      if (!last || found.length === page) return { events: found, upTo: to, live: true };
      return { events: found.slice(0, page), upTo: last.position, live: false };
    },
  };
};
