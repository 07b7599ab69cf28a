import { createHmac } from 'node:crypto';
import { SealBroken } from '../../kernel/errors.ts';
import {
  type Event,
  type Metadata,
  type Position,
  REDACTED_PART,
  type Recorded,
} from '../../kernel/event.ts';
import { decrypt, encrypt } from '../../kernel/sealing.ts';
import { hashOf } from './hash.ts';
import type { Head, SubjectOf } from './log.ts';
import type { EventStore, Follow, Page, RecordedEvent, StoredEvent } from './port.ts';
import type { SubjectKeys } from './subjectKeys.ts';

type Data = Readonly<Record<string, unknown>>;
type Named = Readonly<{ id: string; type: string }>;
type Sealed = Readonly<{ sealed: string; subject: string }>;

/** An event about to be sealed and chained. */
export type OpenEvent<E extends Event = Event> = E &
  Readonly<{ id: string; metadata: Omit<Metadata, 'prev'> }>;

/** The log with private parts open, and every event as it is stored otherwise; see `EventLog`. */
export type SealedLog = ReturnType<typeof sealedLog>;

/**
 * A log whose events carry their `data.private` sealed: stored as `{ sealed, subject }` with AES-256-GCM
 * under the key of its subject, bound to the event's id, stream and type. Without its key a private part
 * reads as `REDACTED_PART`, and what is appended for a destroyed subject is stored as that, unsealed. A part
 * is opened when it is first read; one that was tampered with throws there, so that it stops the reader of
 * this event and no other.
 */
export const sealedLog = (store: EventStore, keys: SubjectKeys) => {
  const open = openerOf(keys);
  return {
    load: async (stream: string) => {
      const events: RecordedEvent[] = [];
      for await (const event of store.read(stream)) events.push(event);
      return { events: await open(events), head: headOf(events.at(-1)) };
    },
    append: async <E extends Event>(
      stream: string,
      head: Head | null,
      events: readonly OpenEvent<E>[],
      subject: SubjectOf<E>,
    ): Promise<Head> => {
      const sealing = new Map<string, Uint8Array | null>();
      for (const event of events) {
        if (privateOf(event) === undefined) continue;
        const name = subject(event);
        if (name === null) throw new Error(`a private part on ${stream} has no subject`);
        if (!sealing.has(name)) sealing.set(name, await keys.obtain(name, head === null));
      }
      const seal = (event: OpenEvent<E>): Data => sealData(event, stream, subject(event), sealing);
      const stored = chain(events, head, seal);
      const last = stored.at(-1);
      if (!last) throw new Error('an append needs at least one event');
      return headAt(await store.append(stream, head?.revision ?? 'none', stored), last);
    },
    truncate: store.truncate,
    async *follow(after: Position | null, options: Follow): AsyncIterable<Page<Recorded>> {
      for await (const page of store.follow(after, options))
        yield { ...page, events: await open(page.events) };
    },
    head: store.head,
    offset: store.offset,
  };
};

/** Opens the private parts of stored events, as `sealedLog` does. */
export const openerOf =
  (keys: SubjectKeys) =>
  async (events: readonly RecordedEvent[]): Promise<readonly Recorded[]> => {
    const subjects = new Set(
      events.flatMap(({ data }) => (isSealed(data.private) ? data.private.subject : [])),
    );
    if (subjects.size === 0) return events;
    const found = await keys.find(subjects);
    return events.map((event) => opened(event, found));
  };

const headOf = (last: RecordedEvent | undefined): Head | null => (last ? headAt(last, last) : null);

/** Most heads are not appended at: the hash is made when it is asked for. */
const headAt = ({ revision, position }: Omit<Head, 'hash'>, last: StoredEvent): Head => ({
  revision,
  position,
  get hash() {
    return hashOf(last);
  },
});

/** The events as stored, each with the hash of the one before it. */
const chain = <E extends Event>(
  events: readonly OpenEvent<E>[],
  head: Head | null,
  seal: (event: OpenEvent<E>) => Data,
): readonly StoredEvent[] => {
  const stored: StoredEvent[] = [];
  for (const event of events) {
    const { id, type, metadata } = event;
    const before = stored.at(-1);
    const prev = before ? hashOf(before) : (head?.hash ?? null);
    stored.push({ id, type, data: seal(event), metadata: { ...metadata, prev } });
  }
  return stored;
};

const privateOf = (event: OpenEvent): unknown => (event.data as Data).private;

const sealData = (
  event: OpenEvent,
  stream: string,
  subject: string | null,
  keys: ReadonlyMap<string, Uint8Array | null>,
): Data => {
  const plain = privateOf(event);
  const data = event.data as Data;
  if (plain === undefined) return data;
  const key = subject === null ? null : keys.get(subject);
  if (!key) return { ...data, private: REDACTED_PART };
  const text = Buffer.from(JSON.stringify(plain));
  const context = contextOf(event, stream);
  return { ...data, private: { sealed: encrypt(key, nonceOf(key, context, text), context, text), subject } };
};

const opened = (event: RecordedEvent, keys: ReadonlyMap<string, Uint8Array>): RecordedEvent => {
  const { private: part, ...rest } = event.data;
  if (!isSealed(part)) return event;
  const key = keys.get(part.subject);
  if (!key) return { ...event, data: { ...event.data, private: REDACTED_PART } };
  const data: Opening = { ...rest, [OPEN]: { get: () => openPart(event, key, part) } };
  return { ...event, data: Object.defineProperty(data, 'private', OPENED_WHEN_READ) };
};

const OPEN = Symbol('open');
type Opening = Data & { [OPEN]: { get(): unknown } };

// One for all events: with an accessor of its own each of them would be an object of the slow kind.
const OPENED_WHEN_READ: PropertyDescriptor & ThisType<Opening> = {
  enumerable: true,
  get() {
    const opened = this[OPEN].get();
    this[OPEN].get = () => opened;
    return opened;
  },
};

const openPart = (event: RecordedEvent, key: Uint8Array, { sealed, subject }: Sealed): unknown => {
  try {
    return JSON.parse(decrypt(key, contextOf(event, event.stream), sealed).toString());
  } catch (cause) {
    throw new SealBroken(`the private part of event ${event.id} does not open with the key of ${subject}`, {
      cause,
    });
  }
};

const contextOf = ({ id, type }: Named, stream: string): string => JSON.stringify([id, stream, type]);

// Made from the text instead of drawn: an append that is repeated after an unknown outcome stores, and
// hashes, the same bytes.
const nonceOf = (key: Uint8Array, context: string, text: Uint8Array): Uint8Array =>
  createHmac('sha256', key).update(`nonce ${context} `).update(text).digest().subarray(0, 12);

const isSealed = (part: unknown): part is Sealed =>
  typeof part === 'object' && part !== null && 'sealed' in part && 'subject' in part;
