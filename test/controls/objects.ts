import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { UPLOADS } from '../../stores/objects/keys.ts';
import type { ObjectStore, UploadTerms } from '../../stores/objects/port.ts';

type Kept = Readonly<{ bytes: Buffer; mimeType: string | null }>;

const etagOf = ({ bytes }: Kept): string => createHash('sha256').update(bytes).digest('hex');

/**
 * An object store in memory. `calls` names each question it was asked; `hooks.beforeCopy` runs before a copy looks at its
 * source. `signed` keeps the terms of each upload address.
 */
export const memoryObjects = () => {
  const kept = new Map<string, Kept>();
  const calls: string[] = [];
  const signed: UploadTerms[] = [];
  const hooks: { beforeCopy: (source: string) => void | Promise<void> } = { beforeCopy: () => undefined };
  const put = (key: string, bytes: Buffer, mimeType: string | null): void =>
    void kept.set(key, { bytes, mimeType });
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
    copy: async (source, etag, target, mimeType) => {
      await hooks.beforeCopy(source);
      calls.push(`copy ${source}`);
      const found = kept.get(source);
      if (!found || etagOf(found) !== etag) return false;
      put(target, found.bytes, mimeType);
      return true;
    },
    remove: async (key) => void kept.delete(key),
    uploads: async (after, limit) =>
      [...kept.keys()]
        .filter((key) => key.startsWith(UPLOADS) && key > after)
        .sort()
        .slice(0, limit),
    check: async () => undefined,
    close: async () => undefined,
  };
  return { objects, kept, calls, signed, hooks, put };
};
