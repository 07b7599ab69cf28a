import { DOCUMENTS, type Manifest } from '../format.ts';
import type { Source, SourceEntry } from '../package/source.ts';
import { LARGEST_DOCUMENT } from '../sizes.ts';
import { type Digest, lineCutter, type ReadLine, readThrough } from './content.ts';
import { type Finding, finding } from './findings.ts';

/** What was read of a file that the manifest names. */
export type FileContent = Readonly<{ digest: Digest; bytes: Buffer; lines: readonly ReadLine[] }>;
type Look = Readonly<{ findings: readonly Finding[]; content: FileContent | null }>;

// What nobody has signed is not inflated without measure: so much, and so many times what it takes where it lies.
const UNSIGNED_BYTES = 256 * 1024 ** 2;
const UNSIGNED_RATIO = 100;

/** Reads each file that the manifest names, and compares its size and bytes. `signed`: what the manifest says of sizes can be believed. */
export const lookAtFiles = async (source: Source, manifest: Manifest, signed: boolean) => {
  const entries = new Map(source.entries.map((entry) => [entry.path, entry]));
  const stored = source.entries.reduce((sum, { storedSize }) => sum + storedSize, 0);
  let left = UNSIGNED_BYTES + UNSIGNED_RATIO * stored;
  const findings: Finding[] = [];
  const contents = new Map<string, FileContent>();
  for (const [index, file] of manifest.files.entries()) {
    const entry = entries.get(file.path);
    const isMeasured = signed && entry?.size === file.size;
    if (entry && !isMeasured) left -= entry.size;
    const look = await lookAtFile(source, entry, file, `/files/${index}`, isMeasured || left >= 0, manifest);
    findings.push(...look.findings);
    if (look.content) contents.set(file.path, look.content);
  }
  return { findings, contents };
};

const lookAtFile = async (
  source: Source,
  entry: SourceEntry | undefined,
  file: Manifest['files'][number],
  pointer: string,
  mayRead: boolean,
  manifest: Manifest,
): Promise<Look> => {
  const at = (name: string, detail: string): Finding =>
    finding(file.path, detail, { manifest: `${pointer}${name}` });
  if (!entry) return { findings: [at('', 'is missing')], content: null };
  const size = entry.size === file.size ? [] : [at('/size', `has ${entry.size} bytes, not ${file.size}`)];
  const unread = (why: string): Look => ({ findings: [...size, at('', why)], content: null });
  if (!mayRead) return unread('is not looked into: it would be far larger than it is here');
  try {
    const content = await readContent(source, entry, manifest);
    const same = content.digest.sha256 === file.sha256;
    const hash =
      same || size.length > 0 ? [] : [at('/sha256', 'its bytes were changed: their SHA-256 is another one')];
    return { findings: [...size, ...hash], content };
  } catch (error) {
    return unread(`can’t be read: ${(error as Error).message}`);
  }
};

const readContent = async (
  source: Source,
  { path, size }: SourceEntry,
  manifest: Manifest,
): Promise<FileContent> => {
  const stream = [manifest.submission, ...manifest.deliveries].find((one) => one.path === path);
  const cutter = lineCutter((stream?.events.length ?? 0) + 1_000);
  const isDocument = DOCUMENTS.some((name) => name === path) && size <= LARGEST_DOCUMENT;
  const pieces: Uint8Array[] = [];
  const digest = await readThrough(source, path, size, (piece) => {
    if (stream) cutter.show(piece);
    if (isDocument) pieces.push(piece);
  });
  return { digest, bytes: Buffer.concat(pieces), lines: stream ? cutter.end() : [] };
};
