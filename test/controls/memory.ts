import type { Position, Recorded } from '../../kernel/event.ts';
import { aborted } from '../../kernel/signals.ts';
import type { DocumentStore, Leases, ReadModels, Stored, Tables } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';

/** Sizes of pages, used in turns. */
export type Plan = readonly number[];

const none = (name: string) => (): never => {
  throw new Error(`${name} is not there in memory`);
};

/**
 * A log that holds these events, and gives them in pages of the planned sizes, or where none is planned of
 * the size that is asked for.
 */
export const memoryLog = (events: readonly Recorded[], plan: Plan): EventLog => ({
  load: async (stream) => ({
    events: events.filter((event) => event.stream === stream),
    unknown: [],
    head: null,
  }),
  append: none('append'),
  truncate: none('truncate'),
  async *follow(after, { prefixes, signal, page: asked }) {
    let next = after === null ? 0 : events.findIndex(({ position }) => position > after);
    if (next < 0) next = events.length;
    if (next === events.length && after !== null) yield { events: [], unknown: [], upTo: after, live: true };
    for (let n = 0; next < events.length && !signal.aborted; n += 1) {
      const page = events.slice(next, next + (plan[n % plan.length] ?? asked));
      next += page.length;
      const found = page.filter(({ stream }) => prefixes.some((prefix) => stream.startsWith(prefix)));
      yield {
        events: found,
        unknown: [],
        upTo: page.at(-1)?.position as Position,
        live: next === events.length,
      };
    }
    await aborted(signal);
  },
  head: async () => events.at(-1)?.position ?? null,
  offset: Number,
});

/** Documents in memory, for tests that make thousands of stores: one process, no clock. */
export const memoryDocuments = (): DocumentStore => ({
  models: memoryModels(),
  tables: memoryTables(),
  leases: memoryLeases(),
  close: async () => undefined,
});

const memoryModels = (): ReadModels => {
  const collections = new Map<string, Map<string, Stored<object>>>();
  const aliases = new Map<string, string>();
  const positions = new Map<string, Position>();
  const own = (collection: string): Map<string, Stored<object>> => {
    const found = collections.get(collection) ?? new Map();
    collections.set(collection, found);
    return found;
  };
  const target = (name: string): string => aliases.get(name) ?? name;
  return {
    get: async <D>(name: string, id: string) => (own(target(name)).get(id)?.document ?? null) as D | null,
    getMany: none('getMany'),
    page: none('page'),
    answers: async (_name, ids) => ids.map(() => null),
    answerPage: none('answerPage'),
    count: async (name) => [...own(target(name)).values()].filter(({ document }) => document !== null).length,
    stored: async <D>(collection: string, ids: readonly string[]) =>
      new Map(
        ids.flatMap((id) => {
          const found = own(collection).get(id);
          return found ? [[id, found as Stored<D>] as const] : [];
        }),
      ),
    ensure: async (collection) => void own(collection),
    alias: async (name, to) => {
      if (to !== undefined) aliases.set(name, to);
      return target(name);
    },
    aliases: async (names) => names.map(target),
    commit: async (writes, checkpoints) => {
      for (const { collection, id, position, document } of writes) {
        const before = own(collection).get(id);
        if (!before || before.position < position) own(collection).set(id, { id, position, document });
      }
      for (const [name, to] of Object.entries(checkpoints)) {
        const before = positions.get(name);
        if (before === undefined || before < to) positions.set(name, to);
      }
    },
    checkpoint: async (name) => positions.get(name) ?? null,
    checkpoints: async (names) => names.map((name) => positions.get(name) ?? null),
    drop: async (collection) => void collections.delete(collection),
  };
};

const memoryTables = (): Tables => {
  const rows = new Map<string, { row: object; version: number }>();
  const named = (table: string, key: string): string => `${table} ${key}`;
  return {
    read: async <R>(table: string, key: string) => {
      const found = rows.get(named(table, key));
      return found ? { row: found.row as R, version: found.version } : null;
    },
    readMany: none('readMany'),
    insert: async (table, key, row) => {
      if (rows.has(named(table, key))) return false;
      rows.set(named(table, key), { row, version: 1 });
      return true;
    },
    replace: async (table, key, version, row) => {
      if (rows.get(named(table, key))?.version !== version) return false;
      rows.set(named(table, key), { row, version: version + 1 });
      return true;
    },
    remove: async (table, key, version) =>
      rows.get(named(table, key))?.version === version && rows.delete(named(table, key)),
    list: async <R>(table: string, { after = '', limit }: { after?: string; limit?: number } = {}) =>
      [...rows]
        .filter(([name]) => name.startsWith(`${table} `))
        .map(([name, { row, version }]) => ({ key: name.slice(table.length + 1), row: row as R, version }))
        .filter(({ key }) => key > after)
        .sort((one, other) => (one.key < other.key ? -1 : 1))
        .slice(0, limit),
    otherCommits: () => null,
  };
};

const memoryLeases = (): Leases => {
  let token = 0;
  const grant = async (lease: string, owner: string) => {
    token += 1;
    return { lease, owner, token };
  };
  return {
    acquire: grant,
    take: grant,
    renew: async () => true,
    release: async () => undefined,
    held: none('held'),
    breakAll: async () => undefined,
    claim: none('claim'),
  };
};
