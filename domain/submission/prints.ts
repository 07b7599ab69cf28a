import type { NamedFile } from './fingerprints.ts';

/** A word as it was read, and how sure its reader was (0..1). */
export type PrintedWord = Readonly<{ text: string; confidence: number }>;

/**
 * What a page of a picture is compared by (docs/decisions: near duplicates): its strokes as a picture of a bit a pixel (deflated, base64), and its words. It is
 * kept in the private part of an event alone.
 */
export type Print = NamedFile &
  Readonly<{ page: number; width: number; height: number; strokes: string; words: readonly PrintedWord[] }>;

/** What a page is found by, in the clear: `text` is what is kept of it (hidden), `near` what is also looked for, the likeliest first. */
export type PrintKey = Readonly<{ text: string; near: readonly string[] }>;

/** A page of a picture: what it is found by, and compared by. */
export type PageLikeness = Readonly<{ print: Print; keys: readonly PrintKey[] }>;

/** Two pages that are alike: `similarity` (0..1) is the share of the parts that were compared that is the same. */
export type AlikePages = Readonly<{
  fileId: string;
  label: string;
  page: number;
  matchedFileId: string;
  matchedLabel: string;
  matchedPage: number;
  similarity: number;
  /** How many parts of the picture were compared, and how many of them are the same. */
  parts: Readonly<{ compared: number; same: number }>;
  /** How many words of this page were compared, and how many of them stand on the other one too. */
  words: Readonly<{ compared: number; same: number }>;
  /** How many numbers were surely read on either page, and how many of them stand on both. */
  numbers: Readonly<{ compared: number; same: number }>;
  /** Whether nothing at all speaks against it: all parts and all of many sure numbers are the same, and no other number is another one. */
  certain: boolean;
}>;
