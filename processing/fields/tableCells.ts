import type { CellValue } from '../../domain/submission/processingResult.ts';
import type { OutputColumn } from '../../domain/workflow.ts';
import { isFreeText } from '../../fieldTypes/all.ts';
import { textOf, type Word } from '../page.ts';
import { parseAmount } from './amounts.ts';
import type { Cell } from './layout.ts';
import type { Notation } from './notation.ts';
import { convert } from './readings.ts';
import type { PrintedRow, Slot } from './tableHead.ts';

/** A value of a row with the words that it was read from. */
export type Read = Readonly<{
  value: CellValue;
  isDoubtful: boolean;
  text: string;
  words: readonly Word[];
  left: number;
}>;

/** The values of a printed row by column; what stands in none of the table's columns is left out. */
export const cellsOf = (row: PrintedRow, slots: readonly Slot[], notation: Notation) => {
  const parts = new Map<OutputColumn, Cell['parts'][number][]>();
  for (const cell of row.cells)
    for (const { slot, own } of divided(cell, slots, notation))
      if (slot.column) parts.set(slot.column, [...(parts.get(slot.column) ?? []), ...own]);
  return new Map<OutputColumn, Read>(
    [...parts].map(([column, own]) => [column, readOf(column, own, notation)]),
  );
};

const readOf = (column: OutputColumn, parts: Cell['parts'], notation: Notation): Read => {
  const words = parts.map(({ word }) => word);
  const text = textOf(words);
  const { value, isDoubtful } = convert(column, text, notation);
  const left = Math.min(...parts.map(({ spot }) => spot.left));
  return { value: Array.isArray(value) ? null : (value as CellValue), isDoubtful, text, words, left };
};

type Share = Readonly<{ slot: Slot; own: Cell['parts'] }>;

/** A cell in its column; one over several columns word by word. */
const divided = (cell: Cell, slots: readonly Slot[], notation: Notation): readonly Share[] => {
  const over = slots.filter(({ spot }) => spot.left < cell.spot.right && spot.right > cell.spot.left);
  if (over.length < 2 || cell.parts.length < 2) {
    const slot = nearest(cell.spot, cell.text, slots, notation);
    return slot ? [{ slot, own: cell.parts }] : [];
  }
  return cell.parts.flatMap((part): readonly Share[] => {
    const slot = nearest(part.spot, part.word.text, over, notation);
    return slot ? [{ slot, own: [part] }] : [];
  });
};

/** The slot that a text is likeliest in: near it, and of a type that the text has. */
const nearest = (
  spot: Slot['spot'],
  text: string,
  slots: readonly Slot[],
  notation: Notation,
): Slot | null => {
  const height = Math.max(1, spot.bottom - spot.top);
  const isNumber = parseAmount(text) !== null;
  const cost = (slot: Slot): number => {
    const apart = Math.max(0, slot.spot.left - spot.right, spot.left - slot.spot.right) / height;
    const common = Math.min(slot.spot.right, spot.right) - Math.max(slot.spot.left, spot.left);
    const own = Math.max(0, common) / Math.max(1, spot.right - spot.left);
    return apart - own + misfit(slot, text, isNumber, notation);
  };
  return (
    slots.reduce<Readonly<{ slot: Slot; cost: number }> | null>((best, slot) => {
      const own = cost(slot);
      return best && best.cost <= own ? best : { slot, cost: own };
    }, null)?.slot ?? null
  );
};

const misfit = ({ column }: Slot, text: string, isNumber: boolean, notation: Notation): number => {
  if (!column) return UNKNOWN;
  if (isFreeText(column.type)) return isNumber ? UNLIKELY : 0;
  return convert(column, text, notation).value === null ? WRONG : 0;
};

/** In heights of a text, how far away another column may be that fits better. */
const [UNKNOWN, UNLIKELY, WRONG] = [0.2, 1, 8];
