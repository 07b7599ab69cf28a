import type { Digest } from './digest.ts';
import { DOCUMENTS, MANIFEST, type Manifest, SIGNATURE, streamsOf } from './format.ts';
import type { PublicKey } from './keys.ts';
import type { Source } from './package/open.ts';
import { documentFindings } from './verify/documents.ts';
import { checkFiles, type FileContent } from './verify/files.ts';
import { type Finding, finding } from './verify/findings.ts';
import { readStatement } from './verify/manifest.ts';
import { checkStream } from './verify/stream.ts';

/** The result of a check. `manifest` can be trusted only without findings. */
export type Verdict = Readonly<{ manifest: Manifest | null; findings: readonly Finding[] }>;

/**
 * Checks a package with nothing but a public key: the signature, every file's bytes, every event, the chain,
 * and the documents derived from the events. Findings are in order; none means that the package is as it was
 * exported. Nothing is written, and no content of a package makes it throw.
 */
export const verifyPackage = async (source: Source, key: PublicKey): Promise<Verdict> => {
  const { manifest, signed, findings: ofStatement } = await readStatement(source, key);
  const unexpected = source.unexpected.map(({ path, detail }) => finding(path, detail));
  if (!manifest) return { manifest, findings: [...ofStatement, ...unexpected] };
  const named = new Set([MANIFEST, SIGNATURE, ...manifest.files.map(({ path }) => path)]);
  const added = source.entries.filter(({ path }) => !named.has(path));
  const { findings: ofFiles, contents } = await checkFiles(source, manifest, signed);
  return {
    manifest,
    findings: [
      ...ofStatement,
      ...withDetails(ofFiles, contentFindings(manifest, contents)),
      ...added.map(({ path }) => finding(path, 'was added: the manifest does not name it')),
      ...unexpected,
    ],
  };
};

/** Findings in lines and documents, beyond those of their files' bytes. */
const contentFindings = (
  manifest: Manifest,
  contents: ReadonlyMap<string, FileContent>,
): readonly Finding[] => {
  const intact = new Map<string, Digest>();
  for (const { path, size, sha256 } of manifest.files) {
    const digest = contents.get(path)?.digest;
    if (digest?.size === size && digest.sha256 === sha256) intact.set(path, digest);
  }
  const checks = streamsOf(manifest).map(({ stream, pointer }) => {
    const content = contents.get(stream.path);
    return content
      ? checkStream(stream, pointer, content.lines, intact.has(stream.path))
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
  return [...found, ...documentFindings({ manifest, events, deliveries, documents, intact })];
};

/** Drops the finding that a file's bytes were changed where there are findings within the file. */
const withDetails = (files: readonly Finding[], details: readonly Finding[]): readonly Finding[] => {
  const detailed = new Set(details.map(({ file }) => file));
  return [...files.filter(({ file }) => !detailed.has(file)), ...details];
};
