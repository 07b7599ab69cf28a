import { createHash } from 'node:crypto';
import type { Source } from '../package/source.ts';
import { LARGEST_STREAM, LONGEST_LINE } from '../sizes.ts';

/** The hashes of a file's bytes (hex), and how many there are. */
export type Digest = Readonly<{ size: number; sha256: string; md5: string }>;

/** A line of a file: its SHA-256, and its text; null for one that is longer than any event, or comes behind more than any stream. */
export type ReadLine = Readonly<{ sha256: string; text: string | null }>;

/** Reads a file from its beginning to its end, at most `most` bytes, and shows each piece. Throws when there is more, or it can't be read. */
export const readThrough = async (
  source: Source,
  path: string,
  most: number,
  show: (piece: Uint8Array) => void,
): Promise<Digest> => {
  const [long, short] = [createHash('sha256'), createHash('md5')];
  let size = 0;
  for await (const piece of source.read(path)) {
    size += piece.length;
    if (size > most) throw new Error(`it is longer than ${most} bytes`);
    long.update(piece);
    short.update(piece);
    show(piece);
  }
  return { size, sha256: long.digest('hex'), md5: short.digest('hex') };
};

/** Reads a file whole. */
export const readWhole = async (
  source: Source,
  path: string,
  most: number,
): Promise<Readonly<{ bytes: Buffer; digest: Digest }>> => {
  const pieces: Uint8Array[] = [];
  const digest = await readThrough(source, path, most, (piece) => pieces.push(piece));
  return { bytes: Buffer.concat(pieces), digest };
};

/** Cuts what it is shown into lines, and looks at no more than `most` of them; `end` gives them. */
export const lineCutter = (most: number) => {
  const lines: ReadLine[] = [];
  let hash = createHash('sha256');
  let held: Uint8Array[] = [];
  let size = 0;
  let kept = 0;
  const add = (part: Uint8Array): void => {
    hash.update(part);
    size += part.length;
    if (size <= LONGEST_LINE) held.push(part);
    else held = [];
  };
  const close = (): void => {
    kept += size;
    const text = size <= LONGEST_LINE && kept <= LARGEST_STREAM ? Buffer.concat(held).toString() : null;
    lines.push({ sha256: hash.digest('hex'), text });
    hash = createHash('sha256');
    held = [];
    size = 0;
  };
  return {
    show: (piece: Uint8Array): void => {
      let from = 0;
      for (let end = piece.indexOf(10); end >= 0 && lines.length < most; end = piece.indexOf(10, from)) {
        add(piece.subarray(from, end));
        close();
        from = end + 1;
      }
      if (from < piece.length && lines.length < most) add(piece.subarray(from));
    },
    end: (): readonly ReadLine[] => {
      if (size > 0) close();
      return lines;
    },
  };
};
