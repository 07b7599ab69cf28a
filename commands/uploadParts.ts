import { type FilePart, filePartsOf } from '../domain/fileParts.ts';
import type { Slot } from '../domain/submission/session.ts';
import type { ObjectStore, SignedRequest, StoredPart, UnfinishedUpload } from '../stores/objects/port.ts';

/** How to upload one part, and whether the store has it. */
export type PartInvitation = Omit<SignedRequest, 'method'> &
  Readonly<{ partNumber: number; size: number; uploaded: boolean }>;

/** An upload in parts, and the numbers of the parts that the store has. */
type Resumed = Readonly<{ uploadId: string; uploaded: ReadonlySet<number> }>;

/** Gives the upload in parts of a key. */
export type Resume = (objects: ObjectStore, key: string, slot: Slot) => Promise<Resumed>;

/** A new upload in parts, for a key that has none. */
export const beginParts: Resume = async ({ inParts }, key, slot) => ({
  uploadId: await inParts.begin(key, slot.mimeType ?? '', (slot.parts?.sha256 ?? null) !== null),
  uploaded: new Set(),
});

/**
 * The upload in parts that was begun for a key, a new one where it has been joined or is lost. A file that
 * was joined, by a submit that came no further, is there with all its parts.
 */
export const resumeParts: Resume = async (objects, key, slot) => {
  const unfinished = await findUpload(objects, key);
  const { uploadId } = unfinished ?? (await beginParts(objects, key, slot));
  const parts = partsOf(slot);
  const found = parts.filter((part) => storedOf(part, unfinished?.stored ?? []));
  const all = found.length < parts.length && (await isJoined(objects, key, slot)) ? parts : found;
  return { uploadId, uploaded: new Set(all.map(({ partNumber }) => partNumber)) };
};

/** A submit that came no further has joined the file: what has been begun since is not needed. */
const isJoined = async (objects: ObjectStore, key: string, { fileSize }: Slot): Promise<boolean> =>
  (await objects.head(key))?.size === fileSize;

/** Signs each part of a file. */
export const signParts = async (
  objects: ObjectStore,
  terms: Readonly<{ key: string; expiresInSeconds: number }>,
  slot: Slot,
  resume: Resume,
): Promise<readonly PartInvitation[]> => {
  const { uploadId, uploaded } = await resume(objects, terms.key, slot);
  return Promise.all(
    partsOf(slot).map(async (part) => {
      const { url, headers } = await objects.inParts.sign({ ...terms, uploadId, ...part });
      const { partNumber, size } = part;
      return { partNumber, size, url, headers, uploaded: uploaded.has(partNumber) };
    }),
  );
};

/**
 * Makes one object of the parts that were uploaded for a key. Gives what is wrong with them; null when there
 * is nothing to join, or no longer: a submit that came no further has done it.
 */
export const joinParts = async (objects: ObjectStore, key: string, slot: Slot): Promise<string | null> => {
  const upload = await findUpload(objects, key);
  if (!upload || upload.stored.length === 0) return null;
  const { stored } = upload;
  const parts = partsOf(slot);
  const missing = parts.filter((part) => !storedOf(part, stored));
  if (missing.length > 0)
    return (await isJoined(objects, key, slot))
      ? null
      : `is incomplete: of ${parts.length} parts ${listed(missing)}`;
  const hasJoined = await objects.inParts.join(
    upload,
    parts.flatMap((part) => storedOf(part, stored) ?? []),
  );
  if (hasJoined || (await objects.inParts.parts(upload)) === null) return null;
  return 'changed while it was being submitted; submit again';
};

/**
 * The upload of a key, with its parts. Requests for addresses at the same moment may have begun several: the
 * one with the most parts counts, of equal ones the oldest. The sweep drops the others.
 */
const findUpload = async (
  { inParts }: ObjectStore,
  key: string,
): Promise<(UnfinishedUpload & Readonly<{ stored: readonly StoredPart[] }>) | null> => {
  const uploads = (await inParts.unfinished(key, '', AT_MOST)).filter((upload) => upload.key === key);
  const found = await Promise.all(
    uploads.map(async (upload) => ({ ...upload, stored: await inParts.parts(upload) })),
  );
  return found
    .flatMap(({ stored, ...upload }) => (stored ? [{ ...upload, stored }] : []))
    .reduce<Awaited<ReturnType<typeof findUpload>>>(
      (best, one) => (best && best.stored.length >= one.stored.length ? best : one),
      null,
    );
};

const AT_MOST = 10;

const partsOf = ({ fileSize, parts }: Slot): readonly FilePart[] =>
  parts ? filePartsOf(fileSize ?? 0, parts) : [];

const storedOf = (part: FilePart, stored: readonly StoredPart[]): StoredPart | undefined =>
  stored.find(({ partNumber, size }) => partNumber === part.partNumber && size === part.size);

/** At most ten numbers: the others are in the fresh addresses. */
const listed = (missing: readonly FilePart[]): string => {
  const numbers = missing.slice(0, 10).map(({ partNumber }) => partNumber);
  const more = missing.length > numbers.length ? ` and ${missing.length - numbers.length} more` : '';
  return `${numbers.join(', ')}${more} ${missing.length === 1 ? 'is' : 'are'} missing`;
};
