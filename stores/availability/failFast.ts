import { StoreUnavailable } from '../../kernel/errors.ts';
import type { EventLog } from '../events/log.ts';
import type { ObjectStore } from '../objects/port.ts';

// A driver waits some seconds for an engine, since most faults pass. While an outage is known, calls fail at
// once.

/**
 * A log whose calls fail at once while it is unavailable; one that can still be read is read. Followers wait
 * for it by themselves.
 */
export const promptLog = (
  log: EventLog,
  isUnavailable: () => boolean,
  isUnreadable: () => boolean,
): EventLog => {
  const unlessUnavailable = refusing('the log', isUnavailable);
  const unlessUnreadable = refusing('the log', isUnreadable);
  return {
    ...log,
    load: unlessUnreadable(log.load),
    append: unlessUnavailable(log.append),
    truncate: unlessUnavailable(log.truncate),
    head: unlessUnreadable(log.head),
  };
};

/** An object store that does the same; it signs URLs without a call. */
export const promptObjects = (objects: ObjectStore, isUnavailable: () => boolean): ObjectStore => {
  const unlessUnavailable = refusing('the object store', isUnavailable);
  const { inParts } = objects;
  return {
    ...objects,
    head: unlessUnavailable(objects.head),
    read: unlessUnavailable(objects.read),
    put: unlessUnavailable(objects.put),
    copy: unlessUnavailable(objects.copy),
    sha256: unlessUnavailable(objects.sha256),
    remove: unlessUnavailable(objects.remove),
    uploads: unlessUnavailable(objects.uploads),
    inParts: {
      ...inParts,
      begin: unlessUnavailable(inParts.begin),
      parts: unlessUnavailable(inParts.parts),
      join: unlessUnavailable(inParts.join),
      drop: unlessUnavailable(inParts.drop),
      unfinished: unlessUnavailable(inParts.unfinished),
    },
  };
};

const refusing =
  (what: string, isUnavailable: () => boolean) =>
  <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    if (isUnavailable()) throw new StoreUnavailable(`${what} was unavailable when it was last probed`);
    return call(...args);
  };
