import type { ZipFile } from '../package/zip.ts';
import { crc32 } from './crc32.ts';

/** Of a file in a package, in bytes: the hash of one needs all of it in memory. */
const MAX_FILE = 512 * 1024 ** 2;

/** A zip file that a browser has. */
export const zipFileOf = (file: Blob): ZipFile => ({
  size: file.size,
  maxFile: MAX_FILE,
  bytes: (from, to, isDeflated) => {
    const stored = file.slice(from, to).stream();
    return chunksOf(
      isDeflated ? stored.pipeThrough(new DecompressionStream('deflate-raw') as never) : stored,
    );
  },
  crc32,
});

/** The chunks of a stream, which ends when they are no longer wanted: not every browser iterates streams. */
const chunksOf = async function* (stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
};
