import { MANIFEST } from './format.ts';
import { MAX_DOCUMENT, MAX_FILES, MAX_LINE, MAX_MANIFEST, MAX_STREAM } from './limits.ts';

/** The submission is larger than any package that can be verified. */
export class PackageTooLarge extends Error {
  override readonly name = 'PackageTooLarge';
}

/** Throws `PackageTooLarge` for a text file that no verifier reads. */
export const refuseLargeText = (path: string, bytes: number): void => {
  const max = path === MANIFEST ? MAX_MANIFEST : MAX_DOCUMENT;
  if (!isStream(path) && bytes > max) throw tooLarge(path, bytes, max);
};

/** Likewise for the lines of a stream. */
export const refuseLargeStream = (path: string, lines: readonly string[]): void => {
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    const length = Buffer.byteLength(line);
    if (length > MAX_LINE) throw tooLarge(`line ${index + 1} of ${path}`, length, MAX_LINE);
    bytes += length;
    if (bytes > MAX_STREAM) throw tooLarge(path, bytes, MAX_STREAM);
  }
};

/** Likewise for a package with so many files. */
export const refuseManyFiles = (count: number): void => {
  if (count > MAX_FILES)
    throw new PackageTooLarge(
      `The package would hold more than ${MAX_FILES} files: no verifier reads so many.`,
    );
};

const isStream = (path: string): boolean => path.endsWith('.jsonl');

const tooLarge = (what: string, bytes: number, max: number): PackageTooLarge =>
  new PackageTooLarge(
    `The package’s ${what} would have ${bytes} bytes or more; verifiers read ${max} at most.`,
  );
