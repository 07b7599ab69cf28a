import type { Readable } from 'node:stream';

/**
 * What an upload is bound to; the store itself refuses another file. `size` is the exact one, `maxSize` the
 * greatest, for an upload whose size, type and SHA-256 are not known. Sizes in bytes, `sha256` in hex.
 */
export type UploadTerms = Readonly<{ key: string; expiresInSeconds: number }> &
  (
    | Readonly<{ mimeType?: string; size?: number; sha256?: string; maxSize?: undefined }>
    | Readonly<{ maxSize: number; mimeType?: undefined; size?: undefined; sha256?: undefined }>
  );

/** A signed request: send exactly these headers. The length is signed too; clients send it by themselves. */
export type SignedRequest = Readonly<{
  method: 'PUT' | 'GET';
  url: string;
  headers: Readonly<Record<string, string>>;
}>;

/** A signed upload: a PUT of the bytes, or a POST of a multipart form: `fields`, then the field `file`. */
export type SignedUpload = Omit<SignedRequest, 'method'> &
  Readonly<{ method: 'PUT' | 'POST'; fields: Readonly<Record<string, string>> | null }>;

/** A stored object. `mimeType` is null when the uploader gave none. `etag` changes with the bytes. */
export type ObjectHead = Readonly<{ size: number; etag: string; mimeType: string | null }>;

/** A download for a person: saved under `fileName`, never shown inline. */
export type DownloadTerms = Readonly<{
  key: string;
  expiresInSeconds: number;
  fileName: string;
  mimeType: string;
}>;

/**
 * Object storage. Every driver passes test/contract/objects.ts.
 *
 * `copy` makes `target` from `source` only while the source still has `etag`, and gives whether it did (false
 * also without a source); copying again is harmless. `uploads` lists keys that start with UPLOADS
 * (keys.ts), in order, from behind `after`, at most `limit` (1,000 at the most). `head` and `read` give null
 * for an absent key; `read` gives the first `length` bytes (of a file that is not empty), all without it.
 * `check` throws `StoreMisconfigured` when the bucket is absent, may not be used, or copies what has changed;
 * the first one puts a file of its own there. All throw `StoreUnavailable` when the store can't be reached.
 */
export interface ObjectStore {
  signUpload(terms: UploadTerms): Promise<SignedUpload>;
  signDownload(terms: DownloadTerms): Promise<SignedRequest>;
  head(key: string): Promise<ObjectHead | null>;
  read(key: string, length?: number): Promise<Readable | null>;
  copy(source: string, etag: string, target: string, mimeType: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  uploads(after: string, limit: number): Promise<readonly string[]>;
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Those calls that only read. */
export type ObjectReader = Pick<ObjectStore, 'head' | 'read'>;
