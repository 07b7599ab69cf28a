import { MANIFEST } from './format.ts';

// A package is never larger than what its verifier looks at.

const MEBIBYTE = 1024 ** 2;

/** A manifest that nobody has signed is looked at up to so many bytes. */
export const LARGEST_UNSIGNED_MANIFEST = 16 * MEBIBYTE;
export const LARGEST_MANIFEST = 256 * MEBIBYTE;
export const LARGEST_DOCUMENT = 64 * MEBIBYTE;
/** Of a stream, without line ends. */
export const LARGEST_STREAM = 256 * MEBIBYTE;
export const LONGEST_LINE = 4 * MEBIBYTE;
export const MOST_FILES = 20_000;

/** The submission is larger than any package that can be verified. */
export class PackageTooLarge extends Error {
  override readonly name = 'PackageTooLarge';
}

/** Throws `PackageTooLarge` for a file of text that no verifier would look at. */
export const refuseLargeText = (path: string, bytes: number): void => {
  const most = path === MANIFEST ? LARGEST_MANIFEST : LARGEST_DOCUMENT;
  if (!isStream(path) && bytes > most) throw tooLarge(path, bytes, most);
};

/** Likewise for the lines of a stream. */
export const refuseLargeStream = (path: string, lines: readonly string[]): void => {
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    const length = Buffer.byteLength(line);
    if (length > LONGEST_LINE) throw tooLarge(`line ${index + 1} of ${path}`, length, LONGEST_LINE);
    bytes += length;
    if (bytes > LARGEST_STREAM) throw tooLarge(path, bytes, LARGEST_STREAM);
  }
};

/** Likewise for a package with so many files. */
export const refuseManyFiles = (count: number): void => {
  if (count > MOST_FILES)
    throw new PackageTooLarge(
      `The package would hold more than ${MOST_FILES} files: no verifier reads so many.`,
    );
};

const isStream = (path: string): boolean => path.endsWith('.jsonl');

const tooLarge = (what: string, bytes: number, most: number): PackageTooLarge =>
  new PackageTooLarge(
    `The package’s ${what} would have ${bytes} bytes or more; verifiers read ${most} at most.`,
  );
