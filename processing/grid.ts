import type { Word } from './page.ts';

/**
 * The width of a letter of plain text, the height of a line, and the distance of lines: two blanks part
 * cells.
 */
const LETTER = 10;
const HEIGHT = 12;
const ROW = 20;

/** The words of lines of plain text with their spots: tabs and vertical bars begin the columns of a table. */
export const placeWords = (lines: readonly string[]): readonly (readonly Word[])[] => {
  const cells = lines.map((line) => line.replace(/[^\S\n]*\|[^\S\n]*/g, '\t').split('\t'));
  const starts = columnStarts(cells);
  return cells.map((row, index) =>
    row.flatMap((cell, column) => wordsIn(cell, starts[index]?.[column] ?? 0, index * ROW)),
  );
};

const wordsIn = (cell: string, start: number, top: number): readonly Word[] =>
  [...cell.matchAll(/\S+/g)].map(({ 0: text, index }) => {
    const left = (start + index) * LETTER;
    const spot = { left, top, right: left + text.length * LETTER, bottom: top + HEIGHT };
    return { text, confidence: 1, box: null, spot };
  });

/** The start of each column of each row, in letters: consecutive lines with tabs share theirs. */
const columnStarts = (rows: readonly (readonly string[])[]): readonly (readonly number[])[] => {
  const starts: (readonly number[])[] = [];
  let first = 0;
  for (const [index, row] of rows.entries()) {
    if (index < rows.length - 1 && (rows[index + 1]?.length ?? 1) > 1 && row.length > 1) continue;
    const own = startsOf(rows.slice(first, index + 1));
    for (; first <= index; first += 1) starts.push(own);
  }
  return starts;
};

const startsOf = (rows: readonly (readonly string[])[]): readonly number[] => {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.trimEnd().length);
  let start = 0;
  return widths.map((width) => {
    const own = start;
    start += width === 0 ? 0 : width + GAP;
    return own;
  });
};

/** The gap between columns, in letters. */
const GAP = 4;
