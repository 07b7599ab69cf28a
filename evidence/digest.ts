import { createHash } from 'node:crypto';
import type { Digest } from './derive/files.ts';

/** Computes a digest from chunks; `add` gives the size so far. */
export const createDigest = () => {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let size = 0;
  return {
    add: (chunk: Uint8Array): number => {
      sha256.update(chunk);
      md5.update(chunk);
      size += chunk.length;
      return size;
    },
    end: (): Digest => ({ size, sha256: sha256.digest('hex'), md5: md5.digest('hex') }),
  };
};

/** The SHA-256 of a text or bytes, in hex. */
export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
