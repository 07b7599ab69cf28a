import { outputJsonSchemaOf } from '../domain/outputJsonSchema.ts';
import { anyQuality, usualQuality } from '../domain/pictureQuality.ts';
import type { HashedFile } from '../domain/submission/fingerprints.ts';
import type { PageLikeness } from '../domain/submission/prints.ts';
import type { Result } from '../domain/submission/processing.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { Endpoint, Processing, WorkflowVersion } from '../domain/workflow.ts';
import type { Clock } from '../kernel/clock.ts';
import { reviewReasons } from './decide.ts';
import type { extractOverHttp } from './extractor/overHttp.ts';
import { fileLink } from './extractor/request.ts';
import { type Fetched, type FetchPorts, withFiles } from './fetchFiles.ts';
import type { Processor } from './process.ts';
import type { InputFile, Outcome } from './types.ts';

type ExaminePorts = FetchPorts &
  Readonly<{
    processor: Processor;
    /** Has an http extractor read the files. */
    extract: ReturnType<typeof extractOverHttp>;
    /** Whether it gave no result when it was asked last. */
    isAway(submission: Submission): boolean;
    clock: Clock;
    /** Hears how many pages were read. */
    onRead(pages: number): void;
  }>;

/** What came of a submission's files. The fraud checks are not part of it. */
export type Examined = Readonly<{
  result: Result;
  files: readonly HashedFile[];
  /** What near duplicates of its pictures are found by; none where the version does not look for any. */
  pages: readonly PageLikeness[];
}>;

/** What was read of them, and of what; `pages` as in `Examined`. */
type Read = Readonly<{ outcome: Outcome; fetched: readonly Fetched[]; pages: readonly PageLikeness[] }>;

/**
 * Brings a submission's files here, has them read, and removes them; for an http extractor they are only looked at here. Throws
 * `PassingFailure`, `StoreUnavailable` and `ExtractorAway`.
 */
export const examine =
  (ports: ExaminePorts) =>
  async (submission: Submission, version: WorkflowVersion, signal: AbortSignal): Promise<Examined> => {
    const { extractor } = version.processing;
    const { outcome, fetched, pages } =
      typeof extractor === 'object'
        ? await readElsewhere(ports, submission, version, extractor.http, signal)
        : await readHere(ports, submission, version, extractor, signal);
    const files = fetched.map(({ file: { fileId, label }, sha256 }) => ({ fileId, label, sha256 }));
    return { result: resultOf(outcome, version.processing), files, pages };
  };

const looksForNear = ({ processing }: WorkflowVersion): boolean =>
  processing.fraud.checks.includes('near_duplicate_image');

const readHere = async (
  ports: ExaminePorts,
  submission: Submission,
  version: WorkflowVersion,
  extractor: 'document' | 'json',
  signal: AbortSignal,
): Promise<Read> => {
  const { outputSchema, upload, processing } = version;
  const asked = {
    outputSchema,
    outputJsonSchema: outputJsonSchemaOf(outputSchema),
    acceptedFormats: upload.acceptedFormats,
    extractor,
    quality: processing.quality ?? usualQuality,
    likeness: looksForNear(version),
  };
  const { fetched, seen: outcome } = await withFiles(ports, submission, signal, (files) =>
    ports.processor.process(asked, files, signal),
  );
  if (outcome.kind !== 'extracted') return { outcome, fetched, pages: [] };
  ports.onRead(outcome.result.pages);
  return { outcome, fetched, pages: outcome.likeness ?? [] };
};

/**
 * Files that are fine: their http extractor gets links to them. Pictures are read for near duplicates before it is asked, in the submission's turn
 * among others; only those of one that is away afterwards, or each try would read them again.
 */
const readElsewhere = async (
  ports: ExaminePorts,
  submission: Submission,
  version: WorkflowVersion,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<Read> => {
  const { objects, processor, clock, extract } = ports;
  const { acceptedFormats } = version.upload;
  const look = (files: readonly InputFile[]) => likenessOf(processor, acceptedFormats, files, signal);
  const looks = looksForNear(version);
  const looksFirst = looks && !ports.isAway(submission);
  const { fetched, seen } = await withFiles(ports, submission, signal, async (files) => {
    const ended = await processor.check(acceptedFormats, files, signal);
    return { ended, pages: looksFirst && ended.kind === 'checked' ? await look(files) : [] };
  });
  const { ended, pages } = seen;
  if (ended.kind !== 'checked') return { outcome: ended, fetched, pages };
  const links = await Promise.all(
    fetched.map(({ submitted, sha256 }) => fileLink(objects, submission, submitted, sha256, clock.now())),
  );
  const outcome = await extract(submission, version, endpoint, links, signal);
  if (!looks || looksFirst || outcome.kind !== 'extracted') return { outcome, fetched, pages };
  return { outcome, fetched, pages: (await withFiles(ports, submission, signal, look)).seen };
};

/**
 * What near duplicates of pictures are found by, for files whose fields are read elsewhere: none for files that are no pictures. One that can't be read here, or not within the limits,
 * has none, keeps those of no other, and is not for this to judge.
 */
const likenessOf = async (
  processor: Processor,
  acceptedFormats: readonly string[],
  files: readonly InputFile[],
  signal: AbortSignal,
): Promise<readonly PageLikeness[]> => {
  const pictures = files.filter(({ mimeType }) => /^(image\/|application\/pdf)/.test(mimeType ?? 'image/'));
  const nothing = { outputSchema: [], outputJsonSchema: { type: 'object' } };
  const how = { extractor: 'document', quality: anyQuality, likeness: 'alone' } as const;
  const pages: PageLikeness[] = [];
  for (const picture of pictures) {
    const ended = await processor.process({ ...nothing, acceptedFormats, ...how }, [picture], signal);
    if (ended.kind === 'extracted') pages.push(...(ended.likeness ?? []));
  }
  return pages;
};

const resultOf = (outcome: Outcome, processing: Processing): Result => {
  if (outcome.kind !== 'extracted') return outcome;
  const { kind, confidence, certainty, findings: _f, likeness: _l, ...extraction } = outcome;
  const reasons = reviewReasons(outcome, processing);
  return { kind, extraction, confidence, certainty, reviewReasons: reasons, fraud: null };
};
