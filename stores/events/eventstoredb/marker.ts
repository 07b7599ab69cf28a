import { randomUUID } from 'node:crypto';
import type { Position } from '../../../kernel/event.ts';
import type { Appender } from './appender.ts';
import { changeMetadata } from './metadata.ts';
import type { Reader } from './reader.ts';

/** The stream of the log's markers, which every follower gets whatever it is told to follow. */
export const MARKER = 'intakeLogMarker';

/** Streams of the server's own. */
export const isSystem = (stream: string): boolean => stream.startsWith('$');

/** So many markers apart the server is told again to keep no more than the newest. */
const REMINDED = 1_000;
const MARK_AFTER_MS = 500;

/** Tells where the log ends, in a way that every follower gets to know. */
export type Marks = Readonly<{
  /** The position of a marker behind which there is no other event of anybody's but the server's. */
  head(): Promise<Position>;
  /** Sees to it that followers whose streams were not appended to learn soon how far the log has grown. */
  soon(): void;
  close(): void;
}>;

/**
 * A follower whose streams are quiet is told nothing of the log's growth by the server. So the head is a
 * marker: the one that is last already, or a new one, and it reaches every follower in its turn. No more is
 * written than there were appends to mark.
 */
export const createMarks = (reader: Reader, appender: Appender): Marks => {
  let timer: NodeJS.Timeout | undefined;
  const write = async (): Promise<Position> => {
    const row = { id: randomUUID(), type: 'LogMarked', data: '{}', metadata: '{}' };
    const { revision, position } = await appender.append(MARKER, 'any', [row]);
    if (revision % REMINDED === 0)
      await changeMetadata({ reader, appender }, MARKER, (known) =>
        known.$maxCount === 1 ? null : { ...known, $maxCount: 1 },
      );
    return position ?? (await look()) ?? write();
  };
  const look = async (): Promise<Position | null> => {
    const newest = await reader.newestOfAll(({ stream }) => !isSystem(stream));
    return newest?.stream === MARKER ? newest.position : null;
  };
  const head = oneAfterTheOther(async () => (await look()) ?? write());
  return {
    head,
    soon: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        // Only hastens what the next to ask for the head does anyway: a store that is away is noticed
        // elsewhere.
        head().catch(() => undefined);
      }, MARK_AFTER_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
};

/** Runs begin one after the other; all who ask during one share the next, which begins after they asked. */
const oneAfterTheOther = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const begun = run();
      running = begun.catch(() => undefined); // its own caller is told
      return begun;
    });
    return next;
  };
};
