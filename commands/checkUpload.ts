import { agrees, bareType, isTextual, plainType, UNKNOWN_FORMAT } from '../domain/formats.ts';
import { maxBytes } from '../domain/slots.ts';
import type { Slot, SubmittedFile } from '../domain/submission/session.ts';
import type { Upload } from '../domain/workflow.ts';
import type { Fault } from '../kernel/fault.ts';
import { uploadKey } from '../stores/objects/keys.ts';
import type { ObjectHead, ObjectStore } from '../stores/objects/port.ts';
import { joinParts } from './uploadParts.ts';

/**
 * The media type of an object's bytes, `UNKNOWN_FORMAT` when they match none, null when they can't be
 * checked; `declared` is that of the upload, null without one.
 */
export type Sniff = (key: string, declared: string | null) => Promise<string | null>;

/** A file that may be submitted, or the reason why it may not; neither where nothing was uploaded. */
type Verdict = Readonly<{ checked?: SubmittedFile; fault?: Fault }>;

/**
 * Checks a slot's upload: its size, and that the version accepts its media type, which its bytes must match.
 * Parts are joined first, and their SHA-256 is read from the whole. A joined file that is refused is removed,
 * so that it can be sent again.
 */
export const checkUpload = async (
  { objects, sniff }: Readonly<{ objects: ObjectStore; sniff: Sniff }>,
  submissionId: string,
  slot: Slot,
  upload: Upload,
): Promise<Verdict> => {
  const key = uploadKey(submissionId, slot.fileId);
  const { fileId, fileIndex, label } = slot;
  const refused = (detail: string): Verdict => ({
    fault: { pointer: `/files/${fileIndex}`, detail: `${label}: the uploaded file ${detail}` },
  });
  const unjoined = slot.parts ? await joinParts(objects, key, slot) : null;
  if (unjoined !== null) return refused(unjoined);
  const head = await objects.head(key);
  if (head === null) return {};
  const outOfBounds = sizeFault(head, slot, upload);
  if (outOfBounds !== null) return refused(outOfBounds);
  const declared = head.mimeType === null ? null : bareType(head.mimeType);
  const detected = await sniff(key, declared);
  const detail =
    typeFault(declared, detected, slot, upload) ?? (await checksumFault(objects, key, head.etag, slot));
  if (detail !== null) {
    if (slot.parts) await objects.remove(key);
    return refused(detail);
  }
  const mimeType = declared ?? detected ?? UNKNOWN_FORMAT;
  return { checked: { fileId, fileIndex, label, mimeType, fileSize: head.size, etag: head.etag } };
};

const sizeFault = ({ size }: ObjectHead, slot: Slot, upload: Upload): string | null => {
  if (size === 0) return 'is empty';
  if (size > maxBytes(upload)) return `has ${size} bytes, at most ${maxBytes(upload)} are allowed`;
  if (slot.fileSize !== null && slot.fileSize !== size)
    return `has ${size} bytes, ${slot.fileSize} were declared`;
  return null;
};

/** Not every store checks it in a form; that of any other file was checked when the file came. */
const checksumFault = async (
  objects: ObjectStore,
  key: string,
  etag: string,
  { parts, form, sha256 }: Slot,
): Promise<string | null> =>
  !(parts || form) || sha256 === null || (await objects.sha256(key, etag)) === sha256
    ? null
    : `does not have the SHA-256 that was declared, ${sha256}`;

const typeFault = (
  declared: string | null,
  detected: string | null,
  slot: Slot,
  { acceptedFormats }: Upload,
): string | null => {
  const type = declared ?? detected;
  const accepted = acceptedFormats.join(', ');
  if (type === null) return `has no media type and its bytes show none of ${accepted}`;
  if (!acceptedFormats.map(plainType).includes(plainType(type))) return `is ${type}, not one of ${accepted}`;
  if (slot.mimeType !== null && plainType(slot.mimeType) !== plainType(type))
    return `is ${type}, ${slot.mimeType} was declared`;
  if (declared === null || detected === null || agrees(declared, detected)) return null;
  return `was declared as ${declared}, but ${mismatch(declared, detected)}`;
};

const mismatch = (declared: string, detected: string): string => {
  if (detected !== UNKNOWN_FORMAT) return `its bytes are ${detected}`;
  return isTextual(plainType(declared)) ? 'its bytes are no text in UTF-8' : 'its bytes show no known type';
};
