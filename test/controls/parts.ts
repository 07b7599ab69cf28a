import { createHash, randomUUID } from 'node:crypto';
import type { StoredPart, UnfinishedUpload, UploadsInParts } from '../../stores/objects/port.ts';

type Kept = UnfinishedUpload & Readonly<{ mimeType: string; parts: Map<number, Buffer> }>;

/** Uploads in parts in memory; `put` stores the object that one is joined to. */
export const memoryParts = (put: (key: string, bytes: Buffer, mimeType: string) => void) => {
  const kept: Kept[] = [];
  const find = ({ uploadId }: UnfinishedUpload) => kept.find((one) => one.uploadId === uploadId);
  const drop = (upload: UnfinishedUpload): void => {
    const index = kept.findIndex((one) => one.uploadId === upload.uploadId);
    if (index >= 0) kept.splice(index, 1);
  };
  const inParts: UploadsInParts = {
    begin: async (key, mimeType) => {
      const uploadId = randomUUID();
      kept.push({ key, uploadId, mimeType, parts: new Map() });
      return uploadId;
    },
    sign: async ({ key, uploadId, partNumber }) => ({
      ...{ method: 'PUT', url: `memory:${key}?${uploadId}&${partNumber}`, headers: {} },
    }),
    parts: async (upload) => {
      const found = find(upload);
      return found ? [...found.parts].sort(([one], [other]) => one - other).map(partOf) : null;
    },
    join: async (upload, parts) => {
      const found = find(upload);
      const bytes = parts.map(({ partNumber }) => found?.parts.get(partNumber) ?? Buffer.of());
      if (!found || parts.some(({ etag }, index) => etagOf(bytes[index] ?? Buffer.of()) !== etag))
        return false;
      put(found.key, Buffer.concat(bytes), found.mimeType);
      drop(upload);
      return true;
    },
    drop: async (upload) => drop(upload),
    unfinished: async (prefix, after, limit) =>
      kept
        .filter(({ key }) => key.startsWith(prefix) && key > after)
        .map(({ key, uploadId }) => ({ key, uploadId }))
        .slice(0, limit),
  };
  /** Stores a part of the upload of a key, which was begun. */
  const putPart = (key: string, partNumber: number, bytes: Buffer): void => {
    const found = kept.find((one) => one.key === key);
    if (!found) throw new Error(`no upload in parts of ${key} was begun`);
    found.parts.set(partNumber, bytes);
  };
  return { inParts, putPart, kept };
};

const etagOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const partOf = ([partNumber, bytes]: readonly [number, Buffer]): StoredPart => ({
  ...{ partNumber, size: bytes.length, etag: etagOf(bytes) },
});
