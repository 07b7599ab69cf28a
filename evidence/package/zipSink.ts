import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { draftOf } from './place.ts';
import type { Sink } from './sink.ts';

/** A package as a zip file, for its owner alone; files pass through, whatever their size. Throws `PackageRefused`. */
export const zipSink = (path: string): Sink => {
  const draft = draftOf(path);
  const zip = new ZipFile();
  const stop = new AbortController();
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(zip.outputStream, file, { signal: stop.signal });
  // Who adds, or finishes, is told.
  written.catch(() => undefined);
  // An entry that breaks breaks the archive: `add` tells of the entry itself.
  zip.on('error', (error) => stop.abort(error));
  return {
    add: async (name, bytes, compress) => {
      const entry = Readable.from(bytes, { objectMode: false });
      zip.addReadStream(entry, name, { compress, mode: 0o100600 });
      await Promise.race([finished(entry), written]);
    },
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
