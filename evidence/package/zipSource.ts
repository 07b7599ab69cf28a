import { stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { FOLDERS, MANIFEST } from '../format.ts';
import { MOST_FILES } from '../sizes.ts';
import { NoPackage, type Source } from './source.ts';

// The upper half of a zip's external attributes is the mode that Unix gives to a file.
const KIND_MASK = 0o170000;
const LINK = 0o120000;

/**
 * A package in a zip file. Names that would lead out of it are refused with the whole, like entries that overlap; an entry that inflates to another
 * size than it declares throws where it is read.
 */
export const zipSource = async (path: string): Promise<Source> => {
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true };
  const zip = await openPromise(path, options).catch((error: Error) => {
    throw new NoPackage(`${path} is no zip file that can be read: ${error.message}.`);
  });
  try {
    const { found, oddities } = await directoryOf(zip);
    await refuseOverlaps(path, found);
    for (const [name, entry] of found) {
      const detail = await headerFault(zip, entry);
      if (detail !== null) oddities.push({ path: name, detail });
    }
    return {
      entries: [...found].map(([name, { uncompressedSize: size, compressedSize: storedSize }]) => ({
        path: name,
        size,
        storedSize,
      })),
      oddities,
      read: (name) => bytesOf(zip, found.get(name)),
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
    if (entries.length > MOST_FILES) throw new NoPackage(`It holds more than ${MOST_FILES} files.`);
  }
  const root = rootOf(entries.map(({ fileName }) => fileName));
  const found = new Map<string, Entry>();
  const oddities: { path: string; detail: string }[] = [];
  for (const entry of entries) {
    const path = entry.fileName.slice(root.length);
    if (isOwnFolder(path) && entry.uncompressedSize === 0) continue;
    const detail = oddityOf(entry, found.has(path));
    if (detail === null) found.set(path, entry);
    else oddities.push({ path, detail });
  }
  return { found, oddities };
};

/** The folder that all stands in: who packs an exported folder into a zip file gets one around the package. */
const rootOf = (names: readonly string[]): string => {
  const root = names[0]?.replace(/\/.*/, '/') ?? '';
  return names.includes(`${root}${MANIFEST}`) && names.every((name) => name.startsWith(root)) ? root : '';
};

const isOwnFolder = (path: string): boolean => path === '' || FOLDERS.some((folder) => path === `${folder}/`);

const oddityOf = (entry: Entry, isSecond: boolean): string | null => {
  if (isSecond) return 'stands twice in the zip file';
  if (entry.fileName.endsWith('/')) return 'is a folder: a package has files only';
  if (((entry.externalFileAttributes >>> 16) & KIND_MASK) === LINK)
    return 'is a link: a package has files only';
  return entry.isEncrypted() ? 'is encrypted' : null;
};

/** What is wrong with the header in front of an entry's bytes: some tools unpack by it, and not by the directory. */
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

/** Entries that share their bytes make much of little. */
const refuseOverlaps = async (path: string, found: ReadonlyMap<string, Entry>): Promise<void> => {
  const taken = [...found.values()].reduce((sum, { compressedSize }) => sum + compressedSize, 0);
  if (taken > (await stat(path)).size) throw new NoPackage(`${path} holds files that overlap.`);
};

const bytesOf = async function* (zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) return;
  const pieces: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry);
  let sum = 0;
  for await (const piece of pieces) {
    sum = crc32(piece, sum);
    yield piece;
  }
  if (sum !== entry.crc32) throw new Error('the zip file tells another CRC-32 of its bytes');
};
