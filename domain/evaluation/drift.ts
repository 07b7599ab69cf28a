import { groupBy } from '../../kernel/groupBy.ts';
import type { Checked } from './checked.ts';
import { type Interval, intervalOf, upperBound } from './intervals.ts';

/** An approval; `checked`: what a person's one says of the values, absent where it says nothing of them. */
export type Approval = Readonly<{
  createdAt: string;
  slug: string;
  outcome: 'approved' | 'automatic';
  checked?: Checked;
}>;

/** How many values people approved as they were read, and how many not; `correctedSure` is part of these. */
type Tally = Readonly<{ right: number; corrected: number; correctedSure: number }>;

export type WeekField = Tally & Readonly<{ field: string; rightShare: Interval | null; isDrifting: boolean }>;

/** A week (its Monday) of a workflow: what was approved, and what people made of the values. */
export type Week = Readonly<{
  week: string;
  workflow: string;
  approved: number;
  approvedAutomatically: number;
  automaticShare: Interval | null;
  rightShare: Interval | null;
  fields: readonly WeekField[];
}>;

/** A field that is read worse from a week on: the share that was right before, and since. */
export type Drift = Readonly<{
  workflow: string;
  field: string;
  since: string;
  before: Interval;
  after: Interval;
}>;

const DAY_MS = 86_400_000;

/** The Monday of the ISO week (UTC) in which a day or a time is. */
export const weekOf = (at: string): string => {
  const day = Date.parse(`${at.slice(0, 10)}T00:00:00.000Z`);
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return new Date(day - sinceMonday * DAY_MS).toISOString().slice(0, 10);
};

/**
 * The weeks in which days are, oldest first, each for every workflow with an approval, and the fields that
 * drift. In a week a field drifts where its interval of wrong values lies wholly above that of all the weeks
 * before it (figures-7); it drifts still where all since then together do.
 */
export const weeksOf = (
  approvals: readonly Approval[],
  days: readonly string[],
): Readonly<{ weeks: readonly Week[]; drifts: readonly Drift[] }> => {
  const weeks = [...new Set(days.map(weekOf))];
  const workflows = [...groupBy(approvals, ({ slug }) => slug)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([workflow, own]) => workflowOf(workflow, own, weeks));
  return {
    weeks: weeks.flatMap((_, n) => workflows.flatMap((one) => one.weeks[n] ?? [])),
    drifts: workflows.flatMap((one) => one.drifts),
  };
};

const workflowOf = (workflow: string, approvals: readonly Approval[], weeks: readonly string[]) => {
  const byWeek = groupBy(approvals, ({ createdAt }) => weekOf(createdAt));
  const own = weeks.map((week) => byWeek.get(week) ?? []);
  const tallies = own.map(talliesOf);
  const names = [...new Set(tallies.flatMap((week) => [...week.keys()]))].sort();
  const series = new Map(names.map((name) => [name, tallies.map((week) => week.get(name) ?? NONE)]));
  return {
    weeks: own.map((some, n) => ({
      ...{ week: weeks[n] ?? '', workflow },
      ...automaticOf(some),
      rightShare: rightOf([...(tallies[n]?.values() ?? [])]),
      fields: [...series].flatMap(([field, all]) => {
        const { [n]: tally = NONE } = all;
        const rightShare = rightOf([tally]);
        return rightShare
          ? { field, ...tally, rightShare, isDrifting: isWorse([tally], all.slice(0, n)) }
          : [];
      }),
    })),
    drifts: [...series].flatMap(([field, all]) => {
      const from = all.findIndex(
        (tally, n) => isWorse([tally], all.slice(0, n)) && isWorse(all.slice(n), all.slice(0, n)),
      );
      const { [from]: since } = weeks;
      const [before, after] = [rightOf(all.slice(0, from)), rightOf(all.slice(from))];
      return since && before && after ? { workflow, field, since, before, after } : [];
    }),
  };
};

const automaticOf = (approvals: readonly Approval[]) => {
  const approved = approvals.filter(({ outcome }) => outcome === 'approved').length;
  const approvedAutomatically = approvals.length - approved;
  const automaticShare = intervalOf(approvedAutomatically, approvals.length);
  return { approved, approvedAutomatically, automaticShare };
};

const NONE: Tally = { right: 0, corrected: 0, correctedSure: 0 };

/** What people made of the values of each field. */
const talliesOf = (approvals: readonly Approval[]): ReadonlyMap<string, Tally> => {
  const tallies = new Map<string, { -readonly [Result in keyof Tally]: number }>();
  for (const { checked } of approvals)
    for (const result of ['right', 'corrected', 'correctedSure'] as const)
      for (const field of checked?.[result] ?? []) {
        const tally = tallies.get(field) ?? { ...NONE };
        tally[result] += 1;
        tallies.set(field, tally);
      }
  return tallies;
};

/** How many values were right, and of how many. */
const countOf = (tallies: readonly Tally[]): readonly [right: number, total: number] => {
  const right = tallies.reduce((sum, tally) => sum + tally.right, 0);
  return [right, tallies.reduce((sum, { corrected }) => sum + corrected, right)];
};

const rightOf = (tallies: readonly Tally[]): Interval | null => intervalOf(...countOf(tallies));

/** What is left out on one side of an interval. */
const ALPHA = 0.025;

/**
 * Whether more are wrong than before: the intervals are apart, also by the exact bound. Of a few values one
 * wrong one would set Wilson's apart.
 */
const isWorse = (tallies: readonly Tally[], before: readonly Tally[]): boolean => {
  const [now, then] = [rightOf(tallies), rightOf(before)];
  return (
    now !== null && then !== null && now.to < then.from && upperBound(...countOf(tallies), ALPHA) < then.from
  );
};
