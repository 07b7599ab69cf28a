import type { Metadata, Position, Recorded } from '../kernel/event.ts';
import type { Of } from '../kernel/schema.ts';
import { closed, EventId, id, nullable, Time, Type } from '../kernel/schema.ts';
import type { RecordedEvent } from '../stores/events/port.ts';

// The format of packages, which are kept for years: a version never changes. Version 1 held no deliveries to
// endpoints.

/** The path of what is signed: it names all other files by their hashes. */
export const MANIFEST = 'manifest.json';
/** The path of the manifest's signature. */
export const SIGNATURE = 'manifest.sig';
/** The path of the text for people. */
export const README = 'README.txt';
/** The path of the submission's stream. */
export const EVENTS = 'events.jsonl';
/** The paths of what follows from the events. */
export const DOCUMENTS = ['decisions.json', 'deliveries.json', 'files.json', 'state.json'] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/** The folders that a package may have. */
export const FOLDERS: readonly string[] = ['deliveries', 'files'];

/** The path of a delivery's stream. */
export const deliveryPath = (deliveryId: string): string =>
  `deliveries/${deliveryId.replace('.', '_')}.jsonl`;

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Path = Type.String({ pattern: '^([a-z]{1,20}/)?[A-Za-z0-9_-]{1,80}[.][a-z0-9]{1,8}$' });

const Entry = closed({
  revision: Type.Integer({ minimum: 0 }),
  id: EventId,
  type: Type.String({ minLength: 1, maxLength: 200 }),
  hash: Hash,
  line: Hash,
});

const Stream = closed({
  path: Path,
  stream: Type.String({ maxLength: 200 }),
  firstHash: Hash,
  lastHash: Hash,
  events: Type.Array(Entry, { minItems: 1 }),
});

/** The manifest of a package, which is signed. */
export const Manifest = closed({
  format: Type.Literal('intake-evidence'),
  version: Type.Unsafe<1 | 2>({ enum: [1, 2] }),
  submissionId: id('sub'),
  exportedAt: Time,
  service: Type.String({ maxLength: 100 }),
  key: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  submission: Stream,
  deliveries: Type.Array(Stream),
  files: Type.Array(closed({ path: Path, size: Type.Integer({ minimum: 0 }), sha256: Hash })),
  missing: Type.Array(
    closed({ fileIndex: Type.Integer({ minimum: 0 }), fileId: Type.String({ maxLength: 100 }) }),
  ),
});
export type Manifest = Of<typeof Manifest>;
export type ManifestStream = Of<typeof Stream>;
export type ManifestEntry = Of<typeof Entry>;

/** The streams of a manifest, that of the submission first, each with its JSON Pointer there. */
export const streamsOf = ({ submission, deliveries }: Manifest) => [
  { stream: submission, pointer: '/submission' },
  ...deliveries.map((stream, index) => ({ stream, pointer: `/deliveries/${index}` })),
];

/** What a package holds, in numbers, and the hash of the submission's last event. */
export const contentsOf = ({ submission, deliveries, files }: Manifest) => ({
  events: submission.events.length,
  lastHash: submission.lastHash,
  deliveries: deliveries.length,
  files: files.filter(({ path }) => path.startsWith('files/')).length,
});

/**
 * A line of a stream: an event with its numbers, its stored form, and its opened private part (null without
 * one).
 */
export const Line = closed({
  stream: Type.String(),
  revision: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  position: Type.String(),
  stored: Type.Unsafe<readonly [string, string, Record<string, unknown>, Record<string, unknown>]>({
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'string' }, { type: 'object' }, metadataSchema()],
    items: false,
    minItems: 4,
  }),
  private: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
});
export type Line = Of<typeof Line>;

function metadataSchema(): object {
  const actor = { type: 'object', required: ['kind', 'id'] };
  return {
    type: 'object',
    required: ['at', 'actor', '$correlationId', '$causationId', 'prev'],
    properties: { at: { type: 'string' }, actor, prev: { type: ['string', 'null'] } },
  };
}

/** An event's line, without its line end. `opened` is the same event with its private part readable. */
export const lineOf = (event: RecordedEvent, opened: Recorded): string => {
  const { stream, revision, position, id, type, data, metadata } = event;
  const { private: part = null } = opened.data as Readonly<{ private?: unknown }>;
  // The chain's hash is that of the exact text after "stored":.
  return JSON.stringify({ stream, revision, position, stored: [id, type, data, metadata], private: part });
};

/** The event of a line as it was stored. */
export const storedOf = ({ stream, revision, position, stored }: Line): RecordedEvent => {
  // Lines have been checked against the schema `Line`.
  const [id, type, data, metadata] = stored as unknown as readonly [
    string,
    string,
    RecordedEvent['data'],
    Metadata,
  ];
  return { stream, revision, position: position as Position, id, type, data, metadata };
};

/** The event of a line with its private part readable. */
export const openedOf = (line: Line): Recorded => {
  const event = storedOf(line);
  return line.private === null ? event : { ...event, data: { ...event.data, private: line.private } };
};

/** JSON as it is written in a package, for people to read. */
export const documentText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
