import { constants, type Dirent } from 'node:fs';
import { lstat, open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { FOLDERS, MANIFEST } from '../format.ts';
import { MAX_FILES } from '../sizes.ts';

/**
 * A file of a package. `storedSize` in bytes: far less than `size` when it is compressed, or a sparse file.
 */
export type SourceEntry = Readonly<{ path: string; size: number; storedSize: number }>;

/** A package to be read. `unexpected`: entries that are no files of a package, which are not read. */
export type Source = Readonly<{
  entries: readonly SourceEntry[];
  unexpected: readonly Readonly<{ path: string; detail: string }>[];
  read(path: string): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}>;

/** The path is not a package that can be opened. */
export class NoPackage extends Error {
  override readonly name = 'NoPackage';
}

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

// The upper half of a zip's external attributes is the mode that Unix gives to a file.
const KIND_MASK = 0o170000;
const LINK = 0o120000;

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
    const { found, unexpected } = await directoryOf(zip);
    await refuseOverlaps(path, found);
    for (const [name, entry] of found) {
      const detail = await headerFault(zip, entry);
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

const directoryOf = async (zip: ZipFile) => {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > MAX_FILES) throw new NoPackage(`It holds more than ${MAX_FILES} files.`);
  }
  const root = rootOf(entries.map(({ fileName }) => fileName));
  const found = new Map<string, Entry>();
  const unexpected: { path: string; detail: string }[] = [];
  for (const entry of entries) {
    const path = entry.fileName.slice(root.length);
    if (isOwnFolder(path) && entry.uncompressedSize === 0) continue;
    const detail = entryFault(entry, found.has(path));
    if (detail === null) found.set(path, entry);
    else unexpected.push({ path, detail });
  }
  return { found, unexpected };
};

/** The folder around the package, which zipping an exported folder adds. */
const rootOf = (names: readonly string[]): string => {
  const root = names[0]?.replace(/\/.*/, '/') ?? '';
  return names.includes(`${root}${MANIFEST}`) && names.every((name) => name.startsWith(root)) ? root : '';
};

const isOwnFolder = (path: string): boolean => path === '' || FOLDERS.some((folder) => path === `${folder}/`);

const entryFault = (entry: Entry, isSecond: boolean): string | null => {
  if (isSecond) return 'occurs twice in the zip file';
  if (entry.fileName.endsWith('/')) return 'is a folder: a package has files only';
  if (((entry.externalFileAttributes >>> 16) & KIND_MASK) === LINK)
    return 'is a link: a package has files only';
  return entry.isEncrypted() ? 'is encrypted' : null;
};

/** The fault of the header before an entry's bytes: some tools unpack by it, and not by the directory. */
const headerFault = async (zip: ZipFile, entry: Entry): Promise<string | null> => {
  try {
    const { fileName } = await zip.readLocalFileHeaderPromise(entry);
    return fileName.equals(entry.fileNameRaw)
      ? null
      : 'has another name in front of its bytes in the zip file';
  } catch (error) {
    return `can’t be read: ${(error as Error).message}`;
  }
};

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
  if (sum !== entry.crc32) throw new Error('its bytes do not have the CRC-32 in the zip file');
};
