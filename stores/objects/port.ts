import type { Readable } from 'node:stream';

/**
 * What an upload is bound to; the store itself refuses another file. `size` is the exact one, `maxSize` the
 * greatest, for an upload whose size, type and SHA-256 are not known. Sizes in bytes, `sha256` in hex.
 * `isForm`: it is sent as a form, whatever the store would choose.
 */
export type UploadTerms = Readonly<{ key: string; expiresInSeconds: number; isForm?: boolean }> &
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

/** An upload in parts that has not been joined. A key may have several. */
export type UnfinishedUpload = Readonly<{ key: string; uploadId: string }>;

/** A part that the store has; `partNumber` from 1, `size` in bytes. */
export type StoredPart = Readonly<{
  partNumber: number;
  size: number;
  etag: string;
  /** In base64, where it was checked when the part came. */
  sha256?: string;
}>;

/** What the upload of one part is bound to. Sizes in bytes, `sha256` in hex. */
export type PartTerms = UnfinishedUpload &
  Readonly<{ partNumber: number; size: number; sha256?: string; expiresInSeconds: number }>;

/**
 * Uploads of large files in parts (S3's multipart uploads). Parts come in any order, and a later part of the
 * same number replaces the earlier one.
 *
 * `begin` gives the upload's identifier; with `isChecked` each part is signed with its SHA-256. `parts` gives
 * the parts there, in order; null when the upload was joined or dropped, or never begun. `join` makes the
 * object of all these parts, and gives whether it did: false when one has changed or the upload was dropped;
 * after a first join a store may answer either.
 * `unfinished` lists uploads by key, those after the key `after`, at most `limit` (1,000 at the most); of one
 * key the oldest comes first. Some stores list by a whole key only, and give none for another prefix.
 * Dropping what is gone is harmless.
 */
export interface UploadsInParts {
  begin(key: string, mimeType: string, isChecked: boolean): Promise<string>;
  sign(terms: PartTerms): Promise<SignedRequest>;
  parts(upload: UnfinishedUpload): Promise<readonly StoredPart[] | null>;
  join(upload: UnfinishedUpload, parts: readonly StoredPart[]): Promise<boolean>;
  drop(upload: UnfinishedUpload): Promise<void>;
  unfinished(prefix: string, after: string, limit: number): Promise<readonly UnfinishedUpload[]>;
}

/**
 * Object storage. Every driver passes test/contract/objects.ts.
 *
 * `put` stores an object of the service's own, in place of an earlier one, which readers see until it is
 * whole. `copy` makes `target` from `source` only while the source still has `etag`, and gives whether it did
 * (false also without a source); copying again is harmless. Its `size` gives a large object the time that it
 * needs. `sha256` gives that of an object (hex), which it may have to read; null unless the object has
 * `etag`. `uploads` lists keys that start with UPLOADS (keys.ts), in order, from after `after`, at most
 * `limit` (1,000 at the most). `head` and `read` give null for an absent key; `read` gives the first `length`
 * bytes (of a file that is not empty), all without it. `removeAll` removes all under the prefix of a
 * submission (`uploadsOf`, `evidenceOf`): objects with every version of them, and unfinished uploads in
 * parts. It gives how many it removed; repeating it is harmless. `keys` names those that may have an
 * unfinished upload, for stores that list them by a whole key only. `check` throws `StoreMisconfigured` when
 * the bucket is absent, may not be used, or copies what has changed; the first one puts a file of its own
 * there. All throw `StoreUnavailable` when the store can't be reached.
 */
export interface ObjectStore {
  signUpload(terms: UploadTerms): Promise<SignedUpload>;
  signDownload(terms: DownloadTerms): Promise<SignedRequest>;
  head(key: string): Promise<ObjectHead | null>;
  read(key: string, length?: number): Promise<Readable | null>;
  put(key: string, bytes: Uint8Array, mimeType: string): Promise<void>;
  copy(source: string, etag: string, target: string, mimeType: string, size?: number): Promise<boolean>;
  sha256(key: string, etag: string): Promise<string | null>;
  remove(key: string): Promise<void>;
  removeAll(prefix: string, keys?: readonly string[]): Promise<number>;
  uploads(after: string, limit: number): Promise<readonly string[]>;
  check(): Promise<void>;
  close(): Promise<void>;
  readonly inParts: UploadsInParts;
}

/** Those calls that only read. */
export type ObjectReader = Pick<ObjectStore, 'head' | 'read'>;

/**
 * Objects sealed under the key of a subject: nobody reads them once that has been destroyed. `put` gives
 * whether it did, `read` null for what is absent; neither does anything without the key. `read` throws for
 * what was not sealed under it and for this object's key. Both throw `StoreUnavailable`.
 */
export interface SealedObjects {
  put(subject: string, key: string, bytes: Uint8Array): Promise<boolean>;
  read(subject: string, key: string): Promise<Buffer | null>;
}
