import {
  type CellValue,
  type FieldResult,
  MAX_ROWS,
  type RowResult,
} from '../../domain/submission/processingResult.ts';
import { brokenLength } from '../../domain/textLengths.ts';
import type { OutputColumn, OutputField } from '../../domain/workflow.ts';
import { isFreeText, isNumeric } from '../../fieldTypes/all.ts';
import { groupBy } from '../../kernel/groupBy.ts';
import { matching } from '../../schemas/patterns.ts';
import type { FoundField } from '../extraction.ts';
import { boxAround, type Page } from '../page.ts';
import { DOUBTFUL, isIllegible, leastOf, legibility } from './candidate.ts';
import { kindOf } from './columnHeads.ts';
import { layoutOf } from './layout.ts';
import { losesMarks } from './lostMarks.ts';
import type { Notation } from './notation.ts';
import { synonymsOf } from './synonyms.ts';
import { type PrintedPage, type ReadRow, readRows } from './tableRows.ts';

/**
 * Prepares pages for the search of tables. What it returns finds the rows of a table, null when there are
 * none; `found` are the other fields: the sum of the rows is compared with those that are sums.
 */
export const tableFinder = (pages: readonly Page[], notation: Notation) => {
  const lines = pages.flatMap((page) => page.lines);
  const layout = layoutOf(lines);
  const isWithoutMarks = losesMarks(lines);
  const printed = [...groupBy(lines, ({ place }) => `${place.fileId} ${place.page}`).values()].map(
    (own): PrintedPage => ({
      sheet: sheetOf(own[0]?.place),
      cells: own.flatMap((line) => layout.cellsOf(line)),
    }),
  );
  return (field: OutputField, found: readonly FoundField[]): FieldResult | null => {
    const { columns = [] } = field;
    const rows = readRows(columns, printed, notation, MAX_ROWS);
    return rows.length === 0 ? null : resultOf(columns, rows, sumsIn(found), isWithoutMarks);
  };
};

/** The page that a line stands on. */
const sheetOf = (place: Page['lines'][number]['place'] | undefined): PrintedPage['sheet'] => {
  const { fileId = '', page = 1, size = null } = place ?? {};
  return { fileId, page, size };
};

/** How sure a cell is whose letters are: below its head; by a calculation that it is part of; against one. */
const [HEADED, PROVEN, REFUTED] = [0.92, 0.99, 0.6];
const INVALID = 0.4;
const AMBIGUOUS = 0.7;

const resultOf = (
  columns: readonly OutputColumn[],
  rows: readonly ReadRow[],
  sums: readonly number[],
  isWithoutMarks: boolean,
): FieldResult => {
  const balance = balanceOf(columns, rows, sums);
  const valid = validIn(columns, rows);
  const results = rows.map((row) => {
    const proof = proofOf(columns, row);
    const cells = columns.flatMap((column) => {
      const read = row.cells.get(column);
      if (!read || read.value === null || read.value === '') return [];
      const isProven =
        proof.proven.includes(column) || (balance.column === column && balance.isEven === true);
      const base = proof.refuted.includes(column) ? REFUTED : isProven ? PROVEN : HEADED;
      const likely = base * legibility(read.words) * (read.isDoubtful && !isProven ? AMBIGUOUS : 1);
      const isUnsure = isFreeText(column.type) && isIllegible(leastOf(read.words), read.text, isWithoutMarks);
      const most = valid(column, String(read.value)) ? (isUnsure ? DOUBTFUL : 1) : INVALID;
      const fitting = Math.min(most, likely);
      const confidence = round(balance.isEven === false ? Math.min(DOUBTFUL, fitting) : fitting);
      return [[column.name, { confidence, text: read.text, box: boxAround(read.words) }] as const];
    });
    const box = boxAround([...row.cells.values()].flatMap(({ words }) => words));
    return { place: { ...row.sheet, box }, cells: Object.fromEntries(cells) } satisfies RowResult;
  });
  return {
    value: rows.map((row) =>
      Object.fromEntries(columns.map((column) => [column.name, given(row.cells.get(column)?.value)])),
    ),
    confidence: weakest(columns, results),
    text: null,
    place: results[0]?.place ?? null,
    rows: results,
  };
};

/** The lowest confidence of required cells, of all where none is; 0 where a required one is missing. */
const weakest = (columns: readonly OutputColumn[], rows: readonly RowResult[]): number => {
  const required = columns.filter((column) => column.required);
  const all = rows.flatMap(({ cells }) =>
    required.length > 0
      ? required.map(({ name }) => cells[name]?.confidence ?? 0)
      : Object.values(cells).map(({ confidence }) => confidence),
  );
  return all.reduce((least, one) => Math.min(least, one), 1);
};

type Proof = Readonly<Record<'proven' | 'refuted', readonly OutputColumn[]>>;

/** Which columns of a row quantity times price prove to be right, or refute. */
const proofOf = (columns: readonly OutputColumn[], { cells }: ReadRow): Proof => {
  const of = (kind: string) => columns.find((column) => kindOf(column) === kind && isNumeric(column.type));
  const factors = [of('quantity'), of('price'), of('amount')];
  const values = factors.map((column) => column && cells.get(column)?.value);
  const [quantity, price, amount] = values;
  const all = factors.flatMap((column) => column ?? []);
  if (typeof quantity !== 'number' || typeof price !== 'number' || typeof amount !== 'number')
    return { proven: [], refuted: [] };
  const isRight = Math.abs(quantity * price - amount) <= HALF_CENT * Math.max(1, Math.abs(quantity)) + SLACK;
  return isRight ? { proven: all, refuted: [] } : { proven: [], refuted: all };
};

/** Half of a hundredth, by which each price may be rounded; and what binary fractions lose. */
const [HALF_CENT, SLACK] = [0.005, 1e-6];

/** Whether the amounts of all rows are one of the document's sums; null where it names none. */
const balanceOf = (columns: readonly OutputColumn[], rows: readonly ReadRow[], sums: readonly number[]) => {
  const column = columns.find((one) => kindOf(one) === 'amount' && isNumeric(one.type));
  if (!column || sums.length === 0) return { column: null, isEven: null };
  const sum = rows.reduce((before, { cells }) => before + Number(cells.get(column)?.value ?? 0), 0);
  return { column, isEven: sums.some((one) => Math.abs(one - sum) <= HALF_CENT + SLACK) };
};

/** The sums that were found: with and without tax, and one less the other. */
const sumsIn = (found: readonly FoundField[]): readonly number[] => {
  const of = (name: string): readonly number[] =>
    found.flatMap(({ field, result }) =>
      typeof result.value === 'number' && synonymsOf(field).includes(name) ? [result.value] : [],
    );
  const [totals, taxes] = [of('total'), of('tax')];
  return [...totals, ...of('subtotal'), ...totals.flatMap((total) => taxes.map((tax) => total - tax))];
};

/** Tells texts that keep the rules of their column. */
const validIn = (columns: readonly OutputColumn[], rows: readonly ReadRow[]) => {
  const kept = new Map(
    columns.flatMap((column) => {
      const pattern = column.validation?.pattern;
      if (pattern === undefined || !isFreeText(column.type)) return [];
      const texts = rows.map(({ cells }) => String(cells.get(column)?.value ?? ''));
      return [[column, new Set(matching(pattern, texts))] as const];
    }),
  );
  return (column: OutputColumn, text: string): boolean => {
    if (!isFreeText(column.type)) return true;
    return (kept.get(column)?.has(text) ?? true) && brokenLength(text, column.validation) === null;
  };
};

const given = (value: CellValue | undefined): CellValue => (value === '' ? null : (value ?? null));

const round = (value: number): number => Math.round(value * 1_000) / 1_000;
