import type { SessionCreated, SubmittedFile } from '../../domain/submission/session.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';

/** The size of a file in bytes and its hashes in hex. */
export type Digest = Readonly<{ size: number; sha256: string; md5: string }>;

/** The copy of a submitted file in the package, and the store's ETag of it. */
export type Copy = Digest & Readonly<{ path: string; etag: string }>;

/** Whether two sources agree; `unknown` where one has nothing to compare. */
type Agreement = 'yes' | 'no' | 'unknown';

/**
 * A submitted file: as declared by the client, as checked at submission, and its copy (null: it is missing).
 */
export type FileRecord = Readonly<ReturnType<typeof record>>;

/** The files of a submission as they were submitted. */
export const submittedFiles = (events: readonly SubmissionEvent[]): readonly SubmittedFile[] =>
  events.flatMap((event) => (event.type === 'SessionSubmitted' ? event.data.files : []));

/** The submitted files, `copies` by file id. */
export const filesOf = (
  events: readonly SubmissionEvent[],
  copies: ReadonlyMap<string, Copy>,
): readonly FileRecord[] => {
  const created = events.find((event) => event.type === 'SessionCreated')?.data ?? null;
  return submittedFiles(events).map((file) => record(created, file, copies.get(file.fileId) ?? null));
};

const record = (created: SessionCreated['data'] | null, file: SubmittedFile, copy: Copy | null) => {
  const { fileIndex, fileId, label, mimeType, fileSize: size, etag } = file;
  const slot = created?.slots.find((one) => one.fileId === fileId);
  const names = created === null || 'redacted' in created.private ? {} : created.private.fileNames;
  const declared = {
    mimeType: slot?.mimeType ?? null,
    size: slot?.fileSize ?? null,
    sha256: slot?.sha256 ?? null,
  };
  return {
    fileIndex,
    fileId,
    label,
    fileName: names[fileId] ?? null,
    mimeType,
    declared,
    submitted: { size, etag },
    copy,
    agrees: {
      size: copy ? agreement(copy.size === size) : 'unknown',
      sha256: copy && declared.sha256 !== null ? agreement(copy.sha256 === declared.sha256) : 'unknown',
      etag: copy ? sameEtag(copy, etag) : 'unknown',
    },
  };
};

/**
 * The embedded store's ETags are SHA-256, others' are MD5 or something else (multipart uploads, some
 * encryption): one that does not match means nothing, unless the store's present ETag matches.
 */
const sameEtag = (copy: Copy, submitted: string): Agreement => {
  const isOfBytes = (etag: string): boolean => [copy.sha256, copy.md5].includes(bare(etag));
  if (isOfBytes(submitted)) return 'yes';
  return SHA256.test(bare(submitted)) || isOfBytes(copy.etag) ? 'no' : 'unknown';
};

const bare = (etag: string): string => etag.replaceAll(/[^0-9a-z]/g, '');
const SHA256 = /^[0-9a-f]{64}$/;

const agreement = (same: boolean): Agreement => (same ? 'yes' : 'no');

/** The path of a file's copy: never the client's name, which may be anything. */
export const copyPath = ({ fileIndex, fileId, mimeType }: SubmittedFile): string =>
  `files/${fileIndex}-${fileId.replaceAll(/[^0-9A-Za-z_-]/g, '').slice(0, 60)}.${EXTENSIONS[mimeType] ?? 'bin'}`;

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/tiff': 'tiff',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/plain': 'txt',
};
