import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { outputJsonSchemaOf } from '../domain/outputJsonSchema.ts';
import type { Result } from '../domain/submission/processing.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { WorkflowVersion } from '../domain/workflow.ts';
import { reviewReasons } from '../processing/decide.ts';
import { PassingFailure } from '../processing/errors.ts';
import type { Processor } from '../processing/process.ts';
import type { InputFile } from '../processing/types.ts';
import { evidenceKey } from '../stores/objects/keys.ts';
import type { ObjectStore } from '../stores/objects/port.ts';

type ExaminePorts = Readonly<{
  objects: ObjectStore;
  processor: Processor;
  /** Where files lie while they are read; each attempt has a folder of its own in it. */
  workFolder: string;
}>;

/** Brings a submission's files here, has them read, and removes them. Throws `PassingFailure` and `StoreUnavailable`. */
export const examine =
  ({ objects, processor, workFolder }: ExaminePorts) =>
  async (submission: Submission, version: WorkflowVersion, signal: AbortSignal): Promise<Result> => {
    const { outputSchema, upload, processing } = version;
    const { extractor } = processing;
    if (typeof extractor === 'object') {
      return {
        kind: 'failed',
        reason: 'This version’s extractor (http) is not offered by this service yet.',
      };
    }
    const folder = await mkdtemp(join(workFolder, 'attempt-'));
    try {
      const files = await Promise.all(
        submission.files.map((file) => fetchFile(objects, submission, file, folder, signal)),
      );
      const outputJsonSchema = outputJsonSchemaOf(outputSchema);
      const { acceptedFormats } = upload;
      const asked = { outputSchema, outputJsonSchema, acceptedFormats, extractor };
      const outcome = await processor.process(asked, files, signal);
      if (outcome.kind !== 'extracted') return outcome;
      const { kind, confidence, certainty, findings, ...extraction } = outcome;
      const reasons = reviewReasons(findings, confidence, processing);
      return { kind, extraction, confidence, certainty, reviewReasons: reasons, fraud: null };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

const fetchFile = async (
  objects: ObjectStore,
  { routing }: Submission,
  file: Submission['files'][number],
  folder: string,
  signal: AbortSignal,
): Promise<InputFile> => {
  const { fileId, label, mimeType } = file;
  const path = join(folder, fileId);
  const stream = await objects.read(evidenceKey(routing.submissionId, file));
  if (!stream) throw new PassingFailure(`the evidence of ${label} is not in the object store`);
  await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  return { fileId, label, mimeType, path };
};
