import type { Position } from '../../kernel/event.ts';
import type { DocumentStore, Fence, ReadModels, Stored, Write } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { checkpointsAt, foldAll, prefixesOf } from './fold.ts';
import { park } from './parked.ts';
import type { QuarantinedDocument } from './quarantine.ts';
import type { ReadModel } from './readModels.ts';

export type FoldPorts = Readonly<{ log: EventLog; documents: DocumentStore }>;

type FoldLogOptions = Readonly<{
  /** Where to start: after this position, null for the origin. */
  after: Position | null;
  /** Where to stop: at a position, at the end of the log, or only when the signal is aborted. */
  until: Position | 'end' | 'never';
  /** Documents not to fold; `onQuarantine` may add to them. */
  quarantinedFrom: ReadonlyMap<string, string>;
  /** Whether the checkpoints of the collections move too. */
  movesCheckpoints: boolean;
  fence: Fence;
  signal: AbortSignal;
  /** Events that are committed together, while more are waiting. */
  page: number;
  /** Events that are read and folded together, unless `page` is less. */
  read?: number;
  /** Called when a page has been committed. */
  onPage?(page: FoldedPage): Promise<void>;
  onQuarantine(quarantined: QuarantinedDocument): Promise<void>;
}>;

/** A page that has been committed; `types`: how many events of each type it has. */
export type FoldedPage = Readonly<{
  types: ReadonlyMap<string, number>;
  upTo: Position;
  writes: readonly Write[];
}>;

/** Events of larger reads would live long enough to slow down the garbage collection. */
const READ = 500;

/**
 * Folds the log into read models: one engine for rebuilds and for live read models, which catch up as fast as
 * they are rebuilt. Returns the position that it has reached, null when it was cancelled. Throws `LeaseLost`
 * and `StoreUnavailable`.
 */
export const foldLog = async (
  { log, documents: { models, tables } }: FoldPorts,
  readModels: readonly ReadModel[],
  options: FoldLogOptions,
): Promise<Position | null> => {
  const { after, until, quarantinedFrom, fence, signal, page } = options;
  const isOpen = until === 'end' || until === 'never';
  if (!isOpen && after !== null && after >= until) return after;
  const prefixes = prefixesOf(readModels);
  const buffer = createWriteBuffer(models);
  const read = Math.min(page, options.read ?? READ);
  let before = after;
  let count = 0;
  let types = new Map<string, number>();
  for await (const { events, unknown, upTo, live } of log.follow(after, { prefixes, page: read, signal })) {
    await park(tables, unknown);
    const folded = await foldAll(readModels, events, buffer, quarantinedFrom);
    for (const quarantined of folded.quarantined)
      await options.onQuarantine({ ...quarantined, after: before });
    buffer.add(folded.writes);
    count += events.length;
    for (const { type } of events) types.set(type, (types.get(type) ?? 0) + 1);
    const isEnd = isOpen ? live : upTo >= until;
    // A page that was cut short holds large events, or none: then nothing is gained by another.
    if (count + read <= page && events.length === read && !isEnd) continue;
    const writes = buffer.flush();
    await models.commit(writes, options.movesCheckpoints ? checkpointsAt(readModels, upTo) : {}, fence);
    await options.onPage?.({ types, upTo, writes });
    if (isEnd && until !== 'never') return upTo;
    before = upTo;
    count = 0;
    types = new Map();
  }
  return null;
};

/** Documents that are kept after they were written: most change again soon, and each may have megabytes. */
const KEPT = 100;

/**
 * Collects the writes of several pages, so that each document is written once for all of them, and keeps at
 * least the `kept` documents written last. That holds while nobody else writes to the collections, which
 * their lease ensures.
 */
export const createWriteBuffer = (models: Pick<ReadModels, 'stored'>, kept = KEPT) => {
  const written = byCollection<Write>();
  let recent = byCollection<Stored<object>>();
  let older = byCollection<Stored<object>>();
  return {
    /** The stored documents as they will be once the buffered writes are committed. */
    stored: async <D>(
      collection: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Stored<D>>> => {
      const [first, second] = [recent.of(collection), older.of(collection)];
      const known = ids.flatMap((id) => first.get(id) ?? second.get(id) ?? []);
      const found = new Map(known.map((stored) => [stored.id, stored as Stored<D>]));
      if (found.size === ids.length) return found;
      const elsewhere = ids.filter((id) => !found.has(id));
      for (const [id, stored] of await models.stored<D>(collection, elsewhere)) found.set(id, stored);
      return found;
    },
    add: (writes: readonly Write[]): void => {
      for (const write of writes) {
        const { collection, id, position, document } = write;
        const own = written.of(collection);
        const earlier = own.get(id);
        // What is stored, not what was buffered: those would make a chain.
        own.set(id, earlier && write.before ? { ...write, before: earlier.before } : write);
        recent.of(collection).set(id, { id, position, document });
      }
    },
    /** Empties the buffer and returns its writes. */
    flush: (): readonly Write[] => {
      const writes = written.all();
      written.clear();
      if (recent.size() >= kept) [older, recent] = [recent, byCollection<Stored<object>>()];
      return writes;
    },
  };
};

const byCollection = <T>() => {
  const all = new Map<string, Map<string, T>>();
  return {
    of: (collection: string): Map<string, T> => {
      const own = all.get(collection) ?? new Map<string, T>();
      all.set(collection, own);
      return own;
    },
    all: (): readonly T[] => [...all.values()].flatMap((own) => [...own.values()]),
    size: (): number => [...all.values()].reduce((sum, own) => sum + own.size, 0),
    clear: (): void => all.clear(),
  };
};
