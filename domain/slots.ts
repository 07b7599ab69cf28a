import { DomainError } from '../kernel/decider.ts';
import type { Fault } from '../kernel/fault.ts';
import type { Slot } from './submission/session.ts';
import type { Upload } from './workflow.ts';

/** A file as a client declares it; `fileSize` in bytes, `sha256` in lower-case hex. */
export type DeclaredFile = Readonly<{
  label?: string;
  mimeType: string;
  fileSize: number;
  sha256?: string;
}>;

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
  declared: readonly DeclaredFile[] | null,
  newFileId: () => string,
): readonly Slot[] => {
  const errors = declared === null ? [] : declaredFaults(upload, declared);
  if (errors.length > 0) {
    throw new DomainError('UploadsRefused', 'The declared files break the bounds of the workflow version.', {
      errors,
    });
  }
  const files: readonly Partial<DeclaredFile>[] =
    declared ?? Array.from({ length: upload.maxFiles }, () => ({}));
  // A file without a label gets the first that no other file declares.
  const free = labelsOf(upload).filter((label) => !files.some((file) => file.label === label));
  return files.map(({ label, mimeType = null, fileSize = null, sha256 = null }, fileIndex) => ({
    fileId: newFileId(),
    fileIndex,
    label: label ?? (free.shift() as string),
    mimeType,
    fileSize,
    sha256,
  }));
};

/** What of declared files breaks the bounds of the version. */
export const declaredFaults = (upload: Upload, declared: readonly DeclaredFile[]): readonly Fault[] => {
  const { minFiles, maxFiles } = upload;
  const faults: Fault[] = [];
  const add = (pointer: string, detail: string) => faults.push({ pointer: `/files${pointer}`, detail });
  if (declared.length < minFiles || declared.length > maxFiles)
    add('', `must be ${minFiles} to ${maxFiles} files, not ${declared.length}`);
  const labels = labelsOf(upload);
  const used = new Set<string>();
  declared.forEach(({ label, mimeType, fileSize }, index) => {
    if (!upload.acceptedFormats.includes(mimeType))
      add(`/${index}/mimeType`, `must be one of ${upload.acceptedFormats.join(', ')}`);
    if (fileSize > maxBytes(upload)) add(`/${index}/fileSize`, `must be at most ${maxBytes(upload)} bytes`);
    if (label === undefined) return;
    if (!labels.includes(label)) add(`/${index}/label`, `must be one of ${labels.join(', ')}`);
    else if (used.has(label)) add(`/${index}/label`, 'is used by another file');
    used.add(label);
  });
  return faults;
};
