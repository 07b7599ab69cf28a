import { StoreUnavailable } from '../../kernel/errors.ts';
import type { EventLog } from '../events/log.ts';
import type { ObjectStore } from '../objects/port.ts';

// A driver waits some seconds for an engine, since most troubles pass. Once it is known that the engine is away, nobody need wait for that.

/**
 * A log that refuses at once while it is away; one that can be read still is read. Followers wait for it by
 * themselves.
 */
export const promptLog = (log: EventLog, isAway: () => boolean, isUnreadable: () => boolean): EventLog => {
  const unlessAway = refusing('the log', isAway);
  const unlessUnreadable = refusing('the log', isUnreadable);
  return {
    load: unlessUnreadable(log.load),
    append: unlessAway(log.append),
    truncate: unlessAway(log.truncate),
    head: unlessUnreadable(log.head),
    follow: log.follow,
    offset: log.offset,
  };
};

/** An object store that does the same; it signs addresses without asking anybody. */
export const promptObjects = (objects: ObjectStore, isAway: () => boolean): ObjectStore => {
  const unlessAway = refusing('the object store', isAway);
  return {
    ...objects,
    head: unlessAway(objects.head),
    read: unlessAway(objects.read),
    copy: unlessAway(objects.copy),
    remove: unlessAway(objects.remove),
    uploads: unlessAway(objects.uploads),
  };
};

const refusing =
  (what: string, isAway: () => boolean) =>
  <A extends readonly unknown[], T>(call: (...given: A) => Promise<T>) =>
  async (...given: A): Promise<T> => {
    if (isAway()) throw new StoreUnavailable(`${what} was away when it was looked at last`);
    return call(...given);
  };
