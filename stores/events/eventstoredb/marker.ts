import { randomUUID } from 'node:crypto';
import type { Position } from '../../../kernel/event.ts';
import type { Appender } from './appender.ts';
import { changeMetadata } from './metadata.ts';
import type { Reader } from './reader.ts';
import { MARKED, MARKER } from './requests.ts';

/** Streams of the server's own. */
export const isSystem = (stream: string): boolean => stream.startsWith('$');

/** Every so many markers the stream's metadata are checked, which keep only the newest. */
const TRIM_EVERY = 1_000;
const MARK_AFTER_MS = 500;

/**
 * The server does not report the log's growth to a follower whose streams are quiet. So the head is a marker,
 * the last one or a new one, which every follower gets. There are at most as many markers as appends.
 */
export const createMarkers = (reader: Reader, appender: Appender) => {
  let timer: NodeJS.Timeout | undefined;
  const write = async (): Promise<Position> => {
    const row = { id: randomUUID(), type: MARKED, data: '{}', metadata: '{}' };
    const { revision, position } = await appender.append(MARKER, 'any', [row]);
    if (revision % TRIM_EVERY === 0)
      await changeMetadata({ reader, appender }, MARKER, (members) =>
        members.$maxCount === 1 ? null : { ...members, $maxCount: 1 },
      );
    return position ?? (await newestMarker()) ?? write();
  };
  const newestMarker = async (): Promise<Position | null> => {
    const newest = await reader.newestOfAll(({ stream }) => !isSystem(stream));
    return newest?.stream === MARKER ? newest.position : null;
  };
  const head = coalesced(async () => (await newestMarker()) ?? write());
  return {
    /** The position of a marker that only events of the server itself follow. */
    head,
    /** Writes a marker soon, for followers whose streams were not appended to. */
    schedule: (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        // The next call of head() does the same: an outage is noticed elsewhere.
        head().catch(() => undefined);
      }, MARK_AFTER_MS).unref();
    },
    close: (): void => clearTimeout(timer),
  };
};

/** One run at a time; all callers during a run share the next one, which starts after they called. */
const coalesced = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const started = run();
      running = started.catch(() => undefined);
      return started;
    });
    return next;
  };
};
