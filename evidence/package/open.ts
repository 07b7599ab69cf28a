import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { FOLDERS } from '../format.ts';
import { MAX_FILES } from '../limits.ts';
import { said } from '../verify/findings.ts';
import type { FindingCode, Said } from '../verify/sentences.ts';
import { NoPackage, type Source, type SourceEntry } from './source.ts';
import { openZip, type ZipFile } from './zip.ts';

/** Opens a package to be read, a folder or a zip file; close it. Throws `NoPackage`. */
export const openPackage = async (path: string): Promise<Source> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new NoPackage(
      error.code === 'ENOENT' ? `There is no ${path}.` : `${path} can’t be read: ${error.message}.`,
    );
  });
  return found.isDirectory() ? folderSource(path) : zipSource(path);
};

const BLOCK_BYTES = 512;

/**
 * A package in a folder. Links are not followed, and of folders only those are read that a package
 * has.
 */
const folderSource = async (folder: string): Promise<Source> => {
  const entries: SourceEntry[] = [];
  const unexpected: { path: string; said: Said }[] = [];
  const note = async (path: string, found: Dirent): Promise<void> => {
    if (!found.isFile()) {
      unexpected.push({ path, said: said(kindOf(found)) });
      return;
    }
    const { size, blocks } = await lstat(join(folder, path));
    entries.push({ path, size, storedSize: blocks * BLOCK_BYTES });
  };
  const walk = async (within: string): Promise<void> => {
    for await (const found of await opendir(join(folder, within))) {
      const path = within === '' ? found.name : `${within}/${found.name}`;
      if (within === '' && found.isDirectory() && FOLDERS.includes(path)) await walk(path);
      else await note(path, found);
      if (entries.length + unexpected.length > MAX_FILES)
        throw new NoPackage(`${folder} holds more than ${MAX_FILES} files.`);
    }
  };
  await walk('');
  return { entries, unexpected, read: (path) => fileBytes(join(folder, path)), close: async () => undefined };
};

const fileBytes = async function* (path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    yield* file.createReadStream({ autoClose: false });
  } finally {
    await file.close();
  }
};

const kindOf = (found: Dirent): FindingCode => {
  if (found.isSymbolicLink()) return 'link';
  return found.isDirectory() ? 'folder' : 'noFile';
};

/** A package in a zip file. */
const zipSource = async (path: string): Promise<Source> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes: ZipFile['bytes'] = (from, to, isDeflated) => {
      const stored = bytesIn(file, from, to);
      // A failure is thrown to whoever reads the last stream.
      return isDeflated ? pipeline(stored, createInflateRaw(), () => undefined) : stored;
    };
    const source = await openZip({ size, maxFile: Number.POSITIVE_INFINITY, bytes, crc32 });
    return { ...source, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error instanceof NoPackage ? error : new NoPackage(`${path}: ${(error as Error).message}.`);
  }
};

const CHUNK_BYTES = 65_536;

const bytesIn = async function* (file: FileHandle, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const length = Math.min(CHUNK_BYTES, to - at);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
};
