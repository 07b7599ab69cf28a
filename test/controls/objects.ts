import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { UPLOADS } from '../../stores/objects/keys.ts';
import type { ObjectStore, UploadTerms } from '../../stores/objects/port.ts';
import { memoryParts } from './parts.ts';

type Kept = Readonly<{ bytes: Buffer; mimeType: string | null }>;

const etagOf = ({ bytes }: Kept): string => createHash('sha256').update(bytes).digest('hex');

/**
 * An object store in memory. `calls` names each question it was asked; `hooks.beforeCopy` runs before a copy
 * looks at its source. `signed` keeps the terms of each upload address, `parts` the uploads in parts.
 */
export const memoryObjects = () => {
  const kept = new Map<string, Kept>();
  const calls: string[] = [];
  const signed: UploadTerms[] = [];
  const hooks: { beforeCopy: (source: string) => void | Promise<void> } = { beforeCopy: () => undefined };
  const put = (key: string, bytes: Buffer, mimeType: string | null): void =>
    void kept.set(key, { bytes, mimeType });
  const parts = memoryParts(put);
  const objects: ObjectStore = {
    signUpload: async (terms) => {
      signed.push(terms);
      return { method: 'PUT', url: `memory:${terms.key}`, headers: {}, fields: null };
    },
    signDownload: async ({ key }) => ({ method: 'GET', url: `memory:${key}`, headers: {} }),
    head: async (key) => {
      calls.push(`head ${key}`);
      const found = kept.get(key);
      return found ? { size: found.bytes.length, etag: etagOf(found), mimeType: found.mimeType } : null;
    },
    read: async (key, length) => {
      calls.push(`read ${key}`);
      const found = kept.get(key);
      return found ? Readable.from(found.bytes.subarray(0, length)) : null;
    },
    put: async (key, bytes, mimeType) => put(key, Buffer.from(bytes), mimeType),
    copy: async (source, etag, target, mimeType) => {
      await hooks.beforeCopy(source);
      calls.push(`copy ${source}`);
      const found = kept.get(source);
      if (!found || etagOf(found) !== etag) return false;
      put(target, found.bytes, mimeType);
      return true;
    },
    sha256: async (key, etag) => {
      calls.push(`sha256 ${key}`);
      const found = kept.get(key);
      return found && etagOf(found) === etag ? etag : null;
    },
    remove: async (key) => void kept.delete(key),
    removeAll: async (prefix) => {
      const own = [...kept.keys()].filter((key) => key.startsWith(prefix));
      for (const key of own) kept.delete(key);
      const unfinished = await parts.inParts.unfinished(prefix, '', 1_000);
      for (const upload of unfinished) await parts.inParts.drop(upload);
      return own.length + unfinished.length;
    },
    uploads: async (after, limit) =>
      [...kept.keys()]
        .filter((key) => key.startsWith(UPLOADS) && key > after)
        .sort()
        .slice(0, limit),
    check: async () => undefined,
    close: async () => undefined,
    inParts: parts.inParts,
  };
  return { objects, parts, kept, calls, signed, hooks, put };
};
