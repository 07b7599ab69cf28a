import { type Line, shared, type Word } from '../page.ts';
import type { Box } from '../types.ts';

type Placed = Readonly<{ word: Word; spot: Box }>;
/** Words of a line that stand close together; `spot` is where, on the page turned so that its lines run to the right. */
export type Cell = Readonly<{ line: Line; parts: readonly Placed[]; text: string; spot: Box }>;
export type Side = 'right' | 'left' | 'below' | 'above';

/** Which words stand beside and below one another, judged by their boxes. */
export type Layout = Readonly<{
  /** The cell of a word; null on a page without boxes. */
  cellOf(word: Word | undefined): Cell | null;
  /** The nearest cell of the same row, or of the same column and not far off; null when there is none. */
  next(cell: Cell, side: Side): Cell | null;
  /** The cells of its page. */
  mates(cell: Cell): readonly Cell[];
  /** The cells of its row, itself too. */
  row(cell: Cell): readonly Cell[];
  /** The words of a cell that stand in the column of another one rather than in those beside that. */
  inColumn(cell: Cell, heading: Cell): readonly Word[];
}>;

const MOST_CELLS = 2_000;
/** A gap of so many heights of a line's words parts cells; letters of one width leave gaps of up to 1.3. */
const WIDE = 1.5;
/** How far off a column may go on, in heights of a cell. */
const REACH = 2.5;
const SAME_ROW = 0.5;
const SAME_COLUMN = 0.3;

/** The layout of the pages of lines. A page of more than 2,000 cells has none: comparing them would take too long. */
export const layoutOf = (lines: readonly Line[]): Layout => {
  const pages = new Map<string, Line[]>();
  for (const line of lines) {
    const sheet = `${line.place.fileId} ${line.place.page}`;
    const page = pages.get(sheet);
    if (page) page.push(line);
    else pages.set(sheet, [line]);
  }
  const cells = new Map<Word, Cell>();
  const mates = new Map<Cell, readonly Cell[]>();
  for (const page of pages.values()) {
    const own = cellsOf(page);
    for (const cell of own) {
      mates.set(cell, own);
      for (const { word } of cell.parts) cells.set(word, cell);
    }
  }
  const matesOf = (cell: Cell): readonly Cell[] => mates.get(cell) ?? [];
  return {
    cellOf: (word) => (word && cells.get(word)) ?? null,
    next: (cell, side) => nearest(cell, matesOf(cell), side),
    mates: matesOf,
    row: (cell) => matesOf(cell).filter(({ spot }) => isInRow(spot, cell.spot)),
    inColumn: (cell, heading) => {
      const row = matesOf(heading).filter(({ spot }) => isInRow(spot, heading.spot));
      return cell.parts.flatMap(({ word, spot }) => (headingOf(spot, row) === heading ? [word] : []));
    },
  };
};

/** How far one cell is from another on one side of it; null when it does not stand there. */
export const gap = ({ spot: from }: Cell, { spot: to }: Cell, side: Side): number | null => {
  const isBeside = side === 'right' || side === 'left';
  if (isBeside ? !isInRow(from, to) : shared(from, to, 'left', 'right') < SAME_COLUMN) return null;
  const distance = {
    right: to.left - from.right,
    left: from.left - to.right,
    below: to.top - from.bottom,
    above: from.top - to.bottom,
  }[side];
  const height = from.bottom - from.top;
  return distance > -height / 2 && (isBeside || distance < REACH * height) ? distance : null;
};

const nearest = (cell: Cell, mates: readonly Cell[], side: Side): Cell | null =>
  mates.reduce<Readonly<{ mate: Cell; distance: number }> | null>((best, mate) => {
    const distance = mate === cell ? null : gap(cell, mate, side);
    return distance === null || (best && best.distance <= distance) ? best : { mate, distance };
  }, null)?.mate ?? null;

const isInRow = (a: Box, b: Box): boolean => shared(a, b, 'top', 'bottom') > SAME_ROW;

/** The heading that a spot below it is of: one that it overlaps, else the last that begins left of it. */
const headingOf = (spot: Box, row: readonly Cell[]): Cell | undefined => {
  const overlaps = (other: Box): number =>
    Math.min(other.right, spot.right) - Math.max(other.left, spot.left);
  const [most] = [...row].sort((a, b) => overlaps(b.spot) - overlaps(a.spot));
  if (!most || overlaps(most.spot) > 0) return most;
  const [last] = row.filter((one) => one.spot.left < spot.left).sort((a, b) => b.spot.left - a.spot.left);
  return last ?? most;
};

const cellsOf = (lines: readonly Line[]): readonly Cell[] => {
  const direction = directionOf(lines);
  const cells = lines.flatMap((line) => {
    const parts = line.words.flatMap((word) => {
      const box = word.spot ?? word.box;
      return box ? [{ word, spot: turned(box, direction) }] : [];
    });
    return parts.length === line.words.length ? cellsIn(line, parts) : [];
  });
  return cells.length > MOST_CELLS ? [] : cells;
};

const cellsIn = (line: Line, parts: readonly Placed[]): readonly Cell[] => {
  const heights = parts.map(({ spot }) => spot.bottom - spot.top).sort((a, b) => a - b);
  const wide = WIDE * (heights[Math.floor(heights.length / 2)] ?? 0);
  const cells: Placed[][] = [];
  for (const part of parts) {
    const last = cells.at(-1);
    const before = last?.at(-1);
    if (last && before && part.spot.left - before.spot.right <= wide) last.push(part);
    else cells.push([part]);
  }
  return cells.map((own) => ({
    line,
    parts: own,
    text: own.map(({ word }) => word.text).join(' '),
    spot: {
      left: Math.min(...own.map(({ spot }) => spot.left)),
      top: Math.min(...own.map(({ spot }) => spot.top)),
      right: Math.max(...own.map(({ spot }) => spot.right)),
      bottom: Math.max(...own.map(({ spot }) => spot.bottom)),
    },
  }));
};

type Direction = readonly [x: number, y: number];

/** Which way the lines of a page run, of length 1: a picture may have come turned or askew. */
const directionOf = (lines: readonly Line[]): Direction => {
  let [x, y] = [0, 0];
  for (const { words } of lines) {
    const [first, last] = [words[0]?.box, words.at(-1)?.box];
    if (!first || !last) continue;
    x += last.left + last.right - first.left - first.right;
    y += last.top + last.bottom - first.top - first.bottom;
  }
  const length = Math.hypot(x, y);
  return length === 0 ? [1, 0] : [x / length, y / length];
};

/** A word's box on the page turned so that its lines run to the right: of a word askew, the word without the corners. */
const turned = ({ left, top, right, bottom }: Box, [x, y]: Direction): Box => {
  const [across, down] = [(left + right) / 2, (top + bottom) / 2];
  const [middle, line] = [across * x + down * y, down * x - across * y];
  const [cos, sin] = [Math.abs(x), Math.abs(y)];
  const [width, height] = [right - left, bottom - top];
  const half = (a: number, b: number): number => Math.max(1, (a * cos - b * sin) / (cos ** 2 - sin ** 2)) / 2;
  const [length, thickness] = [half(width, height), half(height, width)];
  return { left: middle - length, top: line - thickness, right: middle + length, bottom: line + thickness };
};
