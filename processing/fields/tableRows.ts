import type { Place } from '../../domain/submission/processingResult.ts';
import type { OutputColumn } from '../../domain/workflow.ts';
import { isFreeText } from '../../fieldTypes/all.ts';
import { textOf } from '../page.ts';
import type { Cell } from './layout.ts';
import type { Notation } from './notation.ts';
import { captionText, synonymsOf } from './synonyms.ts';
import { cellsOf, type Read } from './tableCells.ts';
import { countOf, headFinder, type PrintedRow, rowsOf, type Slot } from './tableHead.ts';

/** A row of a table as it was read; `sheet` is the page that it begins on. */
export type ReadRow = Readonly<{ cells: ReadonlyMap<OutputColumn, Read>; sheet: Omit<Place, 'box'> }>;

/** The cells of a page. */
export type PrintedPage = Readonly<{ sheet: Omit<Place, 'box'>; cells: readonly Cell[] }>;

/**
 * The rows below the heads of a table's columns, over all pages: down to its sums, a wide gap or the end of
 * the page, and on below heads that are repeated. Lines of text below a row belong to it. Sums in between,
 * and what is carried over a page, are no rows.
 */
export const readRows = (
  columns: readonly OutputColumn[],
  pages: readonly PrintedPage[],
  notation: Notation,
  most: number,
): readonly ReadRow[] => {
  const findHead = headFinder(columns);
  const printed = pages.map(({ sheet, cells }) => ({
    sheet,
    rows: rowsOf(cells).map((row) => ({ row, head: findHead(row) })),
  }));
  const best = Math.max(0, ...printed.flatMap(({ rows }) => rows.map(({ head }) => countOf(head ?? []))));
  const table = createTable(columns, notation);
  for (const { sheet, rows } of printed) {
    table.turn(sheet);
    for (const { row, head } of rows) {
      if (head && countOf(head) === best) table.head(head, row);
      else table.add(row);
      if (table.rows.length >= most) return table.rows;
    }
  }
  return table.rows;
};

/** In heights of a line: between a row and what continues it, and between the rows of a table. */
const [NEAR, FAR] = [1.1, 4.5];

const createTable = (columns: readonly OutputColumn[], notation: Notation) => {
  const rows: ReadRow[] = [];
  let sheet: Omit<Place, 'box'> | null = null;
  let slots: readonly Slot[] | null = null;
  let last: PrintedRow['spot'] | null = null;
  let isSummed = false;
  let isOpen = false;
  const required = columns.filter((column) => column.required);
  const texts = columns.filter(({ type }) => isFreeText(type));

  const isComplete = (cells: ReadRow['cells']): boolean =>
    (required.length > 0 ? required : columns).every((column) => {
      const read = cells.get(column);
      return hasValue(read) && (!isFreeText(column.type) || hasLetters(read));
    });

  /** Whether a column of words has none: captions of sums may stand above what reads like a row. */
  const isWordless = (cells: ReadRow['cells']): boolean =>
    texts.some((column) => {
      const [before, now] = [rows.at(-1)?.cells.get(column), cells.get(column)];
      return now !== undefined && hasLetters(before) && !hasLetters(now);
    });

  /** Whether cells have at least two values, one of them no text, or all that is required. */
  const isRow = (cells: ReadRow['cells']): boolean => {
    const valued = columns.filter((column) => hasValue(cells.get(column)));
    return (
      isComplete(cells) ||
      (!isWordless(cells) &&
        valued.length >= Math.min(2, columns.length) &&
        valued.some(({ type }) => !isFreeText(type)))
    );
  };

  const continueRow = (cells: ReadRow['cells']): void => {
    const before = rows.at(-1);
    if (!before) return;
    const merged = new Map(before.cells);
    for (const [column, read] of cells) {
      const upper = merged.get(column);
      if (!isFreeText(column.type)) continue;
      const words = [...(upper?.words ?? []), ...read.words];
      const text = upper ? `${upper.text} ${textOf(read.words)}` : read.text;
      merged.set(column, { ...read, words, text, value: text, left: upper?.left ?? read.left });
    }
    rows[rows.length - 1] = { ...before, cells: merged };
  };

  const isContinued = (cells: ReadRow['cells'], apart: number): boolean =>
    apart < NEAR &&
    cells.size > 0 &&
    [...cells].every(([column, { left, words }]) => {
      const upper = rows.at(-1)?.cells.get(column);
      const height = words[0]?.box ? words[0].box.bottom - words[0].box.top : 1;
      return texts.includes(column) && (!upper || Math.abs(upper.left - left) < 2 * Math.max(1, height));
    });

  return {
    rows,
    turn: (next: Omit<Place, 'box'>): void => {
      sheet = next;
      last = null;
    },
    head: (next: readonly Slot[], { spot }: PrintedRow): void => {
      [slots, last, isOpen, isSummed] = [next, spot, true, false];
    },
    add: (row: PrintedRow): void => {
      if (!slots || !sheet || !isOpen) return;
      const height = Math.max(1, row.spot.bottom - row.spot.top);
      const apart = last ? (row.spot.top - last.bottom) / height : null;
      if (apart !== null && apart > FAR) isOpen = false;
      if (!isOpen) return;
      const cells = cellsOf(row, slots, notation);
      if (isCarried(row.text)) {
        last = row.spot;
        return;
      }
      if (isSum(row, cells, columns)) {
        [isSummed, last] = [true, row.spot];
        return;
      }
      isOpen = !isSummed || isFull(cells, rows, columns);
      if (!isOpen) return;
      // On a page that repeats no heads, only what is a whole row is one until there was one.
      if (apart === null && !isComplete(cells)) return;
      if (isRow(cells)) rows.push({ cells, sheet });
      else if (rows.length > 0 && isContinued(cells, apart ?? FAR)) continueRow(cells);
      else return;
      [last, isSummed] = [row.spot, false];
    },
  };
};

const hasLetters = (read: Read | undefined): boolean => /\p{L}/u.test(read?.text ?? '');

const hasValue = (read: Read | undefined): boolean =>
  read !== undefined && read.value !== null && read.value !== '';

/** Whether cells have a value wherever the row before has one. */
const isFull = (
  cells: ReadRow['cells'],
  rows: readonly ReadRow[],
  columns: readonly OutputColumn[],
): boolean => {
  const before = rows.at(-1);
  return (
    before !== undefined &&
    columns.every((column) => !hasValue(before.cells.get(column)) || hasValue(cells.get(column)))
  );
};

const CARRIED =
  /\b(?:carried|brought) ?(?:forward|over)\b|^\W*(?:[uü]bertrag|fortsetzung|zwischensumme|continued|[aà] ?reporter|report\b|sous-total|dibawa ?ke|suma ?y ?sigue|suma ?anterior)/i;

const isCarried = (text: string): boolean => CARRIED.test(text);

/** Recognition leaves out blanks. */
const unspaced = (caption: string): string => caption.replaceAll(' ', '');

const SUMS = new Set(
  ['subtotal', 'tax', 'total', 'amount due', 'amount paid']
    .flatMap((name) => [name, ...synonymsOf({ name, label: null })])
    .map(unspaced),
);

/** Whether a row is captioned as a sum of others, and has no more numbers than it and a rate. */
const isSum = (row: PrintedRow, cells: ReadRow['cells'], columns: readonly OutputColumn[]): boolean => {
  const numbers = columns.filter((column) => !isFreeText(column.type) && hasValue(cells.get(column)));
  const caption = captionText(row.cells[0]?.text.replace(/[\d.,%()]+/g, ' ').replace(CURRENCY, ' ') ?? '');
  return numbers.length < 3 && SUMS.has(unspaced(caption));
};

const CURRENCY = /\b(?:EUR|USD|GBP|CHF|MYR|RM)\b|[€$£]/g;
