import { joined, textOf } from '../bytes.ts';
import type { Digest } from '../derive/files.ts';
import { MAX_LINE, MAX_STREAM } from '../limits.ts';
import { type Source, Unreadable } from '../package/source.ts';
import { said } from './findings.ts';
import type { Hash, Platform } from './platform.ts';

/** A line of a file: its SHA-256, and its text; null where the line, or the stream up to it, is too long. */
export type ReadLine = Readonly<{ sha256: string; text: string | null }>;

/** Reads a file, at most `max` bytes, chunk by chunk. Throws when it is longer, or can't be read. */
export const readThrough = async (
  { sha256, md5 }: Platform,
  source: Source,
  path: string,
  max: number,
  onChunk: (chunk: Uint8Array) => void,
): Promise<Digest> => {
  const hashes = [sha256(), md5()] as const;
  let size = 0;
  for await (const chunk of source.read(path)) {
    size += chunk.length;
    if (size > max) throw new Unreadable(said('tooLong', { expected: max }));
    for (const hash of hashes) hash.add(chunk);
    onChunk(chunk);
  }
  return { size, sha256: await hashes[0].end(), md5: await hashes[1].end() };
};

/** Reads a file whole. */
export const readWhole = async (source: Source, path: string, max: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source.read(path)) {
    size += chunk.length;
    if (size > max) throw new Unreadable(said('tooLong', { expected: max }));
    chunks.push(chunk);
  }
  return joined(chunks);
};

/** Splits chunks into lines, at most `max` of them; `end` gives them. */
export const lineSplitter = ({ sha256 }: Pick<Platform, 'sha256'>, max: number) => {
  const lines: Promise<ReadLine>[] = [];
  let hash: Hash = sha256();
  let parts: Uint8Array[] = [];
  let size = 0;
  let total = 0;
  const extend = (part: Uint8Array): void => {
    hash.add(part);
    size += part.length;
    if (size <= MAX_LINE) parts.push(part);
    else parts = [];
  };
  const close = (): void => {
    total += size;
    const text = size <= MAX_LINE && total <= MAX_STREAM ? textOf(joined(parts)) : null;
    const line = hash.end().then((digest) => ({ sha256: digest, text }));
    // `end` throws it, unless something else has failed before.
    line.catch(() => undefined);
    lines.push(line);
    hash = sha256();
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
    end: (): Promise<readonly ReadLine[]> => {
      if (size > 0) close();
      return Promise.all(lines);
    },
  };
};
