/**
 * An event as the stand-in keeps it. `commit` is its place in the log, where the next one comes a good deal
 * later.
 */
export type Entry = Readonly<{
  stream: string;
  revision: number;
  id: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
  commit: number;
}>;

export type Proposed = Omit<Entry, 'stream' | 'revision' | 'commit'>;

/** `repeated`: these events were there already. */
export type Outcome = Readonly<{ last: Entry; repeated: boolean } | { actual: number | null }>;

/** A log in memory that behaves as the server's does. */
export type Log = Readonly<{
  /** Every event in order; those that were cleared away are not there. */
  all(): readonly Entry[];
  stream(name: string): readonly Entry[];
  append(stream: string, expected: number | 'none' | 'any', events: readonly Proposed[]): Outcome;
  /** An event of the server's own. */
  system(): void;
  /** Clears away what streams have given up. */
  scavenge(): void;
  /** Calls back after each append; gives the function that ends it. */
  watch(listener: () => void): () => void;
}>;

const FIRST = 4_398_046_511_104;
const SYSTEM_EVERY = 5;

/** `quiet`: without the server's own events, which else come after every fifth append. */
export const createLog = (quiet = false): Log => {
  let entries: Entry[] = [];
  const streams = new Map<string, Entry[]>();
  const listeners = new Set<() => void>();
  let next = FIRST;
  let appends = 0;

  const store = (stream: string, events: readonly Proposed[]): Entry => {
    const list = streams.get(stream) ?? [];
    streams.set(stream, list);
    for (const event of events) {
      const revision = (list.at(-1)?.revision ?? -1) + 1;
      const entry = { ...event, stream, revision, commit: next };
      next += 137 + event.data.length + event.metadata.length;
      list.push(entry);
      entries.push(entry);
    }
    for (const listener of [...listeners]) listener();
    const last = list.at(-1);
    if (!last) throw new Error('an append needs at least one event');
    return last;
  };
  const system = (): void => {
    const data = Buffer.from(JSON.stringify({ 'proc-cpu': 1 }));
    const event = { id: crypto.randomUUID(), type: '$statsCollected', contentType: 'application/json' };
    store('$stats-127.0.0.1:2113', [{ ...event, data, metadata: Buffer.from('{}') }]);
  };
  const visible = (name: string): readonly Entry[] => {
    const list = streams.get(name) ?? [];
    const { $tb = 0, $maxCount = Number.POSITIVE_INFINITY } = metadataOf(streams.get(`$$${name}`));
    return list.filter(({ revision }) => revision >= $tb).slice(-$maxCount);
  };

  return {
    all: () => entries,
    stream: visible,
    append: (stream, expected, events) => {
      const list = streams.get(stream) ?? [];
      const decision = decide(list, expected, events);
      if (decision) return decision;
      const last = store(stream, events);
      appends += 1;
      if (!quiet && appends % SYSTEM_EVERY === 0) system();
      return { last, repeated: false };
    },
    system,
    scavenge: () => {
      const kept = new Set([...streams.keys()].flatMap((name) => visible(name)));
      entries = entries.filter((entry) => kept.has(entry));
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/** What to answer instead of storing: a wrong revision, or where a repetition was stored. */
const decide = (
  list: readonly Entry[],
  expected: number | 'none' | 'any',
  events: readonly Proposed[],
): Outcome | null => {
  const actual = list.at(-1)?.revision ?? -1;
  const known = list.findIndex(({ id }) => id === events[0]?.id);
  if (expected === 'any' && known < 0) return null;
  const first = expected === 'any' ? known : (expected === 'none' ? -1 : expected) + 1;
  if (first === actual + 1) return null;
  const there = list.slice(first, first + events.length);
  const last = there.at(-1);
  const repeated = there.length === events.length && there.every(({ id }, index) => id === events[index]?.id);
  return last && repeated ? { last, repeated } : { actual: actual < 0 ? null : actual };
};

/** What the server can't read it takes for no metadata. */
const metadataOf = (
  metastream: readonly Entry[] | undefined,
): Readonly<{ $tb?: number; $maxCount?: number }> => {
  const text = Buffer.from(metastream?.at(-1)?.data ?? []).toString();
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};
