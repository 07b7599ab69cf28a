import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ObjectDamaged, StoreUnavailable } from '../../../kernel/errors.ts';
import { createSemaphore } from '../../../kernel/semaphore.ts';
import { downloadQuery } from '../contentDisposition.ts';
import type { ObjectReader, ObjectStore } from '../port.ts';
import { createPresigner } from '../presign.ts';
import { formTerms, givenType, headersToSend, translated, uploadHeaders } from '../uploads.ts';
import { copyOf } from './copyObject.ts';
import type { Context } from './exchange.ts';
import { uploadExtensions } from './extensions.ts';
import { folderParts, type SignPut } from './folderParts.ts';
import { openObject } from './openObject.ts';
import type { Storage } from './storage.ts';

/** `baseUrl`: the address without a path that clients reach the endpoint at. */
type Signer = Pick<Context, 'bucket' | 'region' | 'credentials' | 'clock'> & Readonly<{ baseUrl: string }>;

/** Each has two files open, and a submit up to a hundred copies: they must not use up file descriptors. */
const MAX_COPIES = 64;

/**
 * The object store over the folder itself: only clients go through the endpoint, by the URLs that this signs
 * for it. `storage` is the folder's, shared with the endpoint.
 */
export const folderObjectStore = (folder: string, storage: Storage, signer: Signer): ObjectStore => {
  const { baseUrl, bucket, region, credentials, clock } = signer;
  const presigner = createPresigner(new URL(`/${bucket}/`, baseUrl).href, region);
  const signing = () => ({ credentials, now: clock.now() });
  const reader = folderReader(folder);
  const copies = createSemaphore(MAX_COPIES);
  const translating = <T>(call: Promise<T>): Promise<T> =>
    call.catch((error) => {
      throw failure(error);
    });
  /** Without the whole folder, or its disk, the state of a key is unknown. */
  const found = async <T>(call: Promise<T | null>): Promise<T | null> => {
    const value = await translating(call);
    if (value === null) await check();
    return value;
  };
  const check = (): Promise<void> => translating(checkFolder(folder));
  const copy: ObjectStore['copy'] = async (key, etag, target, mimeType) => {
    const source = await found((async () => storage.open(key))());
    if (!source) return false;
    try {
      if (source.record.etag !== etag) return false;
      const storedAt = clock.now().toISOString();
      await copyOf(storage, source, { key: target, mimeType, storedAt });
      return true;
    } finally {
      source.close();
    }
  };
  const sign: SignPut = (terms, more = []) => {
    const { key, expiresInSeconds, maxSize } = terms;
    const headers = uploadHeaders(terms);
    const query = [...more, ...uploadExtensions(maxSize, headers)];
    const url = presigner.url(signing(), { method: 'PUT', key, expiresInSeconds, query, headers });
    return { method: 'PUT', url, headers: headersToSend(headers) };
  };
  return {
    signUpload: async (terms) => {
      if (!terms.isForm) return { ...sign(terms), fields: null };
      const fields = presigner.form(signing(), { ...formTerms(terms), bucket });
      return { method: 'POST', url: new URL(`/${bucket}`, baseUrl).href, headers: {}, fields };
    },
    signDownload: async ({ key, expiresInSeconds, fileName, mimeType }) => {
      const query = downloadQuery(fileName, mimeType);
      const url = presigner.url(signing(), { method: 'GET', key, expiresInSeconds, query, headers: {} });
      return { method: 'GET', url, headers: {} };
    },
    head: (key) => found(reader.head(key)),
    read: async (key, length) => {
      const bytes = await found(reader.read(key, length));
      return bytes && translated(bytes, failure);
    },
    put: async (key, bytes, mimeType) => {
      const body = Readable.from([Buffer.from(bytes)]);
      await translating(storage.put({ key, mimeType, storedAt: clock.now().toISOString(), body }));
    },
    copy: (...terms) => translating(copies.run(() => copy(...terms))),
    // Its ETag is its SHA-256.
    sha256: async (key, etag) => {
      const object = await found(reader.head(key));
      return object?.etag === etag ? etag.replaceAll('"', '') : null;
    },
    remove: async (key) => {
      if (!(await translating(storage.remove(key)))) await check();
    },
    removeAll: async (prefix) => {
      const removed = await translating(storage.removeAll(prefix));
      if (removed === 0) await check();
      return removed;
    },
    uploads: (after, limit) => translating(storage.uploads(after, limit)),
    check,
    close: async () => undefined,
    inParts: folderParts(storage, { translating, copies, sign, clock }),
  };
};

/** Reads the folder, also beside the process that serves it. Throws `ObjectDamaged`, file system errors. */
export const folderReader = (folder: string): ObjectReader => ({
  head: async (key) => {
    const object = openObject(folder, key);
    if (!object) return null;
    object.close();
    const { size, etag, mimeType } = object.record;
    return { size, etag, mimeType: givenType(mimeType) };
  },
  read: async (key, length = Number.POSITIVE_INFINITY) => {
    const object = openObject(folder, key);
    if (!object) return null;
    if (object.record.size > 0) return object.bytes(0, Math.min(object.record.size, length) - 1);
    object.close();
    return Readable.from([]);
  },
});

const checkFolder = async (folder: string): Promise<void> => {
  for (const name of ['incoming', 'uploads', 'parts', 'evidence'])
    await access(join(folder, name), constants.R_OK | constants.W_OK | constants.X_OK);
};

/** Paths stay in the cause: health shows the message to anybody. */
const failure = (error: unknown): Error => {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ObjectDamaged) return new StoreUnavailable(error.message, { cause: error });
  if (typeof code === 'string')
    return new StoreUnavailable(`the folder of the object store failed: ${code}`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
};
