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
import type { Processing, WorkflowVersion } from '../domain/workflow.ts';
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

/**
 * Brings a submission's files here, has them read, and removes them; for an http extractor they are only looked at here. Throws
 * `PassingFailure`, `StoreUnavailable` and `ExtractorAway`.
 */
export const examine =
  (ports: ExaminePorts) =>
  async (submission: Submission, version: WorkflowVersion, signal: AbortSignal): Promise<Examined> => {
    const { outputSchema, upload, processing } = version;
    const { extractor } = processing;
    const { acceptedFormats } = upload;
    const likeness = processing.fraud.checks.includes('near_duplicate_image');
    const { fetched, seen } = await withFiles(ports, submission, signal, async (files) => {
      if (typeof extractor === 'object') {
        const ended = await ports.processor.check(acceptedFormats, files, signal);
        const look = likeness && ended.kind === 'checked';
        return { ended, pages: look ? await likenessOf(ports, acceptedFormats, files, signal) : [] };
      }
      const outputJsonSchema = outputJsonSchemaOf(outputSchema);
      const quality = processing.quality ?? usualQuality;
      const asked = { outputSchema, outputJsonSchema, acceptedFormats, extractor, quality, likeness };
      const ended = await ports.processor.process(asked, files, signal);
      return { ended, pages: ended.kind === 'extracted' ? (ended.likeness ?? []) : [] };
    });
    const { ended, pages } = seen;
    if (ended.kind === 'extracted') ports.onRead(ended.result.pages);
    const outcome =
      ended.kind === 'checked' ? await elsewhere(ports, submission, version, fetched, signal) : ended;
    const files = fetched.map(({ file: { fileId, label }, sha256 }) => ({ fileId, label, sha256 }));
    return { result: resultOf(outcome, processing), files, pages };
  };

/**
 * What near duplicates of pictures are found by, for files whose fields are read elsewhere: none for files that are no pictures, and none
 * where one of them can't be read here, which is not for this to judge.
 */
const likenessOf = async (
  { processor }: Pick<ExaminePorts, 'processor'>,
  acceptedFormats: readonly string[],
  files: readonly InputFile[],
  signal: AbortSignal,
): Promise<readonly PageLikeness[]> => {
  const pictures = files.filter(({ mimeType }) => /^(image\/|application\/pdf)/.test(mimeType ?? 'image/'));
  if (pictures.length === 0) return [];
  const nothing = { outputSchema: [], outputJsonSchema: { type: 'object' } };
  const asked = {
    ...nothing,
    acceptedFormats,
    extractor: 'document',
    quality: anyQuality,
    likeness: true,
  } as const;
  const ended = await processor.process(asked, pictures, signal);
  return ended.kind === 'extracted' ? (ended.likeness ?? []) : [];
};

/** The files are fine: their http extractor gets links to them. */
const elsewhere = async (
  { objects, clock, extract }: ExaminePorts,
  submission: Submission,
  version: WorkflowVersion,
  fetched: readonly Fetched[],
  signal: AbortSignal,
): Promise<Outcome> => {
  const { extractor } = version.processing;
  if (typeof extractor !== 'object') throw new Error('only an http extractor reads files elsewhere');
  const links = await Promise.all(
    fetched.map(({ submitted, sha256 }) => fileLink(objects, submission, submitted, sha256, clock.now())),
  );
  return extract(submission, version, extractor.http, links, signal);
};

const resultOf = (outcome: Outcome, processing: Processing): Result => {
  if (outcome.kind !== 'extracted') return outcome;
  const { kind, confidence, certainty, findings, likeness: _, ...extraction } = outcome;
  const reasons = reviewReasons(findings, confidence, processing);
  return { kind, extraction, confidence, certainty, reviewReasons: reasons, fraud: null };
};

/** Fetches the files, in their order, for as long as `look` takes. */
const withFiles = async <T>(
  { objects, workFolder, onFetched }: ExaminePorts,
  submission: Submission,
  signal: AbortSignal,
  look: (files: readonly InputFile[]) => Promise<T>,
): Promise<Readonly<{ fetched: readonly Fetched[]; seen: T }>> => {
  const folder = await mkdtemp(join(workFolder, 'attempt-'));
  try {
    const started = performance.now();
    const fetched = await Promise.all(
      submission.files.map((file) => fetchFile(objects, submission, file, folder, signal)),
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
