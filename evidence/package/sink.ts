import { randomBytes } from 'node:crypto';
import { createWriteStream, lstatSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/**
 * Writes a package. Nothing has the package's own name before `finish`; `discard` removes what was written.
 * `compress`: the bytes are compressible text.
 */
export type Sink = Readonly<{
  add(path: string, bytes: AsyncIterable<Uint8Array>, compress: boolean): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}>;

/** The package's path is taken already, or its folder does not exist. */
export class PackageRefused extends Error {
  override readonly name = 'PackageRefused';
}

/** Takes a package and keeps nothing of it. */
export const nowhere: Sink = {
  add: async (_name, bytes) => {
    for await (const _ of bytes);
  },
  finish: async () => undefined,
  discard: async () => undefined,
};

/** A package as a folder, for its owner alone. Throws `PackageRefused`. */
export const folderSink = async (path: string): Promise<Sink> => {
  const draft = draftOf(path);
  await mkdir(draft, { mode: 0o700 });
  return {
    add: async (name, bytes) => {
      const file = join(draft, name);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
    },
    finish: () => rename(draft, path),
    discard: () => rm(draft, { recursive: true, force: true }),
  };
};

/**
 * A package as a zip file, for its owner alone; written as a stream, whatever its size. Throws
 * `PackageRefused`.
 */
export const zipSink = (path: string): Sink => {
  const draft = draftOf(path);
  const zip = new ZipFile();
  const stop = new AbortController();
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(zip.outputStream, file, { signal: stop.signal });
  // `add` and `finish` throw it.
  written.catch(() => undefined);
  // A failed entry fails the archive: `add` throws the entry's own error.
  zip.on('error', (error) => stop.abort(error));
  return {
    add: addingTo(zip, written),
    finish: async () => {
      zip.end();
      await written;
      await rename(draft, path);
    },
    discard: async () => {
      stop.abort();
      await written.catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
};

/**
 * A package as the bytes of a zip file, which are made as fast as they are read. Whoever destroys `bytes`
 * ends the package.
 */
export const streamedZip = (): Readonly<{ sink: Sink; bytes: Readable }> => {
  const zip = new ZipFile();
  const bytes = new PassThrough();
  const written = pipeline(zip.outputStream, bytes);
  // `add` and `finish` throw it.
  written.catch(() => undefined);
  zip.on('error', (error) => bytes.destroy(error));
  const sink: Sink = {
    add: addingTo(zip, written),
    finish: async () => {
      zip.end();
      await written;
    },
    discard: async () => void bytes.destroy(),
  };
  return { sink, bytes };
};

const addingTo =
  (zip: ZipFile, written: Promise<void>): Sink['add'] =>
  async (name, bytes, compress) => {
    const entry = Readable.from(bytes, { objectMode: false });
    zip.addReadStream(entry, name, { compress, mode: 0o100600 });
    try {
      await Promise.race([finished(entry), written]);
    } finally {
      // One whose archive has ended would keep what it reads from open.
      entry.destroy();
    }
  };

/** A temporary name beside the package's own. Throws `PackageRefused` if that is taken, or has no folder. */
const draftOf = (path: string): string => {
  const absolute = resolve(path);
  const folder = dirname(absolute);
  if (lstatSync(absolute, { throwIfNoEntry: false }))
    throw new PackageRefused(`${path} is there already: name another place.`);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new PackageRefused(`There is no folder ${folder} to write to.`);
  return `${absolute}.${randomBytes(4).toString('hex')}.part`;
};
