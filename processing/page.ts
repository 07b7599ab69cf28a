import { placeWords } from './grid.ts';
import type { Box, Place } from './types.ts';

/**
 * A word as read; `confidence` 0..1 is how sure its reader is of its letters (1 for text that was not
 * recognised). `spot` is where a word of plain text stands among its lines, in units of `placeWords`: it has
 * no box on a page.
 */
export type Word = Readonly<{ text: string; confidence: number; box: Box | null; spot?: Box }>;
/** Words that stand side by side; `block` (from 0) tells the part of the page that they belong to. */
export type Line = Readonly<{ text: string; words: readonly Word[]; place: Place; block: number }>;
export type Page = Readonly<{ fileId: string; number: number; lines: readonly Line[] }>;
/** Which page it is of which file, and its size in the units of its boxes. */
export type Sheet = Pick<Place, 'fileId' | 'page' | 'size'>;

/** A page of plain text: its lines without boxes, read without doubt; an empty line begins a block. */
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

/** The words of a run of text; the run's box is shared out by length. */
export const wordsOf = (run: string, confidence: number, box: Box | null): readonly Word[] =>
  [...run.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    confidence,
    box: box && part(box, index / run.length, (index + text.length) / run.length),
  }));

/** Words that stand in one line, with the smallest box around them. */
export const lineOf = (words: readonly Word[], sheet: Sheet, block: number): Line => ({
  text: words.map(({ text }) => text).join(' '),
  words,
  place: { ...sheet, box: around(words) },
  block,
});

/** Words with boxes grouped into lines: those whose middles are less than half a word's height apart. A wide gap begins a block. */
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
export const around = (words: readonly Word[]): Box | null => {
  const boxes = words.flatMap(({ box }) => (box ? [box] : []));
  // A line may have more words than a function takes arguments.
  return boxes.length === 0 ? null : boxes.reduce(aroundBoth);
};

const aroundBoth = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

/** The part of the shorter of two boxes' sides that they share, along one way; negative when they are apart. */
export const shared = (a: Box, b: Box, from: 'left' | 'top', to: 'right' | 'bottom'): number =>
  (Math.min(a[to], b[to]) - Math.max(a[from], b[from])) /
  Math.max(1, Math.min(a[to] - a[from], b[to] - b[from]));

const middle = ({ box }: Word): number => (box ? (box.top + box.bottom) / 2 : 0);

/** The part of a box between two shares of its width, each from 0 to 1. */
export const part = (box: Box, from: number, to: number): Box => {
  const width = box.right - box.left;
  return { ...box, left: box.left + width * from, right: box.left + width * to };
};
