import type { Readable } from 'node:stream';

/** What an upload URL is bound to; the store itself refuses another file. Sizes in bytes, `sha256` in hex. */
export type UploadTerms = Readonly<{
  key: string;
  expiresInSeconds: number;
  mimeType?: string;
  size?: number;
  sha256?: string;
}>;

/** A signed request for somebody without credentials: send exactly these headers; the length, which is signed too, every client sends by itself. */
export type SignedRequest = Readonly<{
  method: 'PUT' | 'GET';
  url: string;
  headers: Readonly<Record<string, string>>;
}>;

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
 * `copy` makes `target` from `source` only while the source still has `etag`, and says whether it did (false also when
 * the source is gone); copying again is harmless. `head` and `read` give null for a key that is not there. `check`
 * throws `StoreMisconfigured` when the bucket is not there, may not be used, or would copy what has changed; the first one puts a file of its
 * own there. All throw `StoreUnavailable` when the store can't be reached.
 */
export interface ObjectStore {
  signUpload(terms: UploadTerms): Promise<SignedRequest>;
  signDownload(terms: DownloadTerms): Promise<SignedRequest>;
  head(key: string): Promise<ObjectHead | null>;
  read(key: string): Promise<Readable | null>;
  copy(source: string, etag: string, target: string, mimeType: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Those calls that only read. */
export type ObjectReader = Pick<ObjectStore, 'head' | 'read'>;
