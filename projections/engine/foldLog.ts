import type { Position } from '../../kernel/event.ts';
import type { DocumentStore, Fence, ReadModels, Stored, Write } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { checkpointsAt, foldAll, prefixesOf } from './fold.ts';
import { park } from './parked.ts';
import type { QuarantinedDocument } from './quarantine.ts';
import type { ReadModel } from './readModels.ts';

export type FoldPorts = Readonly<{ log: EventLog; documents: DocumentStore }>;

type FoldLogOptions = Readonly<{
  /** Where to start: behind this position, null for the origin. */
  after: Position | null;
  /** Where to stop; null: at the end of the log. */
  until: Position | null;
  /** Documents not to fold; `onQuarantine` may add to them. */
  quarantinedFrom: ReadonlyMap<string, string>;
  /** Whether the checkpoints of the collections move too. */
  movesCheckpoints: boolean;
  fence: Fence;
  signal: AbortSignal;
  /** Events that are committed together. */
  page: number;
  /** Events that are read and folded together, unless `page` is less. */
  read?: number;
  onPage?(page: Readonly<{ events: number; upTo: Position; writes: readonly Write[] }>): Promise<void>;
  onQuarantine(quarantined: QuarantinedDocument): Promise<void>;
}>;

/** Events of larger reads would live long enough to slow down the garbage collection. */
const READ = 500;

/**
 * Folds the log into read models. Returns the position that it has reached, null when it was cancelled.
 * Throws `LeaseLost` and `StoreUnavailable`.
 */
export const foldLog = async (
  { log, documents: { models, tables } }: FoldPorts,
  readModels: readonly ReadModel[],
  options: FoldLogOptions,
): Promise<Position | null> => {
  const { after, until, quarantinedFrom, fence, signal, page } = options;
  if (until !== null && after !== null && after >= until) return after;
  const prefixes = prefixesOf(readModels);
  const buffer = createWriteBuffer(models);
  const read = Math.min(page, options.read ?? READ);
  let before = after;
  let count = 0;
  for await (const { events, unknown, upTo, live } of log.follow(after, { prefixes, page: read, signal })) {
    await park(tables, unknown);
    const folded = await foldAll(readModels, events, buffer, quarantinedFrom);
    for (const quarantined of folded.quarantined)
      await options.onQuarantine({ ...quarantined, after: before });
    buffer.add(folded.writes);
    count += events.length;
    const isEnd = until === null ? live : upTo >= until;
    // A page that was cut short holds large events, or none: then nothing is gained by another.
    if (count + read <= page && events.length === read && !isEnd) continue;
    const writes = buffer.flush();
    await models.commit(writes, options.movesCheckpoints ? checkpointsAt(readModels, upTo) : {}, fence);
    before = upTo;
    await options.onPage?.({ events: count, upTo, writes });
    count = 0;
    if (isEnd) return upTo;
  }
  return null;
};

/** Collects the writes of several pages, so that each document is written once for all of them. */
export const createWriteBuffer = (models: Pick<ReadModels, 'stored'>) => {
  const buffered = new Map<string, Map<string, Write>>();
  const of = (collection: string): Map<string, Write> => {
    const own = buffered.get(collection) ?? new Map<string, Write>();
    buffered.set(collection, own);
    return own;
  };
  return {
    /** The stored documents as they will be once the buffered writes are committed. */
    stored: async <D>(
      collection: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Stored<D>>> => {
      const own = of(collection);
      const elsewhere = ids.filter((id) => !own.has(id));
      const found = new Map(elsewhere.length === 0 ? [] : await models.stored<D>(collection, elsewhere));
      for (const id of ids) {
        const write = own.get(id);
        if (write) found.set(id, write as Stored<D>);
      }
      return found;
    },
    add: (writes: readonly Write[]): void => {
      for (const write of writes) {
        const own = of(write.collection);
        const buffered = own.get(write.id);
        // What is stored, not what was buffered: those would make a chain.
        own.set(write.id, buffered && write.before ? { ...write, before: buffered.before } : write);
      }
    },
    /** Empties the buffer and returns its writes. */
    flush: (): readonly Write[] => {
      const writes = [...buffered.values()].flatMap((own) => [...own.values()]);
      buffered.clear();
      return writes;
    },
  };
};
