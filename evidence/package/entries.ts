import { FOLDERS, MANIFEST } from '../format.ts';
import { MAX_FILES } from '../limits.ts';
import type { FindingCode } from '../verify/sentences.ts';
import { NoPackage } from './source.ts';

// What a zip file and its entries may be, whoever reads it: none may read as one package here, and unpack to
// other files elsewhere. The format is that of APPNOTE.TXT.

const END = 0x06054b50;
const END_BYTES = 22;
const LOCATOR = 0x07064b50;
const LOCATOR_BYTES = 20;
const LARGE_END = 0x06064b50;
const LARGE_END_BYTES = 56;

/** How many bytes at the end of a zip file `directoryIn` needs: a comment may have 65,535. */
export const TAIL_BYTES = LARGE_END_BYTES + LOCATOR_BYTES + END_BYTES + 0xffff;

/** Where the directory of a zip file begins and ends, in bytes, and how many entries it has. */
export type Directory = Readonly<{ begin: number; end: number; count: number }>;

/**
 * The directory of a zip file of `length` bytes, of which `tail` has the last `TAIL_BYTES`. Throws
 * `NoPackage` where another reader could find another one.
 */
export const directoryIn = (tail: DataView, length: number): Directory => {
  const ends = endsIn(tail);
  const [at] = ends;
  if (at === undefined)
    throw new NoPackage('It is no zip file that can be read: it has no end of a directory.');
  // The bytes of a submitted file may look like an end, but not like one that reaches to the end of this
  // file.
  if (ends.findLastIndex((one) => reachesEnd(tail, one)) !== 0) throw ambiguous('its comment');
  const before = length - tail.byteLength;
  const large = largeEndBefore(tail, at, before);
  const [disk, ownDisk, here, count = 0, size = 0, begin = 0] = large ?? fieldsAt(tail, at);
  const end = before + (large ? at - LOCATOR_BYTES - LARGE_END_BYTES : at);
  if (disk !== 0 || ownDisk !== 0 || here !== count) throw ambiguous('its end');
  if (begin + size !== end) throw ambiguous('the place of its directory');
  if (count > MAX_FILES) throw new NoPackage(`It holds more than ${MAX_FILES} files.`);
  return { begin, end, count };
};

/** Where ends of directories seem to be, the last first. */
const endsIn = (tail: DataView): readonly number[] => {
  const found: number[] = [];
  for (let at = tail.byteLength - END_BYTES; at >= 0; at -= 1)
    if (tail.getUint32(at, true) === END) found.push(at);
  return found;
};

const reachesEnd = (tail: DataView, at: number): boolean =>
  at + END_BYTES + tail.getUint16(at + 20, true) === tail.byteLength;

const ambiguous = (what: string): NoPackage =>
  new NoPackage(`It is damaged, or made to be read in two ways: ${what} does not fit.`);

/**
 * Of the end of a directory: its disk, that of the directory, the entries there and in all, its size and
 * begin.
 */
const fieldsAt = (tail: DataView, at: number): readonly number[] => [
  ...[4, 6, 8, 10].map((offset) => tail.getUint16(at + offset, true)),
  ...[12, 16].map((offset) => tail.getUint32(at + offset, true)),
];

/** The same of the end that files above 4 GiB have in front of the other one; null without it. */
const largeEndBefore = (tail: DataView, end: number, before: number): readonly number[] | null => {
  const locator = end - LOCATOR_BYTES;
  if (locator < 0 || tail.getUint32(locator, true) !== LOCATOR) return null;
  const at = locator - LARGE_END_BYTES;
  if (at < 0 || tail.getUint32(at, true) !== LARGE_END) throw ambiguous('its end');
  const longAt = (offset: number): number => Number(tail.getBigUint64(offset, true));
  const fields = [
    ...[16, 20].map((offset) => tail.getUint32(at + offset, true)),
    ...[24, 32, 40, 48].map((offset) => longAt(at + offset)),
  ];
  // Readers differ in which of the two they believe.
  const isSame = fieldsAt(tail, end).every(
    (field, index) => field === (index < 4 ? 0xffff : 0xffffffff) || field === fields[index],
  );
  const isWhole = longAt(locator + 8) === before + at && longAt(at + 4) === LARGE_END_BYTES - 12;
  if (!isSame || !isWhole) throw ambiguous('its end');
  return fields;
};

const UNICODE_NAME = 0x7075;

/** An entry as the directory has it: its name, its length there, and the numbers of its extra fields. */
type Listed = Readonly<{ name: string; length: number; extras: readonly number[] }>;

/** Throws `NoPackage` unless the entries are all that is in the directory, with one name each. */
export const refuseAmbiguous = ({ begin, end }: Directory, entries: readonly Listed[]): void => {
  if (entries.reduce((sum, { length }) => sum + length, 0) !== end - begin)
    throw ambiguous('the size of its directory');
  const renamed = entries.find(({ extras }) => extras.includes(UNICODE_NAME));
  if (renamed)
    throw new NoPackage(
      `${renamed.name} has a second name in it: pack it in a folder whose name has plain letters only.`,
    );
};

/** An entry as a header has it, that of the directory or the one in front of its bytes. */
type Header = Readonly<{ name: string; flags: number; method: number }>;

/**
 * The fault of the header in front of an entry's bytes: some tools unpack by it, and not by the directory.
 */
export const headerFault = (own: Header, listed: Header): FindingCode | null => {
  if (own.name !== listed.name) return 'headerName';
  return own.flags === listed.flags && own.method === listed.method ? null : 'headerPacking';
};

/** The folder around the package, which zipping an exported folder adds. */
export const rootOf = (names: readonly string[]): string => {
  const root = names[0]?.replace(/\/.*/, '/') ?? '';
  return names.includes(`${root}${MANIFEST}`) && names.every((name) => name.startsWith(root)) ? root : '';
};

/** Whether an entry is a folder of a package, or the one around it. */
export const isOwnFolder = (path: string): boolean =>
  path === '' || FOLDERS.some((folder) => path === `${folder}/`);

// The upper half of a zip's external attributes is the mode that Unix gives to a file.
const KIND_MASK = 0o170000;
const LINK = 0o120000;

type EntryFacts = Readonly<{ name: string; attributes: number; flags: number }>;

/** Why an entry is no file of a package; null where it may be one. `isSecond`: of that name. */
export const entryFault = (
  { name, attributes, flags }: EntryFacts,
  isSecond: boolean,
): FindingCode | null => {
  if (isSecond) return 'twiceInZip';
  if (name.endsWith('/')) return 'folder';
  if (((attributes >>> 16) & KIND_MASK) === LINK) return 'link';
  return flags & 1 ? 'encrypted' : null;
};
