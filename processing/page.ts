import { slice, union } from './boxes.ts';
import { placeWords } from './grid.ts';
import type { Box, Place } from './types.ts';

/**
 * A word as read; `confidence` (0..1) is that of its letters, 1 for text that was not recognised. `spot` is
 * the position of a word of plain text, which has no box on a page, among its lines, in units of
 * `placeWords`.
 */
export type Word = Readonly<{ text: string; confidence: number; box: Box | null; spot?: Box }>;
/** Words side by side; `block` (from 0) is the part of the page that they belong to. */
export type Line = Readonly<{ text: string; words: readonly Word[]; place: Place; block: number }>;
export type Page = Readonly<{ fileId: string; number: number; lines: readonly Line[] }>;
/** A page of a file, and its size in the units of its boxes. */
export type Sheet = Pick<Place, 'fileId' | 'page' | 'size'>;

/** Whether two places are on one page. */
export const isSamePage = (a: Place, b: Place): boolean => a.fileId === b.fileId && a.page === b.page;

/** The text of words, a blank between them. */
export const textOf = (words: readonly Pick<Word, 'text'>[]): string =>
  words.map(({ text }) => text).join(' ');

/** The words of a page in the order of its lines. */
export const wordsOn = ({ lines }: Pick<Page, 'lines'>): readonly Word[] =>
  lines.flatMap(({ words }) => words);

/** The mean confidence of the letters of words, 0..1; 0 without any. */
export const letterConfidence = (words: readonly Word[]): number => {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const sum = words.reduce((before, { text, confidence }) => before + confidence * text.length, 0);
  return letters === 0 ? 0 : sum / letters;
};

/** A page of plain text: its lines have no boxes; an empty line begins a block. */
export const textPage = (fileId: string, text: string): Page => {
  const sheet = { fileId, page: 1, size: null };
  const lines: Line[] = [];
  let block = 0;
  for (const words of placeWords(text.split(/\r\n|[\n\r\f\u2028\u2029]/))) {
    if (words.length > 0) lines.push(lineOf(words, sheet, block));
    else block += 1;
  }
  return { fileId, number: 1, lines };
};

/** The words of a run of text, whose box is divided by length. */
export const wordsOf = (run: string, confidence: number, box: Box | null): readonly Word[] =>
  [...run.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    confidence,
    box: box && slice(box, index / run.length, (index + text.length) / run.length),
  }));

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
