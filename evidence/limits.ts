// In bytes. A package is never larger than what its verifier reads.

const MEBIBYTE = 1024 ** 2;

/** Of a manifest whose signature does not hold. */
export const MAX_UNSIGNED_MANIFEST = 16 * MEBIBYTE;
/** Of a manifest. */
export const MAX_MANIFEST = 256 * MEBIBYTE;
/** Of a document, which follows from the events. */
export const MAX_DOCUMENT = 64 * MEBIBYTE;
/** Of a stream, without line ends. */
export const MAX_STREAM = 256 * MEBIBYTE;
/** Of a line. */
export const MAX_LINE = 4 * MEBIBYTE;
/** How many files a package may have. */
export const MAX_FILES = 20_000;
