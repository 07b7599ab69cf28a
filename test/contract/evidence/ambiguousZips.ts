import { crc32 } from 'node:zlib';

/** The same fields of a zip's end: how many entries, and the size and the place of its directory. */
type End = Readonly<{ count: number; size: number; begin: number }>;
const END_BYTES = 22;

const endOf = (zip: Buffer): End => ({
  count: zip.readUInt16LE(zip.length - END_BYTES + 10),
  size: zip.readUInt32LE(zip.length - END_BYTES + 12),
  begin: zip.readUInt32LE(zip.length - END_BYTES + 16),
});

const end = ({ count, size, begin }: End, comment = 0): Buffer => {
  const bytes = Buffer.alloc(END_BYTES);
  bytes.writeUInt32LE(0x06054b50, 0);
  for (const at of [8, 10]) bytes.writeUInt16LE(count, at);
  bytes.writeUInt32LE(size, 12);
  bytes.writeUInt32LE(begin, 16);
  bytes.writeUInt16LE(comment, 20);
  return bytes;
};

const FORGED = Buffer.from('{"submissionStatus":"rejected"}\n');
const NAME = 'state.json';

/** Another state.json, stored: with the header in front of its bytes, and with that of a directory. */
const forged = (begin: number): Readonly<{ local: Buffer; central: Buffer }> => {
  const header = (signature: number, length: number, from: number): Buffer => {
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32LE(signature, 0);
    bytes.writeUInt16LE(20, from - 10);
    bytes.writeUInt32LE(crc32(FORGED), from);
    for (const at of [4, 8]) bytes.writeUInt32LE(FORGED.length, from + at);
    bytes.writeUInt16LE(NAME.length, from + 12);
    return bytes;
  };
  const central = header(0x02014b50, 46, 16);
  central.writeUInt32LE(begin, 42);
  const name = Buffer.from(NAME);
  return {
    local: Buffer.concat([header(0x04034b50, 30, 14), name, FORGED]),
    central: Buffer.concat([central, name]),
  };
};

/** The entries of a directory, each with its name. */
const entriesIn = (directory: Buffer): readonly Readonly<{ name: string; bytes: Buffer }>[] => {
  const found: { name: string; bytes: Buffer }[] = [];
  for (let at = 0; at < directory.length; at += found.at(-1)?.bytes.length ?? directory.length) {
    const lengths = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset));
    const bytes = directory.subarray(at, at + lengths.reduce((sum, length) => sum + length, 46));
    found.push({ name: bytes.toString('latin1', 46, 46 + (lengths[0] ?? 0)), bytes: Buffer.from(bytes) });
  }
  return found;
};

type Parts = Readonly<{ files: Buffer; directory: Buffer; count: number; other: ReturnType<typeof forged> }>;

const partsOf = (zip: Buffer): Parts => {
  const { begin, size, count } = endOf(zip);
  const directory = zip.subarray(begin, begin + size);
  return { files: zip.subarray(0, begin), directory, count, other: forged(begin) };
};

/** A directory with another entry in the place of state.json's. */
const withEntry = (directory: Buffer, change: (entry: Buffer) => Buffer): Buffer =>
  Buffer.concat(entriesIn(directory).map(({ name, bytes }) => (name === NAME ? change(bytes) : bytes)));

/** Another directory and its end, in the comment of the first one's. `own`: the comment of the second. */
const endInComment =
  (own: number) =>
  ({ files, directory, count, other }: Parts): Buffer => {
    const begin = files.length + other.local.length;
    const second = withEntry(directory, () => other.central);
    const at = begin + directory.length + END_BYTES;
    const comment = Buffer.concat([second, end({ count, size: second.length, begin: at }, own)]);
    const first = end({ count, size: directory.length, begin }, comment.length);
    return Buffer.concat([files, other.local, directory, first, comment]);
  };

/** Two directories of one size: one where the end says that it begins, the other right before the end. */
const twoDirectories = ({ files, directory, count, other }: Parts): Buffer => {
  const entry = (length: number) =>
    Buffer.concat([other.central, Buffer.alloc(length - other.central.length)]);
  const second = withEntry(directory, (bytes) => {
    const replaced = entry(bytes.length);
    replaced.writeUInt16LE(bytes.length - other.central.length, 32);
    return replaced;
  });
  const begin = files.length + other.local.length;
  return Buffer.concat([
    files,
    other.local,
    directory,
    second,
    end({ count, size: directory.length, begin }),
  ]);
};

const beyondCount = ({ files, directory, count, other }: Parts): Buffer => {
  const begin = files.length + other.local.length;
  const size = directory.length + other.central.length;
  return Buffer.concat([files, other.local, directory, other.central, end({ count, size, begin })]);
};

/** An extra field that gives state.json a name in Unicode. */
const unicodeName = ({ files, directory, count }: Parts): Buffer => {
  const changed = withEntry(directory, (bytes) => {
    const name = Buffer.from('other.txt');
    const extra = Buffer.alloc(9);
    extra.writeUInt16LE(0x7075, 0);
    extra.writeUInt16LE(5 + name.length, 2);
    extra.writeUInt8(1, 4);
    extra.writeUInt32LE(crc32(NAME), 5);
    bytes.writeUInt16LE(bytes.readUInt16LE(30) + extra.length + name.length, 30);
    const at = 46 + NAME.length;
    return Buffer.concat([bytes.subarray(0, at), extra, name, bytes.subarray(at)]);
  });
  return Buffer.concat([files, changed, end({ count, size: changed.length, begin: files.length })]);
};

/** A zip with a number of its end changed, by its place there. */
const endWith =
  (at: number, value: number) =>
  ({ files, directory, count }: Parts): Buffer => {
    const last = end({ count, size: directory.length, begin: files.length });
    last.writeUInt16LE(value, at);
    return Buffer.concat([files, directory, last]);
  };

const inFront = ({ files, directory, count }: Parts): Buffer =>
  Buffer.concat([
    Buffer.alloc(100),
    files,
    directory,
    end({ count, size: directory.length, begin: files.length }),
  ]);

/** The end that large files have, for readers that believe it: it names one entry less. */
const largeEnd = ({ files, directory, count }: Parts): Buffer => {
  const [begin, size] = [files.length, directory.length];
  const [record, locator] = [Buffer.alloc(56), Buffer.alloc(20)];
  record.writeUInt32LE(0x06064b50, 0);
  record.writeUInt32LE(44, 4);
  for (const at of [24, 32]) record.writeUInt32LE(count - 1, at);
  record.writeUInt32LE(size, 40);
  record.writeUInt32LE(begin, 48);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeUInt32LE(begin + size, 8);
  return Buffer.concat([files, directory, record, locator, end({ count, size, begin })]);
};

/** A package's zip made anew so that tools read different files in it, and what is said of it. */
export const ambiguousZips: readonly Readonly<{ make(zip: Buffer): Buffer; says: RegExp }>[] = [
  { make: endInComment(9), says: /its comment does not fit|Invalid comment length/ },
  { make: endInComment(0), says: /its comment does not fit/ },
  { make: twoDirectories, says: /the place of its directory does not fit/ },
  { make: inFront, says: /the place of its directory does not fit|invalid central directory/ },
  { make: largeEnd, says: /its end does not fit/ },
  { make: beyondCount, says: /the size of its directory does not fit/ },
  { make: unicodeName, says: /state.json has a second name/ },
  { make: endWith(4, 1), says: /its end does not fit|multi-disk/ },
  { make: endWith(6, 1), says: /its end does not fit/ },
  { make: endWith(8, 1), says: /its end does not fit/ },
].map(({ make, says }) => ({ make: (zip) => make(partsOf(zip)), says }));
