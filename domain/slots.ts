import { DomainError } from '../kernel/decider.ts';
import type { Fault } from '../kernel/fault.ts';
import { LARGE_FILE, partCountOf, partSizeOf } from './fileParts.ts';
import type { Slot } from './submission/session.ts';
import type { Upload } from './workflow.ts';

/** A file as a client declares it; `fileSize` in bytes, checksums in lower-case hex. */
export type DeclaredFile = Readonly<{
  label?: string;
  mimeType: string;
  fileSize: number;
  sha256?: string;
  partSha256?: readonly string[];
}>;

/** How files are sent. By POST each is a form, as pages send by themselves (uploads-26). */
export const uploadMethods = ['PUT', 'POST'] as const;
export type UploadMethod = (typeof uploadMethods)[number];

/** What a client asks for of its uploads; null where it does not. */
export type Asked = Readonly<{ files: readonly DeclaredFile[] | null; method: UploadMethod | null }>;

/** The labels of all slots, in their order (uploads-2). */
export const labelsOf = (upload: Pick<Upload, 'fileLabels' | 'maxFiles'>): readonly string[] =>
  Array.from({ length: upload.maxFiles }, (_, index) => upload.fileLabels[index] ?? `file-${index + 1}`);

/** Bytes in the version's `maxFileSizeMb` (1 MB is 1,048,576 bytes). */
export const maxBytes = (upload: Upload): number => Math.floor(upload.maxFileSizeMb * 1_048_576);

/**
 * The upload slots of a session: one for each declared file, else `maxFiles` (uploads-3). `newFileId` makes
 * each identifier. Throws `UploadsRefused` with every fault in `facts.errors`.
 */
export const planSlots = (
  upload: Upload,
  { files: declared, method }: Asked,
  newFileId: () => string,
): readonly Slot[] => {
  const errors = declared === null ? [] : declaredFaults(upload, declared, method);
  if (errors.length > 0) {
    throw new DomainError('UploadsRefused', 'The declared files break the bounds of the workflow version.', {
      errors,
    });
  }
  const files: readonly Partial<DeclaredFile>[] =
    declared ?? Array.from({ length: upload.maxFiles }, () => ({}));
  // A file without a label gets the first that no other file declares.
  const free = labelsOf(upload).filter((label) => !files.some((file) => file.label === label));
  return files.map(({ label, mimeType = null, fileSize = null, sha256 = null, partSha256 }, fileIndex) => ({
    fileId: newFileId(),
    fileIndex,
    label: label ?? (free.shift() as string),
    mimeType,
    fileSize,
    sha256,
    ...sending(fileSize, method, partSha256),
  }));
};

/** How a file is sent, where it is not by one PUT. */
const sending = (
  fileSize: number | null,
  method: UploadMethod | null,
  sha256: readonly string[] | null = null,
): Pick<Slot, 'form' | 'parts'> => {
  if (method === 'POST') return { form: true };
  if (fileSize === null || fileSize <= LARGE_FILE) return {};
  return { parts: { size: partSizeOf(fileSize), sha256 } };
};

/** What of declared files breaks the bounds of the version. */
export const declaredFaults = (
  upload: Upload,
  declared: readonly DeclaredFile[],
  method: UploadMethod | null,
): readonly Fault[] => {
  const { minFiles, maxFiles } = upload;
  const faults: Fault[] = [];
  const add = (pointer: string, detail: string) => faults.push({ pointer: `/files${pointer}`, detail });
  if (declared.length < minFiles || declared.length > maxFiles)
    add('', `must be ${minFiles} to ${maxFiles} files, not ${declared.length}`);
  const labels = labelsOf(upload);
  const used = new Set<string>();
  declared.forEach(({ label, mimeType, fileSize, partSha256 }, index) => {
    if (!upload.acceptedFormats.includes(mimeType))
      add(`/${index}/mimeType`, `must be one of ${upload.acceptedFormats.join(', ')}`);
    if (fileSize > maxBytes(upload)) add(`/${index}/fileSize`, `must be at most ${maxBytes(upload)} bytes`);
    const wrongParts = partsFault(fileSize, method, partSha256);
    if (wrongParts !== null) add(`/${index}/partSha256`, wrongParts);
    if (label === undefined) return;
    if (!labels.includes(label)) add(`/${index}/label`, `must be one of ${labels.join(', ')}`);
    else if (used.has(label)) add(`/${index}/label`, 'is used by another file');
    used.add(label);
  });
  return faults;
};

const partsFault = (
  fileSize: number,
  method: UploadMethod | null,
  sha256: readonly string[] | undefined,
): string | null => {
  if (sha256 === undefined) return null;
  if (method === 'POST') return 'must be left out: a form is not sent in parts';
  if (fileSize <= LARGE_FILE)
    return `must be left out: only files over ${LARGE_FILE} bytes are sent in parts`;
  const count = partCountOf(fileSize);
  if (sha256.length === count) return null;
  return `must be ${count} checksums, not ${sha256.length}: one for each part of ${partSizeOf(fileSize)} bytes`;
};
