import { joined } from '../bytes.ts';
import type { Digest } from '../derive/files.ts';
import { DOCUMENTS, type Manifest, streamsOf } from '../format.ts';
import { MAX_DOCUMENT } from '../limits.ts';
import type { Source, SourceEntry } from '../package/source.ts';
import { lineSplitter, type ReadLine, readThrough } from './content.ts';
import { type Finding, finding, said, unreadable } from './findings.ts';
import type { Platform } from './platform.ts';
import type { FindingCode, Said } from './sentences.ts';

/** The content of a file that the manifest names. */
export type FileContent = Readonly<{ digest: Digest; bytes: Uint8Array; lines: readonly ReadLine[] }>;
type FileCheck = Readonly<{ findings: readonly Finding[]; content: FileContent | null }>;

// Without a valid signature at most so much is inflated, and at most so many times the stored size.
const UNSIGNED_BYTES = 256 * 1024 ** 2;
const UNSIGNED_RATIO = 100;

/**
 * Reads each file that the manifest names, and compares its size and bytes. `signed`: its sizes can be
 * trusted.
 */
export const checkFiles = async (platform: Platform, source: Source, manifest: Manifest, signed: boolean) => {
  const entries = new Map(source.entries.map((entry) => [entry.path, entry]));
  const stored = source.entries.reduce((sum, { storedSize }) => sum + storedSize, 0);
  let budget = UNSIGNED_BYTES + UNSIGNED_RATIO * stored;
  const findings: Finding[] = [];
  const contents = new Map<string, FileContent>();
  for (const [index, file] of manifest.files.entries()) {
    const entry = entries.get(file.path);
    const isTrusted = signed && entry?.size === file.size;
    if (entry && !isTrusted) budget -= entry.size;
    const mayRead = isTrusted || budget >= 0;
    const read = (found: SourceEntry) => readContent(platform, source, found, manifest);
    const checked = await checkFile(entry, file, `/files/${index}`, mayRead, read);
    findings.push(...checked.findings);
    if (checked.content) contents.set(file.path, checked.content);
  }
  return { findings, contents };
};

const checkFile = async (
  entry: SourceEntry | undefined,
  file: Manifest['files'][number],
  pointer: string,
  mayRead: boolean,
  read: (entry: SourceEntry) => Promise<FileContent>,
): Promise<FileCheck> => {
  const at = (name: string, what: Said | FindingCode): Finding =>
    finding(file.path, what, { manifest: `${pointer}${name}` });
  if (!entry) return { findings: [at('', 'missing')], content: null };
  const sizes = said('size', { found: entry.size, expected: file.size });
  const size = entry.size === file.size ? [] : [at('/size', sizes)];
  const unread = (why: Said | FindingCode): FileCheck => ({
    findings: [...size, at('', why)],
    content: null,
  });
  if (!mayRead) return unread('inflated');
  try {
    const content = await read(entry);
    const same = content.digest.sha256 === file.sha256;
    const hash = same || size.length > 0 ? [] : [at('/sha256', 'bytesChanged')];
    return { findings: [...size, ...hash], content };
  } catch (error) {
    return unread(unreadable(error));
  }
};

const readContent = async (
  platform: Platform,
  source: Source,
  { path, size }: SourceEntry,
  manifest: Manifest,
): Promise<FileContent> => {
  const listed = streamsOf(manifest).find(({ stream }) => stream.path === path)?.stream;
  const splitter = lineSplitter(platform, (listed?.events.length ?? 0) + 1_000);
  const isDocument = DOCUMENTS.some((name) => name === path) && size <= MAX_DOCUMENT;
  const chunks: Uint8Array[] = [];
  const digest = await readThrough(platform, source, path, size, (chunk) => {
    if (listed) splitter.add(chunk);
    if (isDocument) chunks.push(chunk);
  });
  return { digest, bytes: joined(chunks), lines: listed ? await splitter.end() : [] };
};
