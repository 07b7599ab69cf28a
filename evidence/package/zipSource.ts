import { stat } from 'node:fs/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { FOLDERS, MANIFEST } from '../format.ts';
import { MOST_ENTRIES, NoPackage, type Source } from './source.ts';

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
    if (entries.length > MOST_ENTRIES) throw new NoPackage(`It holds more than ${MOST_ENTRIES} files.`);
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

/** Entries that share their bytes make much of little. */
const refuseOverlaps = async (path: string, found: ReadonlyMap<string, Entry>): Promise<void> => {
  const taken = [...found.values()].reduce((sum, { compressedSize }) => sum + compressedSize, 0);
  if (taken > (await stat(path)).size) throw new NoPackage(`${path} holds files that overlap.`);
};

const bytesOf = async function* (zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (entry) yield* await zip.openReadStreamPromise(entry);
};
