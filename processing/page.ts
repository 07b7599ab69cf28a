import type { Box, Place } from '../domain/submission/processingResult.ts';
import { inReadingOrder, isRightToLeft, letterCertainty } from './characters.ts';

/**
 * A word as read; `confidence` (0..1) is that of its letters, 1 for text that was not recognised. A word of
 * plain text has no box on a page but a `spot` among its lines.
 */
export type Word = Readonly<{ text: string; confidence: number; box: Box | null; spot?: Box }>;
/** Words side by side; `block` (from 0) is the part of the page that they belong to. */
export type Line = Readonly<{ text: string; words: readonly Word[]; place: Place; block: number }>;
/**
 * What is wrong with a page: something on it could not be decoded, or has text that can't be drawn for
 * people.
 */
export type PageDoubt = 'unread_page' | 'undrawn_page';
/** A page of a file (from 1). */
export type Page = Readonly<{
  fileId: string;
  number: number;
  lines: readonly Line[];
  doubt?: PageDoubt | null;
}>;
/** A page of a file, and its size in the units of its boxes. */
export type Sheet = Pick<Place, 'fileId' | 'page' | 'size'>;

/** Whether two places are on one page. */
export const isSamePage = (a: Place, b: Place): boolean => a.fileId === b.fileId && a.page === b.page;

/** A word, or what else was read, that is no surer than a share (0..1). */
export const atMost = <T extends Readonly<{ confidence: number }>>(share: number, read: T): T =>
  read.confidence <= share ? read : { ...read, confidence: share };

/** The text of words as it is read, a blank between them: words on a page stand from left to right. */
export const textOf = (words: readonly Pick<Word, 'text' | 'box'>[]): string => {
  const text = joined(words);
  return words[0]?.box && isRightToLeft(text) ? joined(inReadingOrder(words)) : text;
};

const joined = (words: readonly Pick<Word, 'text'>[]): string => words.map(({ text }) => text).join(' ');

/** Words in the order in which their text has them. */
export const inTextOrder = (words: readonly Word[]): readonly Word[] =>
  words[0]?.box ? inReadingOrder(words) : words;

/** The words of a page in the order of its lines. */
export const wordsOn = ({ lines }: Pick<Page, 'lines'>): readonly Word[] =>
  lines.flatMap(({ words }) => words);

/** The mean confidence of the letters of words, 0..1; 0 without any. */
export const letterConfidence = (words: readonly Word[]): number => {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const sum = words.reduce((before, { text, confidence }) => before + confidence * text.length, 0);
  return letters === 0 ? 0 : sum / letters;
};

/** How wide each letter is, in any unit: a number for each UTF-16 code unit of a text. */
export type LetterWidths = readonly number[];

/** The words of a run of text from left to right, whose box is divided by the widths of its letters. */
export const wordsOf = (run: string, box: Box, widths: LetterWidths = equalWidths(run)): readonly Word[] => {
  let end = 0;
  const ends = [end, ...widths.map((width) => (end += width))];
  const share = (index: number): number => (ends[index] ?? 0) / (end || 1);
  const isTurned = isRightToLeft(run);
  const words = [...run.matchAll(/\S+/g)].map(({ 0: text, index }) => {
    const [from, to] = [share(index), share(index + text.length)];
    const own = isTurned ? slice(box, 1 - to, 1 - from) : slice(box, from, to);
    return { text, confidence: letterCertainty(text), box: own };
  });
  return isTurned ? words.toReversed() : words;
};

/** The widths of letters that are unknown. */
export const equalWidths = (text: string): LetterWidths => Array.from({ length: text.length }, () => 1);

/** Words in one line, with the smallest box around them. */
export const lineOf = (words: readonly Word[], sheet: Sheet, block: number): Line => ({
  text: textOf(words),
  words,
  place: { ...sheet, box: boxAround(words) },
  block,
});

/** A line with other words. */
export const withWords = ({ place, block }: Line, words: readonly Word[]): Line =>
  lineOf(words, place, block);

/**
 * Words with boxes grouped into lines: those whose middles are less than half a word's height apart. A wide
 * gap begins a block.
 */
export const linesOf = (words: readonly Word[], sheet: Sheet): readonly Line[] => {
  const rows: { middle: number; height: number; words: Word[] }[] = [];
  for (const word of [...words].sort((a, b) => middle(a) - middle(b))) {
    const row = rows.at(-1);
    const height = word.box ? word.box.bottom - word.box.top : 0;
    if (row && Math.abs(middle(word) - row.middle) < Math.max(row.height, height) / 2) row.words.push(word);
    else rows.push({ middle: middle(word), height, words: [word] });
  }
  let block = 0;
  return rows.map((row, index) => {
    const above = rows[index - 1];
    if (above && row.middle - above.middle > WIDE_GAP * Math.max(row.height, above.height)) block += 1;
    const words = row.words.sort((a, b) => (a.box?.left ?? 0) - (b.box?.left ?? 0));
    return lineOf(words, sheet, block);
  });
};

const WIDE_GAP = 2.5;

/** The smallest box around the boxes of words; null when none has one. */
export const boxAround = (words: readonly Word[]): Box | null => {
  const boxes = words.flatMap(({ box }) => box ?? []);
  return boxes.length === 0 ? null : union(boxes);
};

const middle = ({ box }: Word): number => (box ? (box.top + box.bottom) / 2 : 0);

/** The smallest box around one box or more. */
export const union = (boxes: readonly Box[]): Box =>
  // Not Math.min(...): a line may have more words than a function takes arguments.
  boxes.reduce((a, b) => ({
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  }));

/** The overlap of two boxes along one axis, as a share of the shorter side; negative when they are apart. */
export const overlap = (a: Box, b: Box, from: 'left' | 'top', to: 'right' | 'bottom'): number =>
  (Math.min(a[to], b[to]) - Math.max(a[from], b[from])) /
  Math.max(1, Math.min(a[to] - a[from], b[to] - b[from]));

/** The part of a box between two shares of its width, each from 0 to 1. */
export const slice = (box: Box, from: number, to: number): Box => {
  const width = box.right - box.left;
  return { ...box, left: box.left + width * from, right: box.left + width * to };
};
