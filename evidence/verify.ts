import { DOCUMENTS, MANIFEST, type Manifest, SIGNATURE } from './format.ts';
import type { PublicKey } from './keys.ts';
import type { Source } from './package/source.ts';
import type { Digest } from './verify/content.ts';
import { documentFindings } from './verify/documents.ts';
import { type FileContent, lookAtFiles } from './verify/files.ts';
import { type Finding, finding } from './verify/findings.ts';
import { readStatement } from './verify/manifest.ts';
import { checkStream } from './verify/stream.ts';

/** What came of a check. `manifest`: what the package says of itself, to be believed only when there are no findings. */
export type Verdict = Readonly<{ manifest: Manifest | null; findings: readonly Finding[] }>;

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

/** What the lines and documents tell beyond the bytes of their files. */
const contentFindings = (
  manifest: Manifest,
  contents: ReadonlyMap<string, FileContent>,
): readonly Finding[] => {
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
  return [...found, ...documentFindings({ manifest, events, deliveries, documents, sound })];
};

/** Of a file with findings of its own, that its bytes were changed goes without saying. */
const withDetails = (files: readonly Finding[], details: readonly Finding[]): readonly Finding[] => {
  const told = new Set(details.map(({ file }) => file));
  return [...files.filter(({ file }) => !told.has(file)), ...details];
};
