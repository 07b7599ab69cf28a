import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { Digest } from '../derive/files.ts';
import { createDigest } from '../digest.ts';
import { PackageRefused } from '../package/sink.ts';

/** What a collection will have: there until it is whole. */
export const PLAN = 'plan.jsonl';

const UNFINISHED = /^(sub_[0-9a-z]{26}\.zip\.[0-9a-f]{8}|(plan|submissions)\.jsonl|index\.(json|sig))\.part$/;

/**
 * Makes the folder of a collection, or opens one whose export was stopped and removes what is half written
 * there. Gives whether it has a plan. Throws `PackageRefused`.
 */
export const openFolder = async (folder: string): Promise<boolean> => {
  await makeFolder(folder);
  const isPlanned = (await stat(join(folder, PLAN)).catch(() => null)) !== null;
  for await (const { name } of await opendir(folder)) {
    if (UNFINISHED.test(name)) await rm(join(folder, name));
    else if (!isPlanned)
      throw new PackageRefused(`${folder} is there already, and no export that was stopped: name another.`);
  }
  return isPlanned;
};

const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new PackageRefused(`There is no folder ${dirname(resolve(folder))} to write to.`);
    if (code !== 'EEXIST') throw error;
    if (!(await stat(folder)).isDirectory()) throw new PackageRefused(`${folder} is no folder.`);
  }
};

/** Writes a file for its owner alone, under its name only once it is whole. */
export const writeWhole = async (
  path: string,
  chunks: AsyncIterable<string> | Iterable<string>,
): Promise<void> => {
  const draft = `${path}.part`;
  try {
    await pipeline(chunks, createWriteStream(draft, { mode: 0o600, flush: true }));
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
};

/** The values of a file that has a JSON text in each line; nothing of it is kept. */
export const linesOf = async function* <T>(path: string): AsyncGenerator<T> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) yield JSON.parse(line) as T;
};

/** The digest of a file, read chunk by chunk. */
export const fileDigest = async (path: string): Promise<Digest> => {
  const digest = createDigest();
  for await (const chunk of createReadStream(path)) digest.add(chunk as Uint8Array);
  return digest.end();
};
