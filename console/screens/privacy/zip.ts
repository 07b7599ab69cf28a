import { crc32 } from '../../../evidence/web/crc32.ts';

// The zip format, as APPNOTE.TXT has it, without compression and without its form for large files.

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** The first day that the format has: the content says when it was made. */
const DATE = 0x0021;
const MAX_BYTES = 0xffffffff;
const MAX_ENTRIES = 0xffff;

/** The archive would be larger than its format allows. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** A number, and of how many bytes it is. */
type Part = readonly [value: number, bytes: 2 | 4];

const packed = (parts: readonly Part[]): Uint8Array<ArrayBuffer> => {
  const view = new DataView(new ArrayBuffer(parts.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of parts) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
};

/** Makes a zip file of what is added, in that order. `add` throws `TooLarge`. */
export const createZip = () => {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let count = 0;
  let size = 0;
  const add = async (path: string, content: Blob): Promise<void> => {
    const name = new TextEncoder().encode(path);
    const sum = crc32(new Uint8Array(await content.arrayBuffer()));
    const facts: readonly Part[] = [
      ...([VERSION, FLAGS, 0, 0, DATE] as const).map((value): Part => [value, 2]),
      ...([sum, content.size, content.size] as const).map((value): Part => [value, 4]),
      ...([name.length, 0] as const).map((value): Part => [value, 2]),
    ];
    const header = packed([[LOCAL, 4], ...facts]);
    const added = header.length + name.length + content.size;
    if (size + added > MAX_BYTES || count === MAX_ENTRIES) throw new TooLarge();
    parts.push(header, name, content);
    const place: readonly Part[] = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [size, 4],
    ];
    directory.push(packed([[CENTRAL, 4], [VERSION, 2], ...facts, ...place]), name);
    count += 1;
    size += added;
  };
  const finish = (): Blob => {
    const entries = new Blob(directory);
    const end = packed([
      ...([
        [END, 4],
        [0, 2],
        [0, 2],
        [count, 2],
        [count, 2],
      ] as const),
      ...([
        [entries.size, 4],
        [size, 4],
        [0, 2],
      ] as const),
    ]);
    return new Blob([...parts, entries, end], { type: 'application/zip' });
  };
  return { add, finish };
};
export type Zip = ReturnType<typeof createZip>;
