import { Readable } from 'node:stream';
import type { Digest } from '../derive/files.ts';
import { createDigest } from '../digest.ts';
import { refuseLargeText, refuseManyFiles } from '../sizes.ts';
import type { Sink } from './sink.ts';

/** A file that was written. */
type Written = Digest & Readonly<{ path: string }>;

/** Reports how many bytes of a file have been written. */
export type Progress = (path: string, bytes: number) => void;

/** See `packageWriter`. */
export type PackageWriter = ReturnType<typeof packageWriter>;

/**
 * Adds files to a package and computes their digests. It throws when the signal is aborted, and
 * `PackageTooLarge`.
 */
export const packageWriter = (sink: Sink, signal: AbortSignal, progress: Progress) => {
  const files: Written[] = [];
  const stream = async (
    path: string,
    bytes: AsyncIterable<Uint8Array>,
    compress: boolean,
  ): Promise<Written> => {
    const digest = createDigest();
    const counted = async function* () {
      for await (const chunk of bytes) {
        signal.throwIfAborted();
        progress(path, digest.add(chunk));
        yield chunk;
      }
    };
    signal.throwIfAborted();
    refuseManyFiles(files.length + 1);
    await sink.add(path, counted(), compress);
    const written = { path, ...digest.end() };
    files.push(written);
    return written;
  };
  return {
    files: files as readonly Written[],
    stream,
    text: async (path: string, text: string): Promise<Written> => {
      refuseLargeText(path, Buffer.byteLength(text));
      return stream(path, Readable.from([Buffer.from(text)]), true);
    },
  };
};
