import { createHash } from 'node:crypto';
import { createDigest, type Digest } from '../digest.ts';
import type { Source } from '../package/open.ts';
import { MAX_LINE, MAX_STREAM } from '../sizes.ts';

/** A line of a file: its SHA-256, and its text; null where the line, or the stream up to it, is too long. */
export type ReadLine = Readonly<{ sha256: string; text: string | null }>;

/** Reads a file, at most `max` bytes, chunk by chunk. Throws when it is longer, or can't be read. */
export const readThrough = async (
  source: Source,
  path: string,
  max: number,
  onChunk: (chunk: Uint8Array) => void,
): Promise<Digest> => {
  const digest = createDigest();
  for await (const chunk of source.read(path)) {
    if (digest.add(chunk) > max) throw new Error(`it is longer than ${max} bytes`);
    onChunk(chunk);
  }
  return digest.end();
};

/** Reads a file whole. */
export const readWhole = async (source: Source, path: string, max: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  await readThrough(source, path, max, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
};

/** Splits chunks into lines, at most `max` of them; `end` gives them. */
export const lineSplitter = (max: number) => {
  const lines: ReadLine[] = [];
  let hash = createHash('sha256');
  let parts: Uint8Array[] = [];
  let size = 0;
  let total = 0;
  const extend = (part: Uint8Array): void => {
    hash.update(part);
    size += part.length;
    if (size <= MAX_LINE) parts.push(part);
    else parts = [];
  };
  const close = (): void => {
    total += size;
    const text = size <= MAX_LINE && total <= MAX_STREAM ? Buffer.concat(parts).toString() : null;
    lines.push({ sha256: hash.digest('hex'), text });
    hash = createHash('sha256');
    parts = [];
    size = 0;
  };
  return {
    add: (chunk: Uint8Array): void => {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0 && lines.length < max; end = chunk.indexOf(10, from)) {
        extend(chunk.subarray(from, end));
        close();
        from = end + 1;
      }
      if (from < chunk.length && lines.length < max) extend(chunk.subarray(from));
    },
    end: (): readonly ReadLine[] => {
      if (size > 0) close();
      return lines;
    },
  };
};
