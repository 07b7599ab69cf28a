import type { Box } from '../../domain/submission/processingResult.ts';
import type { OutputColumn } from '../../domain/workflow.ts';
import { isFreeText } from '../../fieldTypes/all.ts';
import { overlap, textOf, union } from '../page.ts';
import { parseAmount } from './amounts.ts';
import { headsOf, isLikeHead } from './columnHeads.ts';
import type { Cell } from './layout.ts';
import { captionText } from './synonyms.ts';

/** Cells side by side, from left to right. */
export type PrintedRow = Readonly<{ cells: readonly Cell[]; spot: Box; text: string }>;

/** A column on a page; `column` is null for one that the table does not name. */
export type Slot = Readonly<{ column: OutputColumn | null; spot: Box }>;

/** The rows of a page's cells from top to bottom. */
export const rowsOf = (cells: readonly Cell[]): readonly PrintedRow[] => {
  const middle = ({ spot }: Cell): number => spot.top + spot.bottom;
  const rows: Cell[][] = [];
  for (const cell of cells.toSorted((a, b) => middle(a) - middle(b))) {
    const row = rows.at(-1);
    if (row?.[0] && overlap(row[0].spot, cell.spot, 'top', 'bottom') > SAME_ROW) row.push(cell);
    else rows.push([cell]);
  }
  return rows.map((row) => {
    const sorted = row.sort((a, b) => a.spot.left - b.spot.left);
    return {
      cells: sorted,
      spot: union(sorted.map(({ spot }) => spot)),
      text: sorted.map(({ text }) => text).join(' '),
    };
  });
};

const SAME_ROW = 0.5;
const MAX_WORDS = 4;

type Head = Readonly<{ column: OutputColumn; heads: readonly string[] }>;

/** Finds the heads of a table's columns in a row; null where fewer than half of them are there. */
export const headFinder = (columns: readonly OutputColumn[]) => {
  const heads = columns.map((column) => ({ column, heads: headsOf(column) }));
  const least = Math.max(Math.min(2, columns.length), Math.ceil(columns.length / 2));
  return ({ cells }: PrintedRow): readonly Slot[] | null => {
    if (cells.some(({ text }) => parseAmount(text) !== null)) return null;
    const exact = slotsIn(cells, heads, (text, own) => own.includes(text));
    if (countOf(exact) === 0) return null;
    const slots = countOf(exact) === columns.length ? exact : slotsIn(cells, heads, isAlike);
    return countOf(slots) >= least ? widened(slots) : null;
  };
};

/** How many columns of a table have a slot. */
export const countOf = (slots: readonly Slot[]): number => slots.filter(({ column }) => column).length;

type IsHead = (text: string, heads: readonly string[]) => boolean;

const isAlike: IsHead = (text, heads) => heads.includes(text) || isLikeHead(text, heads);

const slotsIn = (cells: readonly Cell[], heads: readonly Head[], isHead: IsHead): readonly Slot[] => {
  const taken = new Set<OutputColumn>();
  return cells.flatMap(({ parts }): readonly Slot[] => {
    const slots: Slot[] = [];
    for (let at = 0; at < parts.length; ) {
      const found = longest(parts.slice(at, at + MAX_WORDS), heads, taken, isHead);
      const own = parts.slice(at, at + (found?.count ?? 1)).map(({ spot }) => spot);
      if (found) taken.add(found.column);
      slots.push({ column: found?.column ?? null, spot: union(own) });
      at += own.length;
    }
    return slots;
  });
};

/** The column that the most of some words head, and how many these are. */
const longest = (
  parts: Cell['parts'],
  heads: readonly Head[],
  taken: ReadonlySet<OutputColumn>,
  isHead: IsHead,
) => {
  for (let count = parts.length; count > 0; count -= 1) {
    const text = captionText(textOf(parts.slice(0, count).map(({ word }) => word)));
    const found = heads.find(({ column, heads: own }) => !taken.has(column) && isHead(text, own));
    if (text !== '' && found) return { column: found.column, count };
  }
  return null;
};

/** Texts stand below their head and right of it, up to the next. */
const widened = (slots: readonly Slot[]): readonly Slot[] => {
  const sorted = slots.toSorted((a, b) => a.spot.left - b.spot.left);
  return sorted.map((slot, index) => {
    const next = sorted[index + 1];
    if (!slot.column || !isFreeText(slot.column.type)) return slot;
    const right = next ? Math.max(slot.spot.right, next.spot.left - 1) : Number.POSITIVE_INFINITY;
    return { ...slot, spot: { ...slot.spot, right } };
  });
};
