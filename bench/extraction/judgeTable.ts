import type { OutputColumn, OutputField } from '../../domain/workflow.ts';
import { type Judged, judge } from './judge.ts';

/** A row as its truth has it, or as it was found. */
export type Cells = Readonly<Record<string, unknown>>;
type Confidences = readonly Readonly<Record<string, number>>[];

/**
 * Judges a table a cell at a time, as fields named `items.amount`: rows are compared with those of the truth
 * that they are likest to, in order. Cells of a missing row are missing, those of one too many wrong.
 */
export const judgeTable = (
  { name, columns = [] }: OutputField,
  found: readonly Cells[],
  truth: readonly Cells[],
  confidences: Confidences,
): readonly Judged[] => {
  const known = columns.filter((column) => truth.some((row) => row[column.name] !== undefined));
  return aligned(known, found, truth).flatMap(([at, to]) =>
    known.map((column): Judged => {
      const [own, other] = [found[at ?? -1]?.[column.name], truth[to ?? -1]?.[column.name]];
      const confidence = confidences[at ?? -1]?.[column.name] ?? 0;
      return {
        ...judge(column, own ?? null, String(other ?? ''), confidence),
        field: `${name}.${column.name}`,
      };
    }),
  );
};

type Pair = readonly [found: number | null, truth: number | null];

/** Pairs of rows in order with the fewest cells that differ; a row without another is paired with none. */
const aligned = (
  columns: readonly OutputColumn[],
  found: readonly Cells[],
  truth: readonly Cells[],
): readonly Pair[] => {
  const differing = (one: Cells, other: Cells): number =>
    columns.filter((column) => !judge(column, one[column.name], String(other[column.name] ?? ''), 0).exact)
      .length;
  const costs: number[][] = [];
  const cost = (at: number, to: number): number => costs[at]?.[to] ?? Number.POSITIVE_INFINITY;
  for (let at = found.length; at >= 0; at -= 1) {
    costs[at] = [];
    for (let to = truth.length; to >= 0; to -= 1) {
      const [one, other] = [found[at], truth[to]];
      const both = one && other ? differing(one, other) + cost(at + 1, to + 1) : Number.POSITIVE_INFINITY;
      const alone = Math.min(cost(at + 1, to), cost(at, to + 1)) + columns.length;
      (costs[at] as number[])[to] = one || other ? Math.min(both, alone) : 0;
    }
  }
  const pairs: Pair[] = [];
  for (let [at, to] = [0, 0]; at < found.length || to < truth.length; ) {
    const [one, other] = [found[at], truth[to]];
    if (one && other && cost(at, to) === differing(one, other) + cost(at + 1, to + 1)) {
      pairs.push([at, to]);
      [at, to] = [at + 1, to + 1];
    } else if (one && cost(at, to) === cost(at + 1, to) + columns.length) {
      pairs.push([at, null]);
      at += 1;
    } else {
      pairs.push([null, to]);
      to += 1;
    }
  }
  return pairs;
};
