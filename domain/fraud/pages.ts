import { closed, type Of, share, Type, text, whole } from '../../kernel/schema.ts';
import { type FilePair, NamedFile } from './check.ts';

const RecognisedWord = closed({
  text: text('as recognised'),
  confidence: share('how sure the recogniser was'),
});
export type RecognisedWord = Of<typeof RecognisedWord>;

/**
 * What a page of a picture is compared by (docs/decisions/0034-near-duplicates.md). It is stored in the
 * private part of an event alone.
 */
export const VisualFingerprint = closed({
  ...NamedFile.properties,
  page: whole('from 1'),
  width: whole('in pixels'),
  height: whole('in pixels'),
  strokes: text('a bit a pixel, row by row, deflated, base64'),
  words: Type.Array(RecognisedWord),
});
export type VisualFingerprint = Of<typeof VisualFingerprint>;

/** The look-up keys of a page, in clear text: `text` is stored (hidden), `near` are also looked up. */
export type PageKey = Readonly<{ text: string; near: readonly string[] }>;

/** A page of a picture: its data for comparisons and look-ups. */
export type FingerprintedPage = Readonly<{ visual: VisualFingerprint; keys: readonly PageKey[] }>;

type Share = Readonly<{ compared: number; same: number }>;

/** Two similar pages. */
export type SimilarPages = FilePair &
  Readonly<{
    page: number;
    matchedPage: number;
    /** The share of the compared parts that is the same, from 0 to 1. */
    similarity: number;
    /** Parts of the picture. */
    parts: Share;
    /** Words of this page, and how many of them are on the other one too. */
    words: Share;
    /** Numbers that were read with certainty on either page, and how many of them are on both. */
    numbers: Share;
    /** Whether all parts and many sure numbers are the same, and no number is doubtful. */
    certain: boolean;
  }>;

/** How many pages are compared, and how many bytes of visual fingerprints stored: an event is small. */
const MAX_PAGES = 8;
const MAX_BYTES = 160 * 1_024;

/** The first pages, without the largest of them where they are too large together. */
export const pagesToCompare = (pages: readonly FingerprintedPage[]): readonly FingerprintedPage[] => {
  const first = pages.slice(0, MAX_PAGES);
  const sized = first.map((page) => ({ page, bytes: JSON.stringify(page.visual).length }));
  const kept = new Set<FingerprintedPage>();
  let remaining = MAX_BYTES;
  for (const { page, bytes } of sized.sort((one, other) => one.bytes - other.bytes)) {
    if (bytes > remaining) break;
    remaining -= bytes;
    kept.add(page);
  }
  return first.filter((page) => kept.has(page));
};
