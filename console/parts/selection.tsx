import { useEffect, useRef, useState } from 'preact/hooks';
import type { Outcome } from '../app/each.ts';
import type { Pages } from '../app/pages.ts';
import { say, texts } from '../texts.ts';

const own = texts.selection;

type Named = Readonly<{ id: string; label: string }>;

/** `note`: why the last act on it was refused; empty where it was not begun, null where there was none. */
type Entry<R> = Readonly<{ row: R; note: string | null }>;

/** The rows of a list that a person has selected. */
export type Selection<R> = Readonly<{
  entries: readonly Entry<R>[];
  count: number;
  /** How many rows of the list are selected. */
  state: 'none' | 'some' | 'all';
  has(row: R): boolean;
  nameOf(row: R): string;
  /** Selects a row, or no longer; `isRange`: selects all from the last such row to it. */
  pick(row: R, isRange: boolean): void;
  /** Selects all rows of the list, or none. */
  pickAll(isOn: boolean): void;
  /** What was done is no longer selected; the rest of `acted` stays, also where the list has it no more. */
  settle(acted: readonly R[], outcome: Outcome<R>): void;
}>;

/**
 * The selection of a list. What is no longer in the list is no longer selected, unless an act on it was
 * refused.
 */
export const useSelection = <R extends Named>({
  rows,
  hasMore,
}: Pick<Pages<R>, 'rows' | 'hasMore'>): Selection<R> => {
  const [chosen, choose] = useState<ReadonlyMap<string, Entry<R>>>(new Map());
  const last = useRef('');
  const there = new Map(rows.map((row) => [row.id, row]));
  const now = new Map(
    [...chosen]
      .filter(([id, { note }]) => there.has(id) || note !== null)
      .map(([id, { row, note }]) => [id, { row: there.get(id) ?? row, note }]),
  );
  useEffect(() => {
    if (hasMore !== null && now.size < chosen.size)
      choose((before) => new Map([...before].filter(([id, { note }]) => now.has(id) || note !== null)));
  });
  const withAll = (more: readonly R[]): void =>
    choose(
      new Map([
        ...now,
        ...more.map((row): [string, Entry<R>] => [row.id, now.get(row.id) ?? { row, note: null }]),
      ]),
    );
  const pick = (row: R, isRange: boolean): void => {
    const [from, to] = [last.current, row.id].map((id) => rows.findIndex((one) => one.id === id));
    last.current = row.id;
    const isFrom = isRange && from !== undefined && to !== undefined && from >= 0;
    if (isFrom) withAll(rows.slice(Math.min(from, to), Math.max(from, to) + 1));
    else if (now.has(row.id)) choose(new Map([...now].filter(([id]) => id !== row.id)));
    else withAll([row]);
  };
  const settle = (acted: readonly R[], { done, refused }: Outcome<R>): void => {
    const reasons = new Map(refused.map(({ item, problem }) => [item.id, problem.detail]));
    const left = acted.filter((row) => !done.includes(row));
    const noted = left.map((row): [string, Entry<R>] => [row.id, { row, note: reasons.get(row.id) ?? '' }]);
    choose(
      (before) => new Map([...[...before].filter(([id]) => !acted.some((row) => row.id === id)), ...noted]),
    );
  };
  const isIn = rows.filter(({ id }) => now.has(id)).length;
  return {
    entries: [...now.values()],
    count: now.size,
    state: isIn === 0 ? 'none' : isIn < rows.length ? 'some' : 'all',
    has: ({ id }) => now.has(id),
    nameOf: ({ label }) => label,
    pick,
    pickAll: (isOn) => (isOn ? withAll(rows) : choose(new Map())),
    settle,
  };
};

type RowProps<R> = Readonly<{ selection: Selection<R>; row: R }>;

/** Selects a row. */
export function PickRow<R>({ selection, row }: RowProps<R>) {
  return (
    <input
      type="checkbox"
      aria-label={say(own.row, { name: selection.nameOf(row) })}
      checked={selection.has(row)}
      onClick={({ shiftKey }) => selection.pick(row, shiftKey)}
    />
  );
}

/** Selects all rows of a list that are read, or none. */
export function PickAll<R>({ selection: { state, pickAll } }: Omit<RowProps<R>, 'row'>) {
  return (
    <input
      type="checkbox"
      aria-label={own.all}
      checked={state === 'all'}
      indeterminate={state === 'some'}
      onClick={() => pickAll(state !== 'all')}
    />
  );
}
