import { DOCUMENTS, MANIFEST, type Manifest, SIGNATURE } from './format.ts';
import type { PublicKey } from './keys.ts';
import type { Source, SourceEntry } from './package/source.ts';
import { type Digest, lineCutter, type ReadLine, readThrough } from './verify/content.ts';
import { documentFindings } from './verify/documents.ts';
import { type Finding, finding } from './verify/findings.ts';
import { readStatement } from './verify/manifest.ts';
import { checkStream } from './verify/stream.ts';

/** What came of a check. `manifest`: what the package says of itself, to be believed only when there are no findings. */
export type Verdict = Readonly<{ manifest: Manifest | null; findings: readonly Finding[] }>;

/** What was read of a file that the manifest names. */
type Content = Readonly<{ digest: Digest; bytes: Buffer; lines: readonly ReadLine[] }>;
type Look = Readonly<{ findings: readonly Finding[]; content: Content | null }>;

// What nobody has signed is not inflated without measure: so much, and so many times what it takes where it lies.
const UNSIGNED_BYTES = 256 * 1024 ** 2;
const UNSIGNED_RATIO = 100;
const LARGEST_DOCUMENT = 64 * 1024 ** 2;

/**
 * Checks a package with nothing but a public key: the signature, every file's bytes, every event, the chain, and all that is made of the events.
 * Findings come in order, the first first; none means that all holds. Nothing is written, and nothing in a package makes it throw.
 */
export const verifyPackage = async (source: Source, key: PublicKey): Promise<Verdict> => {
  const { manifest, signed, findings: ofStatement } = await readStatement(source, key);
  const odd = source.oddities.map(({ path, detail }) => finding(path, detail));
  if (!manifest) return { manifest, findings: [...ofStatement, ...odd] };
  const named = new Set([MANIFEST, SIGNATURE, ...manifest.files.map(({ path }) => path)]);
  const added = source.entries.filter(({ path }) => !named.has(path));
  const { findings: ofFiles, contents } = await lookAtFiles(source, manifest, signed);
  return {
    manifest,
    findings: [
      ...ofStatement,
      ...withDetails(ofFiles, contentFindings(manifest, contents)),
      ...added.map(({ path }) => finding(path, 'was added: the manifest does not name it')),
      ...odd,
    ],
  };
};

const lookAtFiles = async (source: Source, manifest: Manifest, signed: boolean) => {
  const entries = new Map(source.entries.map((entry) => [entry.path, entry]));
  const stored = source.entries.reduce((sum, { storedSize }) => sum + storedSize, 0);
  let left = UNSIGNED_BYTES + UNSIGNED_RATIO * stored;
  const findings: Finding[] = [];
  const contents = new Map<string, Content>();
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
  const { path } = file;
  const at = (name: string, detail: string): Finding =>
    finding(path, detail, { manifest: `${pointer}${name}` });
  if (!entry) return { findings: [at('', 'is missing')], content: null };
  const size = entry.size === file.size ? [] : [at('/size', `has ${entry.size} bytes, not ${file.size}`)];
  if (!mayRead)
    return {
      findings: [...size, at('', 'is not looked into: it would be far larger than it is here')],
      content: null,
    };
  try {
    const content = await readContent(source, entry, manifest);
    const same = content.digest.sha256 === file.sha256;
    const hash =
      same || size.length > 0 ? [] : [at('/sha256', 'its bytes were changed: their SHA-256 is another one')];
    return { findings: [...size, ...hash], content };
  } catch (error) {
    return { findings: [...size, at('', `can’t be read: ${(error as Error).message}`)], content: null };
  }
};

const readContent = async (
  source: Source,
  { path, size }: SourceEntry,
  manifest: Manifest,
): Promise<Content> => {
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

/** What the lines and documents tell beyond the bytes of their files. */
const contentFindings = (manifest: Manifest, contents: ReadonlyMap<string, Content>): readonly Finding[] => {
  const sound = new Map<string, Digest>();
  for (const { path, size, sha256 } of manifest.files) {
    const digest = contents.get(path)?.digest;
    if (digest?.size === size && digest.sha256 === sha256) sound.set(path, digest);
  }
  const checks = [manifest.submission, ...manifest.deliveries].map((stream, index) => {
    const content = contents.get(stream.path);
    const pointer = index === 0 ? '/submission' : `/deliveries/${index - 1}`;
    return content
      ? checkStream(stream, pointer, content.lines, sound.has(stream.path))
      : { findings: [], events: null };
  });
  const found = checks.flatMap(({ findings }) => findings);
  const streams = checks.flatMap(({ events }) => (events ? [events] : []));
  const [events, ...deliveries] = streams;
  if (!events || streams.length < checks.length) return found;
  const documents = new Map(
    DOCUMENTS.flatMap((name) => {
      const bytes = contents.get(name)?.bytes;
      return bytes ? [[name, bytes] as const] : [];
    }),
  );
  return [...found, ...documentFindings({ manifest, events: events, deliveries, documents, sound })];
};

/** Of a file with findings of its own, that its bytes were changed goes without saying. */
const withDetails = (files: readonly Finding[], details: readonly Finding[]): readonly Finding[] => {
  const told = new Set(details.map(({ file }) => file));
  return [...files.filter(({ file }) => !told.has(file)), ...details];
};
