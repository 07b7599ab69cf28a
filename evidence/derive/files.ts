import type { SubmittedFile } from '../../domain/submission/session.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import type { Recorded } from '../../kernel/event.ts';

/** What a submitted file's copy is: where it stands in the package, its bytes' size and hashes (hex), and the store's ETag of it. */
export type Copy = Readonly<{ path: string; size: number; sha256: string; md5: string; etag: string }>;

/** Whether two sources say the same; `unknown` where one of them says nothing that could be compared. */
type Agreement = 'yes' | 'no' | 'unknown';

/** A submitted file: what the client declared, what was checked when it was submitted, and the copy that was found (null: it is missing). */
export type FileRecord = Readonly<{
  fileIndex: number;
  fileId: string;
  label: string;
  fileName: string | null;
  mimeType: string;
  declared: Readonly<{ mimeType: string | null; size: number | null; sha256: string | null }>;
  submitted: Readonly<{ size: number; etag: string }>;
  copy: Copy | null;
  agrees: Readonly<{ size: Agreement; sha256: Agreement; etag: Agreement }>;
}>;

/** The submitted files, `copies` by file id. */
export const filesOf = (
  events: readonly Recorded<SubmissionEvent>[],
  copies: ReadonlyMap<string, Copy>,
): readonly FileRecord[] => {
  const state = events.reduce<Submission | null>(evolve, null);
  return (state?.files ?? []).map((file) => record(state, file, copies.get(file.fileId) ?? null));
};

const record = (state: Submission | null, file: SubmittedFile, copy: Copy | null): FileRecord => {
  const { fileIndex, fileId, label, mimeType, fileSize: size, etag } = file;
  const slot = state?.slots.find((one) => one.fileId === fileId);
  const declared = {
    mimeType: slot?.mimeType ?? null,
    size: slot?.fileSize ?? null,
    sha256: slot?.sha256 ?? null,
  };
  return {
    fileIndex,
    fileId,
    label,
    fileName: state?.fileNames[fileId] ?? null,
    mimeType,
    declared,
    submitted: { size, etag },
    copy,
    agrees: {
      size: copy ? told(copy.size === size) : 'unknown',
      sha256: copy && declared.sha256 !== null ? told(copy.sha256 === declared.sha256) : 'unknown',
      etag: copy ? sameEtag(copy, etag) : 'unknown',
    },
  };
};

/**
 * The embedded store makes ETags of the bytes' SHA-256, others of their MD5 or of something else (uploads in parts, some encryption): of those that
 * don't fit, nothing can be told unless the store's ETag of today fits.
 */
const sameEtag = (copy: Copy, submitted: string): Agreement => {
  const isOfBytes = (etag: string): boolean => [copy.sha256, copy.md5].includes(bare(etag));
  if (isOfBytes(submitted)) return 'yes';
  return SHA256.test(bare(submitted)) || isOfBytes(copy.etag) ? 'no' : 'unknown';
};

const bare = (etag: string): string => etag.replaceAll(/[^0-9a-z]/g, '');
const SHA256 = /^[0-9a-f]{64}$/;

const told = (same: boolean): Agreement => (same ? 'yes' : 'no');

/** Where a file's copy stands: never under the client's name, which may be anything. */
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
