import { counted } from '../../kernel/counted.ts';
import type { Recorded } from '../../kernel/event.ts';
import { type Copy, copyPath, type FileRecord } from '../derive/files.ts';
import { isKnown, submissionEvents } from '../derive/known.ts';
import { deliveryEntry, documentsOf } from '../derive.ts';
import { DOCUMENTS, type DocumentName, documentText, EVENTS, MANIFEST, type Manifest } from '../format.ts';
import type { Digest } from './content.ts';
import { differences, shown } from './differences.ts';
import { type Finding, finding } from './findings.ts';
import { parsed } from './json.ts';

/** What was read of a package: events (opened), the documents' bytes, and what each sound file is. */
type Content = Readonly<{
  manifest: Manifest;
  events: readonly Recorded[];
  deliveries: readonly (readonly Recorded[])[];
  documents: ReadonlyMap<string, Buffer>;
  sound: ReadonlyMap<string, Digest>;
}>;

/** Makes the documents again from the events, and compares them with those in the package, field by field. */
export const documentFindings = (content: Content): readonly Finding[] => {
  const given = filesGiven(content.documents.get('files.json'));
  try {
    const copies = copiesOf(content, given);
    const made = documentsOf(content.events, content.deliveries.map(deliveryEntry), copies);
    const differing = DOCUMENTS.flatMap((name) => compared(name, content.documents.get(name), made[name]));
    return [
      ...(differing.length > 0 ? unknownFindings(content) : []),
      ...differing,
      ...missingFindings(content.manifest, made['files.json'] as readonly FileRecord[]),
      ...strangers(content.manifest, copies),
    ];
  } catch (error) {
    return [finding(EVENTS, `no state can be made of its events: ${(error as Error).message}`)];
  }
};

/** Of events that came with a later release this one makes nothing; who exported may have made something of them. */
const unknownFindings = ({ manifest, events }: Content): readonly Finding[] =>
  events
    .filter((event) => !isKnown(event))
    .map(({ revision, id, type }) =>
      finding(EVENTS, `this release does not know it: verify with one as new as ${manifest.service}`, {
        event: { revision, id, type },
      }),
    );

const compared = (name: DocumentName, bytes: Buffer | undefined, made: unknown): readonly Finding[] => {
  const text = documentText(made);
  if (!bytes || bytes.equals(Buffer.from(text))) return [];
  const read = parsed<unknown>(bytes.toString(), () => []);
  if ('fault' in read) return [finding(name, `can’t be read: ${read.fault}`)];
  const found = differences(read.value, JSON.parse(text));
  if (found.length === 0)
    return [finding(name, 'is not written as it was exported, though it reads the same')];
  return found.map(({ pointer, found: one, expected }) =>
    finding(name, `is ${shown(one)}, but the events and files say ${shown(expected)}`, { pointer }),
  );
};

/** Copies as `files.json` gives them, by file id: the store's ETags are told nowhere else. */
const filesGiven = (bytes: Buffer | undefined): ReadonlyMap<string, Copy> => {
  const read = parsed<unknown>(bytes?.toString() ?? '[]', () => []);
  const list: readonly unknown[] = 'value' in read && Array.isArray(read.value) ? read.value : [];
  const copies = (list as readonly (Partial<FileRecord> | null)[]).flatMap((record) =>
    typeof record?.fileId === 'string' && typeof record.copy?.etag === 'string'
      ? [[record.fileId, record.copy] as const]
      : [],
  );
  return new Map(copies);
};

const copiesOf = (
  { events, sound, manifest }: Content,
  given: ReadonlyMap<string, Copy>,
): ReadonlyMap<string, Copy> => {
  const copies = new Map<string, Copy>();
  const named = new Set(manifest.files.map(({ path }) => path));
  for (const { type, data } of submissionEvents(events)) {
    if (type !== 'SessionSubmitted') continue;
    for (const file of data.files) {
      const path = copyPath(file);
      const [digest, told] = [sound.get(path), given.get(file.fileId)];
      // One that was changed has been told of: what was written of it stands.
      const copy = digest ? { path, ...digest, etag: told?.etag ?? '' } : told;
      if (copy && named.has(path)) copies.set(file.fileId, copy);
    }
  }
  return copies;
};

const missingFindings = ({ missing }: Manifest, records: readonly FileRecord[]): readonly Finding[] => {
  const ids = records.filter(({ copy }) => copy === null).map(({ fileId }) => fileId);
  const named = missing.map(({ fileId }) => fileId);
  if (JSON.stringify(ids) === JSON.stringify(named)) return [];
  const detail = `names ${counted(named.length, 'file')} as missing in the store; those that are not here are ${ids.join(', ') || 'none'}`;
  return [finding(MANIFEST, detail, { pointer: '/missing' })];
};

const strangers = ({ files }: Manifest, copies: ReadonlyMap<string, Copy>): readonly Finding[] => {
  const own = new Set([...copies.values()].map(({ path }) => path));
  return files.flatMap(({ path }, index) =>
    path.startsWith('files/') && !own.has(path)
      ? [finding(path, 'is no file that was submitted', { manifest: `/files/${index}` })]
      : [],
  );
};
