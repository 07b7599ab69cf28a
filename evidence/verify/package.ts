import type { Recorded } from '../../kernel/event.ts';
import { DOCUMENTS, MANIFEST, type Manifest, SIGNATURE, streamsOf } from '../format.ts';
import type { Source } from '../package/source.ts';
import { documentFindings } from './documents.ts';
import { checkFiles, type FileContent } from './files.ts';
import { type Finding, finding } from './findings.ts';
import { readStatement } from './manifest.ts';
import type { Platform, Verifier } from './platform.ts';
import { redactionFindings } from './redaction.ts';
import { checkStream } from './stream.ts';

/**
 * The result of a check. `manifest`, and the submission's `events` with their private parts, can be trusted
 * only without findings. `signed`: the key's holder signed the manifest. `redacted`: what is missing, and why
 * its events say that; no fault. Where a stream can't be read there are no events, and no document is derived
 * from them.
 */
export type Verdict = Readonly<{
  manifest: Manifest | null;
  signed: boolean;
  events: readonly Recorded[];
  findings: readonly Finding[];
  redacted: readonly Finding[];
}>;

/**
 * Checks a package with nothing but a public key: the signature, every file's bytes, every event, the chain,
 * and the documents derived from the events. Findings are in order; none means that the package is as it was
 * exported. Nothing is written, and no content of a package makes it throw.
 */
export const verifyBy = async (platform: Platform, source: Source, key: Verifier): Promise<Verdict> => {
  const { manifest, signed, findings: ofStatement } = await readStatement(platform, source, key);
  const unexpected = source.unexpected.map(({ path, said }) => finding(path, said));
  if (!manifest)
    return { manifest, signed, events: [], findings: [...ofStatement, ...unexpected], redacted: [] };
  const named = new Set([MANIFEST, SIGNATURE, ...manifest.files.map(({ path }) => path)]);
  const added = source.entries.filter(({ path }) => !named.has(path));
  const { findings: ofFiles, contents } = await checkFiles(platform, source, manifest, signed);
  const { findings: ofContents, ...content } = await contentFindings(platform, manifest, contents);
  return {
    manifest,
    signed,
    ...content,
    findings: [
      ...ofStatement,
      ...withDetails(ofFiles, ofContents),
      ...added.map(({ path }) => finding(path, 'added')),
      ...unexpected,
    ],
  };
};

/** Findings in lines and documents, beyond those of their files' bytes. */
const contentFindings = async (
  platform: Platform,
  manifest: Manifest,
  contents: ReadonlyMap<string, FileContent>,
): Promise<Pick<Verdict, 'events' | 'findings' | 'redacted'>> => {
  const intact = new Map<string, FileContent['digest']>();
  for (const { path, size, sha256 } of manifest.files) {
    const digest = contents.get(path)?.digest;
    if (digest?.size === size && digest.sha256 === sha256) intact.set(path, digest);
  }
  const checks: Awaited<ReturnType<typeof checkStream>>[] = [];
  for (const { stream, pointer } of streamsOf(manifest)) {
    const content = contents.get(stream.path);
    checks.push(
      content
        ? await checkStream(platform, stream, pointer, content.lines, intact.has(stream.path))
        : { findings: [], events: null },
    );
  }
  const found = checks.flatMap(({ findings }) => findings);
  const streams = checks.flatMap(({ events }) => (events ? [events] : []));
  const [events, ...deliveries] = streams;
  if (!events || streams.length < checks.length) return { events: [], findings: found, redacted: [] };
  const documents = new Map(
    DOCUMENTS.flatMap((name) => {
      const bytes = contents.get(name)?.bytes;
      return bytes ? [[name, bytes] as const] : [];
    }),
  );
  const content = { manifest, events, deliveries, documents, intact };
  const known = platform.derivation.submissionEvents(events);
  const { findings: unexplained, redacted } = redactionFindings(manifest, known, streams);
  const ofDocuments = documentFindings(platform.derivation, content);
  return { events, findings: [...found, ...unexplained, ...ofDocuments], redacted };
};

/** Drops the finding that a file's bytes were changed where there are findings within the file. */
const withDetails = (files: readonly Finding[], details: readonly Finding[]): readonly Finding[] => {
  const detailed = new Set(details.map(({ file }) => file));
  return [...files.filter(({ file }) => !detailed.has(file)), ...details];
};
