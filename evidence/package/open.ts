import { constants, createReadStream, type Dirent } from 'node:fs';
import { lstat, open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { FOLDERS } from '../format.ts';
import { MAX_FILES } from '../limits.ts';
import {
  directoryIn,
  entryFault,
  headerFault,
  isOwnFolder,
  refuseAmbiguous,
  rootOf,
  TAIL_BYTES,
  WRONG_SUM,
} from './entries.ts';
import { NoPackage, type Source, type SourceEntry } from './source.ts';

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
  const unexpected: { path: string; detail: string }[] = [];
  const note = async (path: string, found: Dirent): Promise<void> => {
    if (!found.isFile()) {
      unexpected.push({ path, detail: `is ${kindOf(found)}: a package has files only` });
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

const kindOf = (found: Dirent): string => {
  if (found.isSymbolicLink()) return 'a link';
  return found.isDirectory() ? 'a folder' : 'no file';
};

/**
 * A package in a zip file. One with names that lead out of it, or with overlapping entries, is refused;
 * reading an entry throws if it inflates to another size than it declares.
 */
const zipSource = async (path: string): Promise<Source> => {
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true };
  const zip = await openPromise(path, options).catch((error: Error) => {
    throw new NoPackage(`${path} is no zip file that can be read: ${error.message}.`);
  });
  try {
    const { found, unexpected } = sorted(await entriesOf(path, zip));
    await refuseOverlaps(path, found);
    for (const [name, entry] of found) {
      const detail = await faultOf(zip, entry);
      if (detail !== null) unexpected.push({ path: name, detail });
    }
    return {
      entries: [...found].map(([name, { uncompressedSize: size, compressedSize: storedSize }]) => ({
        path: name,
        size,
        storedSize,
      })),
      unexpected,
      read: (name) => entryBytes(zip, found.get(name)),
      close: async () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error instanceof NoPackage ? error : new NoPackage(`${path}: ${(error as Error).message}.`);
  }
};

/** The entries of a zip file, which has one directory whoever reads it. */
const entriesOf = async (path: string, zip: ZipFile): Promise<readonly Entry[]> => {
  const tail = await buffer(createReadStream(path, { start: Math.max(0, zip.fileSize - TAIL_BYTES) }));
  const directory = directoryIn(new DataView(tail.buffer, tail.byteOffset, tail.length), zip.fileSize);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const listed = entries.map((entry) => ({
    name: entry.fileNameRaw.toString(),
    length: 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength,
    extras: entry.extraFields.map(({ id }) => id),
  }));
  refuseAmbiguous(directory, listed);
  return entries;
};

const sorted = (entries: readonly Entry[]) => {
  const root = rootOf(entries.map(({ fileName }) => fileName));
  const found = new Map<string, Entry>();
  const unexpected: { path: string; detail: string }[] = [];
  for (const entry of entries) {
    const path = entry.fileName.slice(root.length);
    if (isOwnFolder(path) && entry.uncompressedSize === 0) continue;
    const facts = {
      name: entry.fileName,
      attributes: entry.externalFileAttributes,
      flags: entry.generalPurposeBitFlag,
    };
    const detail = entryFault(facts, found.has(path));
    if (detail === null) found.set(path, entry);
    else unexpected.push({ path, detail });
  }
  return { found, unexpected };
};

/** The fault of the header in front of an entry's bytes. */
const faultOf = async (zip: ZipFile, entry: Entry): Promise<string | null> => {
  try {
    const own = await zip.readLocalFileHeaderPromise(entry);
    return headerFault(factsOf(own.fileName, own), factsOf(entry.fileNameRaw, entry));
  } catch (error) {
    return `can’t be read: ${(error as Error).message}`;
  }
};

type Packed = Readonly<{ generalPurposeBitFlag: number; compressionMethod: number }>;

const factsOf = (name: Buffer, { generalPurposeBitFlag, compressionMethod }: Packed) => ({
  name: name.toString('latin1'),
  flags: generalPurposeBitFlag,
  method: compressionMethod,
});

/** Entries that share their bytes could inflate to any size. */
const refuseOverlaps = async (path: string, found: ReadonlyMap<string, Entry>): Promise<void> => {
  const total = [...found.values()].reduce((sum, { compressedSize }) => sum + compressedSize, 0);
  if (total > (await stat(path)).size) throw new NoPackage(`${path} holds files that overlap.`);
};

const entryBytes = async function* (zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) return;
  const chunks: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry);
  let sum = 0;
  for await (const chunk of chunks) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== entry.crc32) throw new Error(WRONG_SUM);
};
