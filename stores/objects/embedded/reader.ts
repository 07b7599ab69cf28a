import { Readable } from 'node:stream';
import type { ObjectReader } from '../port.ts';
import { openObject } from './storage.ts';

/** The objects of an embedded store's folder, read past its endpoint: beside the process that serves it, or without one. */
export const embeddedReader = (folder: string): ObjectReader => ({
  head: async (key) => {
    const object = await openObject(folder, key);
    if (!object) return null;
    await object.close();
    const { size, etag, mimeType } = object.record;
    return { size, etag, mimeType };
  },
  read: async (key, length = Number.POSITIVE_INFINITY) => {
    const object = await openObject(folder, key);
    if (!object) return null;
    if (object.record.size > 0) return object.bytes(0, Math.min(object.record.size, length) - 1);
    await object.close();
    return Readable.from([]);
  },
});
