import { joined, textOf } from '../bytes.ts';
import { said } from '../verify/findings.ts';
import type { Said } from '../verify/sentences.ts';
import {
  type Directory,
  directoryIn,
  entryFault,
  headerFault,
  isOwnFolder,
  refuseAmbiguous,
  rootOf,
  TAIL_BYTES,
} from './entries.ts';
import { NoPackage, type Source, Unreadable } from './source.ts';

// The zip format, as APPNOTE.TXT has it.

const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const LARGE = 0xffffffff;
const LARGE_SIZES = 1;
const STORED = 0;
const DEFLATED = 8;

type Entry = Readonly<{
  name: string;
  /** In the directory. */
  length: number;
  extras: readonly number[];
  attributes: number;
  flags: number;
  method: number;
  sum: number;
  storedSize: number;
  size: number;
  /** Where its local header is. */
  at: number;
}>;

/** The bytes of a zip file. `maxFile`: of a file in it, in bytes. */
export type ZipFile = Readonly<{
  size: number;
  maxFile: number;
  /** Those from `from` to before `to`, inflated if `isDeflated`. */
  bytes(from: number, to: number, isDeflated?: boolean): AsyncIterable<Uint8Array>;
  crc32(chunk: Uint8Array, sum: number): number;
}>;

/**
 * Opens a package in a zip file. Throws `NoPackage` for one with names that lead out of it, or with
 * overlapping entries; reading an entry throws if it inflates to another size than it declares.
 */
export const openZip = async (file: ZipFile): Promise<Source> => {
  const { found, unexpected } = sorted(await entriesOf(file));
  const total = [...found.values()].reduce((sum, { storedSize }) => sum + storedSize, 0);
  if (total > file.size) throw new NoPackage('It holds files that overlap.');
  for (const [path, entry] of found) {
    const fault = await faultOf(file, entry);
    if (fault !== null) unexpected.push({ path, said: fault });
  }
  return {
    entries: [...found].map(([path, { size, storedSize }]) => ({ path, size, storedSize })),
    unexpected,
    read: (path) => bytesIn(file, found.get(path)),
    close: async () => undefined,
  };
};

const viewOf = async (file: ZipFile, from: number, to: number): Promise<DataView> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.bytes(Math.max(0, from), to)) chunks.push(chunk);
  return new DataView(joined(chunks).buffer);
};

/** The part of a view that begins at `at`. */
const from = (view: DataView, at: number, length: number): Uint8Array =>
  new Uint8Array(view.buffer, at, length);

const entriesOf = async (file: ZipFile): Promise<readonly Entry[]> => {
  const directory = directoryIn(await viewOf(file, file.size - TAIL_BYTES, file.size), file.size);
  const entries = entriesIn(await viewOf(file, directory.begin, directory.end), directory);
  if (entries.some(({ storedSize, size }) => Math.max(storedSize, size) > file.maxFile))
    throw new NoPackage('It is larger than browsers can check: `intake audit verify` reads it.');
  refuseAmbiguous(directory, entries);
  return entries;
};

const entriesIn = (view: DataView, { count }: Directory): readonly Entry[] => {
  const entries: Entry[] = [];
  let at = 0;
  try {
    while (entries.length < count) {
      if (view.getUint32(at, true) !== CENTRAL) throw new RangeError('an entry has no signature');
      const entry = entryAt(view, at);
      entries.push(entry);
      at += entry.length;
    }
  } catch (error) {
    if (error instanceof RangeError)
      throw new NoPackage(`It is no zip file that can be read: ${error.message}.`);
    throw error;
  }
  return entries;
};

const entryAt = (view: DataView, at: number): Entry => {
  const [named = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
  const begin = at + CENTRAL_BYTES;
  const name = textOf(from(view, begin, named));
  const extras = extrasIn(view, begin + named, begin + named + extra);
  // Of a large file, in this order, those that have no room in the entry.
  let large = extras.get(LARGE_SIZES) ?? 0;
  const longAt = (offset: number): number => {
    const short = view.getUint32(at + offset, true);
    if (short !== LARGE || large === 0) return short;
    large += 8;
    return Number(view.getBigUint64(large - 8, true));
  };
  const size = longAt(24);
  const entry = {
    name,
    length: CENTRAL_BYTES + named + extra + comment,
    extras: [...extras.keys()],
    attributes: view.getUint32(at + 38, true),
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    sum: view.getUint32(at + 16, true),
    storedSize: longAt(20),
    size,
    at: longAt(42),
  };
  const fault = nameFault(name);
  if (fault !== null) throw new NoPackage(`${fault}: ${name}.`);
  return entry;
};

/** Where the contents of each extra field begin, by its number. */
const extrasIn = (view: DataView, begin: number, end: number): ReadonlyMap<number, number> => {
  const places = new Map<number, number>();
  for (let at = begin; at + 4 <= end; at += 4 + view.getUint16(at + 2, true))
    places.set(view.getUint16(at, true), at + 4);
  return places;
};

/** What a name must not be that is unpacked into a folder. */
const nameFault = (name: string): string | null => {
  if (name.includes('\\')) return 'invalid characters in a name';
  if (/^([A-Za-z]:|\/)/.test(name)) return 'absolute path';
  return name.split('/').includes('..') ? 'invalid relative path' : null;
};

const sorted = (entries: readonly Entry[]) => {
  const root = rootOf(entries.map(({ name }) => name));
  const found = new Map<string, Entry>();
  const unexpected: { path: string; said: Said }[] = [];
  for (const entry of entries) {
    const path = entry.name.slice(root.length);
    if (isOwnFolder(path) && entry.size === 0) continue;
    const fault = entryFault(entry, found.has(path));
    if (fault === null) found.set(path, entry);
    else unexpected.push({ path, said: said(fault) });
  }
  return { found, unexpected };
};

/** The fault of the header in front of an entry's bytes. */
const faultOf = async (file: ZipFile, entry: Entry): Promise<Said | null> => {
  const header = await viewOf(file, entry.at, entry.at + LOCAL_BYTES);
  if (header.byteLength < LOCAL_BYTES || header.getUint32(0, true) !== LOCAL)
    return said('unreadable', { why: said('noHeader') });
  const begin = entry.at + LOCAL_BYTES;
  const name = await viewOf(file, begin, begin + header.getUint16(26, true));
  const [flags, method] = [header.getUint16(6, true), header.getUint16(8, true)];
  const fault = headerFault({ name: textOf(new Uint8Array(name.buffer)), flags, method }, entry);
  return fault && said(fault);
};

const bytesIn = async function* (file: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) return;
  const { at, method, storedSize, size } = entry;
  const header = await viewOf(file, at, at + LOCAL_BYTES);
  // A view that is too short would throw as a lack of memory does.
  if (header.byteLength < LOCAL_BYTES) throw new Unreadable(said('noHeader'));
  const begin = at + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (method !== STORED && method !== DEFLATED) throw new Unreadable(said('unknownPacking'));
  let sum = 0;
  let length = 0;
  for await (const chunk of file.bytes(begin, begin + storedSize, method === DEFLATED)) {
    length += chunk.length;
    if (length > size) throw new Unreadable(said('tooManyBytes', { expected: size }));
    sum = file.crc32(chunk, sum);
    yield chunk;
  }
  if (length < size) throw new Unreadable(said('tooFewBytes', { found: length, expected: size }));
  if (sum !== entry.sum) throw new Unreadable(said('wrongSum'));
};
