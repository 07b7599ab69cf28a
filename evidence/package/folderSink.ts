import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { draftOf } from './place.ts';
import type { Sink } from './sink.ts';

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
