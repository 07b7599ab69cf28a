import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { outputJsonSchemaOf } from '../domain/outputJsonSchema.ts';
import type { HashedFile } from '../domain/submission/fingerprints.ts';
import type { Result } from '../domain/submission/processing.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { Processing, WorkflowVersion } from '../domain/workflow.ts';
import { reviewReasons } from '../processing/decide.ts';
import { PassingFailure } from '../processing/errors.ts';
import type { Processor } from '../processing/process.ts';
import type { InputFile, Outcome } from '../processing/types.ts';
import { evidenceKey } from '../stores/objects/keys.ts';
import type { ObjectStore } from '../stores/objects/port.ts';

type ExaminePorts = Readonly<{
  objects: ObjectStore;
  processor: Processor;
  /** Where files lie while they are read; each attempt has a folder of its own in it. */
  workFolder: string;
  /** Hears how long it took to bring the files here, in milliseconds. */
  onFetched(durationMs: number): void;
  /** Hears how many pages were read. */
  onRead(pages: number): void;
}>;

/** What came of a submission's files. The fraud checks are not part of it. */
export type Examined = Readonly<{ result: Result; files: readonly HashedFile[] }>;

/** Brings a submission's files here, has them read, and removes them. Throws `PassingFailure` and `StoreUnavailable`. */
export const examine =
  ({ objects, processor, workFolder, onFetched, onRead }: ExaminePorts) =>
  async (submission: Submission, version: WorkflowVersion, signal: AbortSignal): Promise<Examined> => {
    const { outputSchema, upload, processing } = version;
    const { extractor } = processing;
    if (typeof extractor === 'object') {
      const reason = 'This version’s extractor (http) is not offered by this service yet.';
      return { result: { kind: 'failed', reason }, files: [] };
    }
    const folder = await mkdtemp(join(workFolder, 'attempt-'));
    try {
      const started = performance.now();
      const fetched = await Promise.all(
        submission.files.map((file) => fetchFile(objects, submission, file, folder, signal)),
      );
      onFetched(performance.now() - started);
      const outputJsonSchema = outputJsonSchemaOf(outputSchema);
      const { acceptedFormats } = upload;
      const asked = { outputSchema, outputJsonSchema, acceptedFormats, extractor };
      const outcome = await processor.process(
        asked,
        fetched.map(({ file }) => file),
        signal,
      );
      if (outcome.kind === 'extracted') onRead(outcome.result.pages);
      const files = fetched.map(({ file: { fileId, label }, sha256 }) => ({ fileId, label, sha256 }));
      return { result: resultOf(outcome, processing), files };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

const resultOf = (outcome: Outcome, processing: Processing): Result => {
  if (outcome.kind !== 'extracted') return outcome;
  const { kind, confidence, certainty, findings, ...extraction } = outcome;
  const reasons = reviewReasons(findings, confidence, processing);
  return { kind, extraction, confidence, certainty, reviewReasons: reasons, fraud: null };
};

const fetchFile = async (
  objects: ObjectStore,
  { routing }: Submission,
  file: Submission['files'][number],
  folder: string,
  signal: AbortSignal,
): Promise<Readonly<{ file: InputFile; sha256: string }>> => {
  const { fileId, label, mimeType } = file;
  const path = join(folder, fileId);
  const stream = await objects.read(evidenceKey(routing.submissionId, file));
  if (!stream) throw new PassingFailure(`the evidence of ${label} is not in the object store`);
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(stream, hashed, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  return { file: { fileId, label, mimeType, path }, sha256: hash.digest('hex') };
};
