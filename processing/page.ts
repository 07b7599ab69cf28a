import type { Box, Place } from './types.ts';

/** A word as read; `confidence` 0..1 is how sure its reader is of its letters (1 for text that was not recognised). */
export type Word = Readonly<{ text: string; confidence: number; box: Box | null }>;
export type Line = Readonly<{ text: string; words: readonly Word[]; place: Place }>;
export type Page = Readonly<{ fileId: string; number: number; lines: readonly Line[] }>;

/** A page of plain text: its lines without boxes, read without doubt. */
export const textPage = (fileId: string, text: string): Page => ({
  fileId,
  number: 1,
  lines: text
    .split(/\r\n|[\n\r\f\u2028\u2029]/)
    .map((line) => wordsOf(line, 1, null))
    .filter((words) => words.length > 0)
    .map((words) => lineOf(words, fileId, 1)),
});

/** The words of a run of text; the run's box is shared out by length. */
export const wordsOf = (run: string, confidence: number, box: Box | null): readonly Word[] =>
  [...run.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    confidence,
    box: box && part(box, index / run.length, (index + text.length) / run.length),
  }));

/** Words that stand in one line, with the smallest box around them. */
export const lineOf = (words: readonly Word[], fileId: string, page: number): Line => ({
  text: words.map(({ text }) => text).join(' '),
  words,
  place: { fileId, page, box: around(words) },
});

/** Words with boxes grouped into lines: those whose middles are less than half a word's height apart. */
export const linesOf = (words: readonly Word[], fileId: string, page: number): readonly Line[] => {
  const rows: { middle: number; height: number; words: Word[] }[] = [];
  for (const word of [...words].sort((a, b) => middle(a) - middle(b))) {
    const row = rows.at(-1);
    const height = word.box ? word.box.bottom - word.box.top : 0;
    if (row && Math.abs(middle(word) - row.middle) < Math.max(row.height, height) / 2) row.words.push(word);
    else rows.push({ middle: middle(word), height, words: [word] });
  }
  return rows.map((row) =>
    lineOf(
      row.words.sort((a, b) => (a.box?.left ?? 0) - (b.box?.left ?? 0)),
      fileId,
      page,
    ),
  );
};

/** The smallest box around the boxes of words; null when none has one. */
export const around = (words: readonly Word[]): Box | null => {
  const boxes = words.flatMap(({ box }) => (box ? [box] : []));
  if (boxes.length === 0) return null;
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
};

const middle = ({ box }: Word): number => (box ? (box.top + box.bottom) / 2 : 0);

const part = (box: Box, from: number, to: number): Box => {
  const width = box.right - box.left;
  return { ...box, left: box.left + width * from, right: box.left + width * to };
};
