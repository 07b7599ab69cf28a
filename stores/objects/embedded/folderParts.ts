import type { Clock } from '../../../kernel/clock.ts';
import type { createSemaphore } from '../../../kernel/semaphore.ts';
import type { SignedRequest, StoredPart, UnfinishedUpload, UploadsInParts, UploadTerms } from '../port.ts';
import { PartsChanged } from './partsFolder.ts';
import type { Storage } from './storage.ts';

/** Signs a PUT; `more` are query parameters of it, in order. */
export type SignPut = (
  terms: UploadTerms,
  more?: readonly (readonly [string, string])[],
) => SignedRequest & Readonly<{ method: 'PUT' }>;

type Ports = Readonly<{
  translating<T>(call: Promise<T>): Promise<T>;
  /** A join has two files open, like a copy. */
  copies: ReturnType<typeof createSemaphore>;
  sign: SignPut;
  clock: Clock;
}>;

/** Uploads in parts over the folder itself. */
export const folderParts = (
  storage: Storage,
  { translating, copies, sign, clock }: Ports,
): UploadsInParts => {
  const { parts } = storage;
  return {
    begin: (key, mimeType) =>
      translating(parts.begin({ key, mimeType, storedAt: clock.now().toISOString() })),
    sign: async ({ uploadId, partNumber, ...terms }) =>
      sign(terms, [
        ['partNumber', String(partNumber)],
        ['uploadId', uploadId],
      ]),
    parts: (upload) => translating(parts.list(upload)),
    join: (upload, wanted) =>
      translating(copies.run(() => join(storage, upload, wanted, clock.now().toISOString()))),
    drop: async (upload) => {
      await translating(parts.drop(upload));
    },
    unfinished: (...terms) => translating(parts.unfinished(...terms)),
  };
};

/** Stores the object and then drops the upload: after a crash between them it is joined again. */
const join = async (
  storage: Storage,
  upload: UnfinishedUpload,
  wanted: readonly StoredPart[],
  storedAt: string,
): Promise<boolean> => {
  const object = storage.parts.joined(upload, wanted);
  if (object === null) return false;
  try {
    await storage.put({ key: upload.key, storedAt, ...object });
  } catch (error) {
    if (error instanceof PartsChanged) return false;
    throw error;
  }
  await storage.parts.drop(upload);
  return true;
};
