/** Larger files are uploaded in parts (uploads-21). In bytes. */
export const LARGE_FILE = 104_857_600;

const MEBIBYTE = 1_048_576;
/** Small enough to send again after a fault, and large enough to keep the number of addresses small. */
const LEAST_PART = 16 * MEBIBYTE;
const MAX_PARTS = 100;

/** The size of each part of a file but the last, in bytes: 16 MiB, or what makes 100 parts. */
export const partSizeOf = (fileSize: number): number =>
  Math.max(LEAST_PART, Math.ceil(fileSize / MAX_PARTS / MEBIBYTE) * MEBIBYTE);

/** How many parts a file has. */
export const partCountOf = (fileSize: number): number => Math.ceil(fileSize / partSizeOf(fileSize));

/** A part of a file: its number from 1, its size in bytes, and its SHA-256 in hex where one was declared. */
export type FilePart = Readonly<{ partNumber: number; size: number; sha256?: string }>;

/** The parts of a file of so many bytes, in order. */
export const filePartsOf = (
  fileSize: number,
  { size, sha256 }: Readonly<{ size: number; sha256: readonly string[] | null }>,
): readonly FilePart[] =>
  Array.from({ length: Math.ceil(fileSize / size) }, (_, index) => {
    const checksum = sha256?.[index];
    return {
      partNumber: index + 1,
      size: Math.min(size, fileSize - index * size),
      ...(checksum !== undefined && { sha256: checksum }),
    };
  });
