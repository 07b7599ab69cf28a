import { own } from '../../kernel/changes.ts';
import type { Recorded } from '../../kernel/event.ts';
import { escapePointer } from '../../kernel/fault.ts';
import { areEqual, bytesOf, textOf } from '../bytes.ts';
import type { Digest } from '../derive/files.ts';
import { type Copy, copyPath, type FileRecord, submittedFiles } from '../derive/files.ts';
import { DOCUMENTS, type DocumentName, documentText, EVENTS, MANIFEST, type Manifest } from '../format.ts';
import { eventOf, type Finding, finding, said } from './findings.ts';
import { parsed } from './json.ts';
import type { Derivation } from './platform.ts';
import type { Said } from './sentences.ts';

/**
 * The content of a package: its events with readable private parts, its documents, and the digests of intact
 * files.
 */
type Content = Readonly<{
  manifest: Manifest;
  events: readonly Recorded[];
  deliveries: readonly (readonly Recorded[])[];
  documents: ReadonlyMap<string, Uint8Array>;
  intact: ReadonlyMap<string, Digest>;
}>;

/** Derives the documents from the events again, and compares them with the package's, field by field. */
export const documentFindings = (
  { isSupported, submissionEvents, deliveryEntry, documentsOf }: Derivation,
  content: Content,
): readonly Finding[] => {
  const recordedFiles = recordedCopies(content.documents.get('files.json'));
  try {
    const copies = copiesOf(submissionEvents, content, recordedFiles);
    const derived = documentsOf(content.events, content.deliveries.map(deliveryEntry), copies);
    const differing = DOCUMENTS.flatMap((name) =>
      name in derived ? compared(name, content.documents.get(name), derived[name]) : [],
    );
    return [
      ...(differing.length > 0 ? unknownFindings(content, isSupported) : []),
      ...differing,
      ...missingFindings(content.manifest, derived['files.json'] as readonly FileRecord[]),
      ...unsubmitted(content.manifest, copies),
    ];
  } catch (error) {
    return [finding(EVENTS, said('noState', { why: (error as Error).message }))];
  }
};

/** Events of a later release, which this one ignores and the exporting one may not. */
const unknownFindings = (
  { manifest, events }: Content,
  isSupported: Derivation['isSupported'],
): readonly Finding[] =>
  events
    .filter((event) => !isSupported(event))
    .map((event) =>
      finding(EVENTS, said('unsupported', { service: manifest.service }), { event: eventOf(event) }),
    );

const compared = (
  name: DocumentName,
  bytes: Uint8Array | undefined,
  derived: unknown,
): readonly Finding[] => {
  const text = documentText(derived);
  if (!bytes || areEqual(bytes, bytesOf(text))) return [];
  const read = parsed(textOf(bytes));
  if ('fault' in read) return [finding(name, said('unreadable', { why: read.fault }))];
  const found = differences(read.value, JSON.parse(text));
  if (found.length === 0) return [finding(name, 'documentRewritten')];
  return found.map(({ pointer, found: one, expected }) =>
    finding(name, said('differs', { found: excerpt(one), expected: excerpt(expected) }), { pointer }),
  );
};

/** A member that differs: its JSON Pointer, what was found and what was expected (undefined: nothing). */
type Difference = Readonly<{ pointer: string; found: unknown; expected: unknown }>;

/**
 * The differences between a JSON value and the expected one, member by member and item by item; at most 100.
 */
const differences = (found: unknown, expected: unknown): readonly Difference[] => {
  const all: Difference[] = [];
  const compare = (one: unknown, other: unknown, pointer: string): void => {
    if (all.length >= MAX_DIFFERENCES) return;
    if (!isStructure(one) || !isStructure(other) || Array.isArray(one) !== Array.isArray(other)) {
      if (one !== other) all.push({ pointer, found: one, expected: other });
      return;
    }
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    for (const name of names) compare(own(one, name), own(other, name), `${pointer}/${escapePointer(name)}`);
  };
  compare(found, expected, '');
  return all;
};

const MAX_DIFFERENCES = 100;

const isStructure = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A value on one line, cut short. */
const excerpt = (value: unknown): string | Said => {
  if (value === undefined) return said('nothing');
  const text = JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
};

const MAX_TEXT = 80;

/** Copies as `files.json` has them, by file id: the store's ETags are recorded nowhere else. */
const recordedCopies = (bytes: Uint8Array | undefined): ReadonlyMap<string, Copy> => {
  const read = parsed(bytes ? textOf(bytes) : '[]');
  const list: readonly unknown[] = 'value' in read && Array.isArray(read.value) ? read.value : [];
  const copies = (list as readonly (Partial<FileRecord> | null)[]).flatMap((record) =>
    typeof record?.fileId === 'string' && typeof record.copy?.etag === 'string'
      ? [[record.fileId, record.copy] as const]
      : [],
  );
  return new Map(copies);
};

const copiesOf = (
  submissionEvents: Derivation['submissionEvents'],
  { events, intact, manifest }: Content,
  recordedFiles: ReadonlyMap<string, Copy>,
): ReadonlyMap<string, Copy> => {
  const copies = new Map<string, Copy>();
  const named = new Set(manifest.files.map(({ path }) => path));
  for (const file of submittedFiles(submissionEvents(events))) {
    const path = copyPath(file);
    const [digest, recorded] = [intact.get(path), recordedFiles.get(file.fileId)];
    // A changed file has a finding already: here its record is used.
    const copy = digest ? { path, ...digest, etag: recorded?.etag ?? '' } : recorded;
    if (copy && named.has(path)) copies.set(file.fileId, copy);
  }
  return copies;
};

const missingFindings = ({ missing }: Manifest, records: readonly FileRecord[]): readonly Finding[] => {
  const ids = records.filter(({ copy }) => copy === null).map(({ fileId }) => fileId);
  const named = missing.map(({ fileId }) => fileId);
  if (JSON.stringify(ids) === JSON.stringify(named)) return [];
  const values = { count: named.length, found: ids.join(', ') || said('none') };
  return [finding(MANIFEST, said('missingFiles', values), { pointer: '/missing' })];
};

const unsubmitted = ({ files }: Manifest, copies: ReadonlyMap<string, Copy>): readonly Finding[] => {
  const own = new Set([...copies.values()].map(({ path }) => path));
  return files.flatMap(({ path }, index) =>
    path.startsWith('files/') && !own.has(path)
      ? [finding(path, 'notSubmitted', { manifest: `/files/${index}` })]
      : [],
  );
};
