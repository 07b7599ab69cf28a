import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { outputJsonSchemaOf } from '../domain/outputJsonSchema.ts';
import { anyQuality, usualQuality } from '../domain/pictureQuality.ts';
import type { HashedFile } from '../domain/submission/fingerprints.ts';
import type { PageLikeness } from '../domain/submission/prints.ts';
import type { Result } from '../domain/submission/processing.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { Endpoint, Processing, WorkflowVersion } from '../domain/workflow.ts';
import { reviewReasons } from '../processing/decide.ts';
import { PassingFailure } from '../processing/errors.ts';
import type { Processor } from '../processing/process.ts';
import type { InputFile, Outcome } from '../processing/types.ts';
import type { Clock } from '../runtime/clock.ts';
import { evidenceKey } from '../stores/objects/keys.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import type { extractOverHttp } from './extract/overHttp.ts';
import { fileLink } from './extract/request.ts';

type ExaminePorts = Readonly<{
  objects: ObjectStore;
  processor: Processor;
  /** Has an http extractor read the files. */
  extract: ReturnType<typeof extractOverHttp>;
  clock: Clock;
  /** Where files lie while they are read; each attempt has a folder of its own in it. */
  workFolder: string;
  /** Hears how long it took to bring the files here, in milliseconds. */
  onFetched(durationMs: number): void;
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

type Submitted = Submission['files'][number];
type Fetched = Readonly<{ submitted: Submitted; file: InputFile; sha256: string }>;

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
  const { fetched, seen: outcome } = await withFiles(ports, submission, submission.files, signal, (files) =>
    ports.processor.process(asked, files, signal),
  );
  if (outcome.kind !== 'extracted') return { outcome, fetched, pages: [] };
  ports.onRead(outcome.result.pages);
  return { outcome, fetched, pages: outcome.likeness ?? [] };
};

/** Files that are fine: their http extractor gets links to them. */
const readElsewhere = async (
  ports: ExaminePorts,
  submission: Submission,
  version: WorkflowVersion,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<Read> => {
  const { objects, processor, clock, extract } = ports;
  const { acceptedFormats } = version.upload;
  const { fetched, seen } = await withFiles(ports, submission, submission.files, signal, (files) =>
    processor.check(acceptedFormats, files, signal),
  );
  if (seen.kind !== 'checked') return { outcome: seen, fetched, pages: [] };
  const links = await Promise.all(
    fetched.map(({ submitted, sha256 }) => fileLink(objects, submission, submitted, sha256, clock.now())),
  );
  const outcome = await extract(submission, version, endpoint, links, signal);
  // Not before: reading pictures at each try of an extractor that is away would take all the time there is.
  const looks = outcome.kind === 'extracted' && looksForNear(version);
  return {
    outcome,
    fetched,
    pages: looks ? await likenessOf(ports, submission, acceptedFormats, signal) : [],
  };
};

/**
 * What near duplicates of pictures are found by, for files whose fields were read elsewhere: none for files that are no pictures, and none
 * where one of them can't be read here, which is not for this to judge.
 */
const likenessOf = async (
  ports: ExaminePorts,
  submission: Submission,
  acceptedFormats: readonly string[],
  signal: AbortSignal,
): Promise<readonly PageLikeness[]> => {
  const pictures = submission.files.filter(({ mimeType }) => /^(image\/|application\/pdf)/.test(mimeType));
  if (pictures.length === 0) return [];
  const nothing = { outputSchema: [], outputJsonSchema: { type: 'object' } };
  const how = { extractor: 'document', quality: anyQuality, likeness: true } as const;
  const { seen } = await withFiles(ports, submission, pictures, signal, (files) =>
    ports.processor.process({ ...nothing, acceptedFormats, ...how }, files, signal),
  );
  return seen.kind === 'extracted' ? (seen.likeness ?? []) : [];
};

const resultOf = (outcome: Outcome, processing: Processing): Result => {
  if (outcome.kind !== 'extracted') return outcome;
  const { kind, confidence, certainty, findings, likeness: _, ...extraction } = outcome;
  const reasons = reviewReasons(findings, confidence, processing);
  return { kind, extraction, confidence, certainty, reviewReasons: reasons, fraud: null };
};

/** Fetches files of a submission, in their order, for as long as `look` takes. */
const withFiles = async <T>(
  { objects, workFolder, onFetched }: ExaminePorts,
  submission: Submission,
  submitted: readonly Submitted[],
  signal: AbortSignal,
  look: (files: readonly InputFile[]) => Promise<T>,
): Promise<Readonly<{ fetched: readonly Fetched[]; seen: T }>> => {
  const folder = await mkdtemp(join(workFolder, 'attempt-'));
  try {
    const started = performance.now();
    const fetched = await Promise.all(
      submitted.map((file) => fetchFile(objects, submission, file, folder, signal)),
    );
    onFetched(performance.now() - started);
    return { fetched, seen: await look(fetched.map(({ file }) => file)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const fetchFile = async (
  objects: ObjectStore,
  { routing }: Submission,
  submitted: Submitted,
  folder: string,
  signal: AbortSignal,
): Promise<Fetched> => {
  const { fileId, label, mimeType } = submitted;
  const path = join(folder, fileId);
  const stream = await objects.read(evidenceKey(routing.submissionId, submitted));
  if (!stream) throw new PassingFailure(`the evidence of ${label} is not in the object store`);
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(stream, hashed, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  return { submitted, file: { fileId, label, mimeType, path }, sha256: hash.digest('hex') };
};
