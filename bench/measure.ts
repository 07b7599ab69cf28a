import type { Plot } from '../http/engine/plot.ts';
/** Microseconds for each operation, elapsed and of processor time. */
export type Cost = Readonly<{ elapsed: number; cpu: number }>;

/** What is measured, and what it should come to: `goal` at least, or at most (null: only to be known). */
export type Goal = Readonly<{
  /** Its row in docs/performance.md, such as P3. */
  figure: string;
  what: string;
  yardstick: string;
  goal: number | null;
  isAtMost?: boolean;
  /** Of goal and value, such as ms; a ratio has none. */
  unit?: string;
}>;

/** What a bench found of a goal; without a value `detail` says why it was skipped. */
export type Row = Goal &
  Readonly<{ value: number | null; reached: boolean | null; detail: string; plot?: Plot }>;

/** A bench: a line for the help; `run` measures, and prints what is not in its rows. */
export type Bench = Readonly<{ summary: string; run(options: readonly string[]): Promise<readonly Row[]> }>;

/** Judges a value by its goal. */
export const judge = (goal: Goal, value: number, detail = ''): Row => ({
  ...{ ...goal, value, detail },
  reached: goal.goal === null ? null : goal.isAtMost ? value <= goal.goal : value >= goal.goal,
});

/** The row of a goal that can't be measured here. */
export const skipped = (goal: Goal, reason: string): Row => ({
  ...goal,
  ...{ value: null, reached: null, detail: reason },
});

/** Does `body` and gives what each of its `operations` cost. */
export const cost = async (operations: number, body: () => void | Promise<void>): Promise<Cost> => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await body();
  const elapsed = ((performance.now() - start) * 1_000) / operations;
  const { user, system } = process.cpuUsage(cpu);
  return { elapsed, cpu: (user + system) / operations };
};

/**
 * Measures a yardstick and a subject in turns (A B A B …), after one round to warm up, and gives the medians
 * of both and of the rounds' ratios: a machine's pace changes from minute to minute, and both sides of a
 * round share it.
 */
export const compare = async (
  { by, ...goal }: Goal & Readonly<{ by: keyof Cost }>,
  rounds: number,
  yardstick: (round: number) => Promise<Cost>,
  subject: (round: number) => Promise<Cost>,
): Promise<Row> => {
  const pairs: Readonly<{ a: Cost; b: Cost }>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { a: await yardstick(round), b: await subject(round) };
    if (round > 0) pairs.push(pair);
  }
  const ratio = (of: keyof Cost): number => median(pairs.map(({ a, b }) => a[of] / b[of]));
  const middle = (side: 'a' | 'b', of: keyof Cost): string =>
    median(pairs.map((pair) => pair[side][of])).toFixed(1);
  const detail = [
    `${middle('b', 'cpu')} µs of processor time against ${middle('a', 'cpu')}`,
    `${middle('b', 'elapsed')} µs elapsed against ${middle('a', 'elapsed')}`,
    by === 'cpu' ? `elapsed ${ratio('elapsed').toFixed(2)}` : `processor time ${ratio('cpu').toFixed(2)}`,
  ];
  return judge(goal, ratio(by), detail.join(', '));
};

/** The rows as a table. */
export const tableOf = (rows: readonly Row[]): string => {
  const head = ['', 'what', 'goal', 'figure', '', 'yardstick', 'detail'];
  const lines = [head, ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** What a table shows of a row: figure, what, goal, value, whether it was reached, yardstick, detail. */
export const cellsOf = (row: Row): readonly string[] => {
  const { figure, what, goal, isAtMost, value, reached, yardstick, detail } = row;
  const unit = row.unit === undefined ? '' : ` ${row.unit}`;
  const bound = goal === null ? '-' : `${isAtMost ? '≤' : '≥'} ${amount(goal)}${unit}`;
  const state = reached === null ? '' : reached ? 'reached' : 'MISSED';
  const note = value === null && reached === null ? `skipped: ${detail}` : detail;
  return [figure, what, bound, value === null ? '-' : amount(value) + unit, state, yardstick, note];
};

const amount = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);

/** The middle one of values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
