import type { HashedFile } from '../domain/fraud/check.ts';
import { comparesPages } from '../domain/fraud/checks.ts';
import type { FingerprintedPage } from '../domain/fraud/pages.ts';
import { anyQuality } from '../domain/pictureQuality.ts';
import type { Result } from '../domain/submission/result.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { Endpoint, WorkflowVersion } from '../domain/workflow.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Traced } from '../kernel/trace.ts';
import type { Processor } from './engine/processor.ts';
import type { extractOverHttp } from './extractor/overHttp.ts';
import { fileLink } from './extractor/request.ts';
import { type Fetched, type FetchPorts, withFiles } from './fetchFiles.ts';
import { readByDefinition, resultOf, todayBy } from './readByDefinition.ts';
import type { FileWords, InputFile, Outcome } from './types.ts';

export type ExaminePorts = FetchPorts &
  Readonly<{
    processor: Processor;
    /** Sends the files to an http extractor. */
    extract: ReturnType<typeof extractOverHttp>;
    /** Whether the submission's extractor gave no result to this process's last request. */
    isUnavailable(submission: Submission): boolean;
    clock: Clock;
    /** Reports how many pages were read. */
    onRead(pages: number): void;
  }>;

/** The result of reading a submission's files, without the fraud checks. */
export type Examined = Readonly<{
  result: Result;
  files: readonly HashedFile[];
  /** The fingerprinted pages of its pictures; none where the version's checks compare no pages. */
  pages: readonly FingerprintedPage[];
  /** The words of its files that have boxes; none where they are read elsewhere. */
  words: readonly FileWords[];
}>;

type Read = Readonly<{ outcome: Outcome; fetched: readonly Fetched[]; pages: Examined['pages'] }>;

/**
 * Fetches a submission's files, reads them, and removes them; for an http extractor they are only checked
 * here. Throws `TransientFailure`, `StoreUnavailable` and `ExtractorUnavailable`.
 */
export const examine =
  (ports: ExaminePorts) =>
  async (
    submission: Submission,
    version: WorkflowVersion,
    signal: AbortSignal,
    cause: Traced = {},
  ): Promise<Examined> => {
    const { extractor } = version.processing;
    const { outcome, fetched, pages } =
      typeof extractor === 'object'
        ? await readByExtractor(ports, submission, version, extractor.http, signal, cause)
        : await readHere(ports, submission, version, signal);
    const files = fetched.map(({ file: { fileId, label }, sha256 }) => ({ fileId, label, sha256 }));
    const words = (outcome.kind === 'extracted' && outcome.words) || [];
    return { result: resultOf(outcome, version), files, pages, words };
  };

const readHere = async (
  ports: ExaminePorts,
  submission: Submission,
  version: WorkflowVersion,
  signal: AbortSignal,
): Promise<Read> => {
  const { fetched, result: outcome } = await withFiles(ports, submission, signal, (files) =>
    readByDefinition(ports, version, files, signal, comparesPages(version)),
  );
  if (outcome.kind === 'extracted') ports.onRead(outcome.result.pages);
  return { outcome, fetched, pages: fingerprintedIn(outcome) };
};

/**
 * An http extractor gets links to the files. Their pictures are fingerprinted before, in the submission's
 * turn among others; where the extractor is unavailable only afterwards, or each attempt would read them
 * again.
 */
const readByExtractor = async (
  ports: ExaminePorts,
  submission: Submission,
  version: WorkflowVersion,
  endpoint: Endpoint,
  signal: AbortSignal,
  cause: Traced,
): Promise<Read> => {
  const { objects, processor, clock, extract } = ports;
  const { acceptedFormats } = version.upload;
  const fingerprint = (files: readonly InputFile[]) =>
    fingerprintPages(ports, acceptedFormats, files, signal);
  const compares = comparesPages(version);
  const isFirst = compares && !ports.isUnavailable(submission);
  const { fetched, result } = await withFiles(ports, submission, signal, async (files) => {
    const checked = await processor.check(acceptedFormats, files, signal);
    return { checked, pages: isFirst && checked.kind === 'checked' ? await fingerprint(files) : [] };
  });
  const { checked, pages } = result;
  if (checked.kind !== 'checked') return { outcome: checked, fetched, pages };
  const links = await Promise.all(
    fetched.map(({ submitted, sha256 }) => fileLink(objects, submission, submitted, sha256, clock.now())),
  );
  const outcome = await extract(submission, version, endpoint, links, signal, cause);
  if (!compares || isFirst || outcome.kind !== 'extracted') return { outcome, fetched, pages };
  return { outcome, fetched, pages: (await withFiles(ports, submission, signal, fingerprint)).result };
};

/** The fingerprinted pages of pictures; a file that can't be read within the limits has none. */
const fingerprintPages = async (
  ports: Pick<ExaminePorts, 'processor' | 'clock'>,
  acceptedFormats: readonly string[],
  files: readonly InputFile[],
  signal: AbortSignal,
): Promise<readonly FingerprintedPage[]> => {
  const pictures = files.filter(({ mimeType }) => /^(image\/|application\/pdf)/.test(mimeType ?? 'image/'));
  const nothing = { outputSchema: [], outputJsonSchema: { type: 'object' } };
  const how = {
    extractor: 'document',
    quality: anyQuality,
    fingerprints: 'alone',
    today: todayBy(ports),
  } as const;
  const pages: FingerprintedPage[] = [];
  for (const picture of pictures)
    pages.push(
      ...fingerprintedIn(
        await ports.processor.process({ ...nothing, acceptedFormats, ...how }, [picture], signal),
      ),
    );
  return pages;
};

const fingerprintedIn = (outcome: Outcome): readonly FingerprintedPage[] =>
  outcome.kind === 'extracted' ? (outcome.fingerprintedPages ?? []) : [];
