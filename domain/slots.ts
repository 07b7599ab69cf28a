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

/** The label of slot `index`, from 0 (uploads-2). */
export const labelOf = (upload: Upload, index: number): string =>
  upload.fileLabels[index] ?? `file-${index + 1}`;

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
  if (declared === null) {
    return Array.from({ length: upload.maxFiles }, (_, fileIndex) => ({
      fileId: newFileId(),
      fileIndex,
      label: labelOf(upload, fileIndex),
      mimeType: null,
      fileSize: null,
      sha256: null,
    }));
  }
  const errors = declaredFaults(upload, declared);
  if (errors.length > 0) {
    throw new DomainError('UploadsRefused', 'The declared files break the bounds of the workflow version.', {
      errors,
    });
  }
  const labels = assignLabels(upload, declared);
  return declared.map((file, fileIndex) => ({
    fileId: newFileId(),
    fileIndex,
    label: labels[fileIndex] as string,
    mimeType: file.mimeType,
    fileSize: file.fileSize,
    sha256: file.sha256 ?? null,
  }));
};

/** What of declared files breaks the bounds of the version. */
export const declaredFaults = (upload: Upload, declared: readonly DeclaredFile[]): readonly Fault[] => {
  const { minFiles, maxFiles } = upload;
  const faults: Fault[] = [];
  if (declared.length < minFiles || declared.length > maxFiles) {
    faults.push({
      pointer: '/files',
      detail: `must be ${minFiles} to ${maxFiles} files, not ${declared.length}`,
    });
  }
  const listed = Array.from({ length: maxFiles }, (_, index) => labelOf(upload, index));
  const used = new Set<string>();
  declared.forEach(({ label, mimeType, fileSize }, index) => {
    const at = `/files/${index}`;
    if (!upload.acceptedFormats.includes(mimeType)) {
      faults.push({
        pointer: `${at}/mimeType`,
        detail: `must be one of ${upload.acceptedFormats.join(', ')}`,
      });
    }
    if (fileSize > maxBytes(upload)) {
      faults.push({ pointer: `${at}/fileSize`, detail: `must be at most ${maxBytes(upload)} bytes` });
    }
    if (label === undefined) return;
    if (!listed.includes(label)) {
      faults.push({ pointer: `${at}/label`, detail: `must be one of ${listed.join(', ')}` });
    } else if (used.has(label)) {
      faults.push({ pointer: `${at}/label`, detail: 'is used by another file' });
    }
    used.add(label);
  });
  return faults;
};

/** A file without a label gets the first that no other file declares. */
const assignLabels = (upload: Upload, declared: readonly DeclaredFile[]): readonly string[] => {
  const given = new Set(declared.flatMap(({ label }) => label ?? []));
  const free = Array.from({ length: upload.maxFiles }, (_, index) => labelOf(upload, index)).filter(
    (label) => !given.has(label),
  );
  return declared.map(({ label }) => label ?? (free.shift() as string));
};
