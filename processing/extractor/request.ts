import type { Submission } from '../../domain/submission/state.ts';
import { sessionIdOf } from '../../domain/submission/submission.ts';
import { labelledName } from '../../schemas/labelledName.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import type { ObjectStore } from '../../stores/objects/port.ts';
import type { VersionFields } from '../types.ts';

/** A file as an http extractor gets it: `url` needs no credentials until `expiresAt` (ISO 8601). */
export type FileLink = Awaited<ReturnType<typeof fileLink>>;

/** Longer than any request, for extractors that queue their work. */
const LINK_SECONDS = 900;

/**
 * A link to the evidence copy of a file, which no late upload changes. Its file name is its label and
 * extension: the extractor does not get the client's. `sha256` (hex) is that of the bytes which were checked
 * here.
 */
export const fileLink = async (
  objects: Pick<ObjectStore, 'signDownload'>,
  { routing }: Submission,
  file: Submission['files'][number],
  sha256: string,
  now: Date,
) => {
  const { fileId, fileIndex, label, mimeType, fileSize } = file;
  const key = evidenceKey(routing.submissionId, file);
  const expiresAt = new Date(now.getTime() + LINK_SECONDS * 1_000).toISOString();
  const { url } = await objects.signDownload({
    key,
    expiresInSeconds: LINK_SECONDS,
    fileName: labelledName(file),
    mimeType,
  });
  return { fileId, fileIndex, label, mimeType, fileSize, sha256, url, expiresAt };
};

/** The request's body, without what the client gave with the session: reading the files needs none of it. */
export const extractionRequest = (
  { routing, round, attempt }: Submission,
  { outputSchema, outputJsonSchema }: VersionFields,
  files: readonly FileLink[],
) => {
  const { submissionId, mode, workflow } = routing;
  return {
    submissionId,
    sessionId: sessionIdOf(submissionId),
    mode,
    workflow,
    round,
    attempt,
    outputSchema,
    outputJsonSchema,
    files,
  };
};
