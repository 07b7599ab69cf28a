import { createHash } from 'node:crypto';
import { refuseLargeText, refuseManyFiles } from '../sizes.ts';
import type { Sink } from './sink.ts';

/** What was written: the size in bytes, and hashes in hex. */
export type Written = Readonly<{ path: string; size: number; sha256: string; md5: string }>;

/** Tells how many bytes of a file have been written. */
export type Progress = (path: string, bytes: number) => void;

/** See `packageWriter`. */
export type PackageWriter = ReturnType<typeof packageWriter>;

/** Adds files to a package, hashes them on the way, and remembers them. It stops, throwing, when the signal is aborted, and with `PackageTooLarge`. */
export const packageWriter = (sink: Sink, signal: AbortSignal, progress: Progress) => {
  const files: Written[] = [];
  const stream = async (
    path: string,
    bytes: AsyncIterable<Uint8Array>,
    compress: boolean,
  ): Promise<Written> => {
    const [long, short] = [createHash('sha256'), createHash('md5')];
    let size = 0;
    const passing = async function* () {
      for await (const piece of bytes) {
        signal.throwIfAborted();
        long.update(piece);
        short.update(piece);
        size += piece.length;
        progress(path, size);
        yield piece;
      }
    };
    signal.throwIfAborted();
    refuseManyFiles(files.length + 1);
    await sink.add(path, passing(), compress);
    const written = { path, size, sha256: long.digest('hex'), md5: short.digest('hex') };
    files.push(written);
    return written;
  };
  return {
    files: files as readonly Written[],
    stream,
    text: async (path: string, text: string): Promise<Written> => {
      refuseLargeText(path, Buffer.byteLength(text));
      return stream(path, whole(text), true);
    },
  };
};

const whole = async function* (text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
};
