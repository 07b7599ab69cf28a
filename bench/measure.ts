/** Microseconds for each operation, elapsed and of processor time. */
export type Cost = Readonly<{ elapsed: number; cpu: number }>;

/** A ratio of subject to yardstick that should be at least `goal` (null: none). */
type Line = Readonly<{
  what: string;
  yardstick: Cost;
  subject: Cost;
  ratio: number;
  cpuRatio: number;
  goal: number | null;
}>;

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
  what: string,
  goal: number | null,
  rounds: number,
  yardstick: (round: number) => Promise<Cost>,
  subject: (round: number) => Promise<Cost>,
): Promise<Line> => {
  const pairs: Readonly<{ a: Cost; b: Cost }>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { a: await yardstick(round), b: await subject(round) };
    if (round > 0) pairs.push(pair);
  }
  const middle = (pick: (pair: Readonly<{ a: Cost; b: Cost }>) => number): number => median(pairs.map(pick));
  return {
    what,
    goal,
    yardstick: { elapsed: middle(({ a }) => a.elapsed), cpu: middle(({ a }) => a.cpu) },
    subject: { elapsed: middle(({ b }) => b.elapsed), cpu: middle(({ b }) => b.cpu) },
    ratio: middle(({ a, b }) => a.elapsed / b.elapsed),
    cpuRatio: middle(({ a, b }) => a.cpu / b.cpu),
  };
};

/** Prints the lines as a table; whether every goal was reached, by elapsed or by processor time. */
export const report = (lines: readonly Line[], judge: 'elapsed' | 'cpu' = 'elapsed'): boolean => {
  const reached = ({ ratio, cpuRatio, goal }: Line): boolean =>
    goal === null || (judge === 'cpu' ? cpuRatio : ratio) >= goal;
  const perSecond = ({ elapsed }: Cost): string => Math.round(1_000_000 / elapsed).toLocaleString('en');
  const rows = lines.map((line) => [
    line.what,
    perSecond(line.yardstick),
    perSecond(line.subject),
    line.ratio.toFixed(2),
    line.cpuRatio.toFixed(2),
    line.goal?.toFixed(2) ?? '-',
    line.goal === null ? '' : reached(line) ? 'reached' : 'MISSED',
  ]);
  const head = ['', 'yardstick/s', 'ours/s', 'ratio', 'of CPU time', 'goal', ''];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows])
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`);
  return lines.every(reached);
};

/** The middle one of values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
