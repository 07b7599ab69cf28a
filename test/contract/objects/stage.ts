import { createHash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import type { ObjectStore, SignedUpload } from '../../../stores/objects/port.ts';
import type { suite } from '../../harness.ts';
import { formOf } from '../../support/sendFile.ts';
import { httpSend, type Received } from '../httpSend.ts';

/**
 * One object store under test, and one that is `unavailable`: its bucket or folder can't be reached. Its
 * messages name the store as `named`, and hold none of the `secrets`. `remote`: a bucket that is not there,
 * and one with a wrong secret.
 */
export type ObjectsUnderTest = Readonly<{
  store: ObjectStore;
  unavailable: ObjectStore;
  named: string;
  remote?: Readonly<{ missing: ObjectStore; stranger: ObjectStore; endpoint: string }>;
  secrets: readonly string[];
  close(): Promise<void>;
}>;

export type Declare = (test: ReturnType<typeof suite>, stage: Stage) => void;

/** The store under test, once it is open, and what the tests do to it. */
export type Stage = ReturnType<typeof stageOf>;

export const stageOf = (opened: () => ObjectsUnderTest) => {
  const store = (): ObjectStore => opened().store;
  return {
    opened,
    store,
    /** Uploads by a URL that binds nothing unless told. */
    put: async (key: string, bytes: Buffer | string, terms: Bounds = {}): Promise<void> => {
      const signed = await store().signUpload({ key, expiresInSeconds: 60, ...terms });
      const answer = await upload(signed, bytes);
      assert.is(answer.status, 200, answer.body.toString());
    },
    bytesOf: async (key: string): Promise<string | null> => {
      const stream = await store().read(key);
      return stream && (await buffer(stream)).toString();
    },
    etagOf: async (key: string): Promise<string> => (await store().head(key))?.etag ?? 'none',
  };
};

/**
 * The shortest life of a URL, in seconds, that surely leaves time to use it: a signature's time is cut to
 * whole seconds.
 */
export const SHORTLY = 2;

type Bounds = Readonly<{ mimeType?: string; size?: number; sha256?: string }>;

/** A key that no other test has. */
export const newKey = (name = 'file'): string => `contract/${randomUUID()}/${name}`;

/** Terms that bind everything of an upload. */
export const bound = (key: string, bytes: string) => ({
  key,
  expiresInSeconds: 60,
  mimeType: 'text/plain',
  size: Buffer.byteLength(bytes),
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Does as a signed upload says, with these bytes. */
export const upload = async (
  signed: Omit<SignedUpload, 'method'> & Readonly<{ method: string }>,
  bytes: Buffer | string,
): Promise<Received> => {
  const { method, url, fields } = signed;
  const { body, ...form } = fields ? await formOf(fields, bytes) : { body: bytes };
  const typed = 'mimeType' in form ? { 'content-type': form.mimeType } : {};
  const headers = { 'content-length': String(Buffer.byteLength(body)), ...typed, ...signed.headers };
  return httpSend({ method, url, headers, body });
};
