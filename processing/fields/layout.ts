import type { Box } from '../../domain/submission/processingResult.ts';
import { groupBy } from '../../kernel/groupBy.ts';
import { runsOf } from '../../kernel/runsOf.ts';
import { type Line, overlap, textOf, union, type Word } from '../page.ts';

type Placed = Readonly<{ word: Word; spot: Box }>;
/** Adjacent words of a line; `spot` is their box on the page, turned so that lines run to the right. */
export type Cell = Readonly<{ line: Line; parts: readonly Placed[]; text: string; spot: Box }>;
export type Side = 'right' | 'left' | 'below' | 'above';

/** The rows and columns of words by their boxes. */
export type Layout = ReturnType<typeof layoutOf>;

const MAX_CELLS = 2_000;
/** The gap between cells, in heights of a line's words; monospaced letters leave gaps of up to 1.3. */
const CELL_GAP = 1.5;
/** How far below a column may continue, in heights of a cell. */
const REACH = 2.5;
const SAME_ROW = 0.5;
const SAME_COLUMN = 0.3;

/** The layout of the pages of lines; a page of more than 2,000 cells, too many to compare, has none. */
export const layoutOf = (lines: readonly Line[]) => {
  const pages = [...groupBy(lines, ({ place }) => `${place.fileId} ${place.page}`).values()].map(cellsOn);
  const pageOf = new Map(pages.flatMap((page) => page.map((cell) => [cell, page])));
  const cells = new Map(pages.flat().flatMap((cell) => cell.parts.map(({ word }) => [word, cell])));
  /** The cells of its page. */
  const peers = (cell: Cell): readonly Cell[] => pageOf.get(cell) ?? [];
  /** The cells of its row, including itself. */
  const row = (cell: Cell): readonly Cell[] => peers(cell).filter(({ spot }) => isInRow(spot, cell.spot));
  return {
    peers,
    row,
    /** The cell of a word; null on a page without boxes. */
    cellOf: (word: Word | undefined): Cell | null => (word && cells.get(word)) ?? null,
    /** The cells of a line. */
    cellsOf: ({ words }: Line): readonly Cell[] => [
      ...new Set(words.flatMap((word) => cells.get(word) ?? [])),
    ],
    /** The nearest cell of the same row, or of the same column within reach; null when there is none. */
    next: (cell: Cell, side: Side): Cell | null => nearest(cell, peers(cell), side),
    /** The words of a cell in the column of a heading, rather than in those beside it. */
    inColumn: (cell: Cell, heading: Cell): readonly Word[] => {
      const headings = row(heading);
      return cell.parts.flatMap(({ word, spot }) => (headingOf(spot, headings) === heading ? [word] : []));
    },
  };
};

/** The distance of one cell to another on one side of it; null when it is not there. */
export const gap = ({ spot: from }: Cell, { spot: to }: Cell, side: Side): number | null => {
  const isBeside = side === 'right' || side === 'left';
  if (isBeside ? !isInRow(from, to) : overlap(from, to, 'left', 'right') < SAME_COLUMN) return null;
  const distance = {
    right: to.left - from.right,
    left: from.left - to.right,
    below: to.top - from.bottom,
    above: from.top - to.bottom,
  }[side];
  const height = from.bottom - from.top;
  return distance > -height / 2 && (isBeside || distance < REACH * height) ? distance : null;
};

const nearest = (cell: Cell, peers: readonly Cell[], side: Side): Cell | null =>
  peers.reduce<Readonly<{ peer: Cell; distance: number }> | null>((best, peer) => {
    const distance = peer === cell ? null : gap(cell, peer, side);
    return distance === null || (best && best.distance <= distance) ? best : { peer, distance };
  }, null)?.peer ?? null;

const isInRow = (a: Box, b: Box): boolean => overlap(a, b, 'top', 'bottom') > SAME_ROW;

/** The heading of a spot below: one that it overlaps, else the last that starts left of it. */
const headingOf = (spot: Box, row: readonly Cell[]): Cell | undefined => {
  const common = ({ spot: other }: Cell): number =>
    Math.min(other.right, spot.right) - Math.max(other.left, spot.left);
  const [closest] = row.toSorted((a, b) => common(b) - common(a));
  if (!closest || common(closest) > 0) return closest;
  const [last] = row.filter((one) => one.spot.left < spot.left).sort((a, b) => b.spot.left - a.spot.left);
  return last ?? closest;
};

const cellsOn = (lines: readonly Line[]): readonly Cell[] => {
  const direction = directionOf(lines);
  const cells = lines.flatMap((line) => {
    const parts = line.words.flatMap((word) => {
      const box = word.spot ?? word.box;
      return box ? [{ word, spot: turned(box, direction) }] : [];
    });
    return parts.length === line.words.length ? cellsIn(line, parts) : [];
  });
  return cells.length > MAX_CELLS ? [] : cells;
};

const cellsIn = (line: Line, parts: readonly Placed[]): readonly Cell[] => {
  const heights = parts.map(({ spot }) => spot.bottom - spot.top).sort((a, b) => a - b);
  const maxGap = CELL_GAP * (heights[Math.floor(heights.length / 2)] ?? 0);
  return runsOf(parts, (before, part) => part.spot.left - before.spot.right <= maxGap).map((own) => ({
    line,
    parts: own,
    text: textOf(own.map(({ word }) => word)),
    spot: union(own.map(({ spot }) => spot)),
  }));
};

type Direction = readonly [x: number, y: number];

/** The direction of a page's lines as a unit vector: its picture may be turned or skewed. */
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

/** A word's box on the page turned so that lines run to the right, without the corners of a skewed one. */
const turned = ({ left, top, right, bottom }: Box, [x, y]: Direction): Box => {
  const [across, down] = [(left + right) / 2, (top + bottom) / 2];
  const [middle, line] = [across * x + down * y, down * x - across * y];
  const [cos, sin] = [Math.abs(x), Math.abs(y)];
  const [width, height] = [right - left, bottom - top];
  const half = (a: number, b: number): number => Math.max(1, (a * cos - b * sin) / (cos ** 2 - sin ** 2)) / 2;
  const [length, thickness] = [half(width, height), half(height, width)];
  return { left: middle - length, top: line - thickness, right: middle + length, bottom: line + thickness };
};
