import type { Clock } from '../kernel/clock.ts';
import { groupBy } from '../kernel/groupBy.ts';
import { SHORT } from './metrics/table.ts';
import { quantileOf } from './quantile.ts';

/**
 * What is counted for plots: requests, answers of 500 and more among them, sessions submitted, rounds of
 * processing that ended in a status, approvals and rejections, attempts of webhooks that succeeded and
 * failed.
 */
const counts = [
  'requests',
  'problems',
  'submissions',
  'processed',
  'decided',
  'deliveries',
  'failedDeliveries',
] as const;
type Counts = Readonly<Record<(typeof counts)[number], number>>;

/**
 * `durations`: how many requests took at most as long as each bound of the histogram, and at last how many
 * there are.
 */
export type Totals = Counts & Readonly<{ durations: readonly number[] }>;

/**
 * What holds of the whole service: the longest lag of a read model, the items of each queue. Null: not
 * measured.
 */
export type Gauges = Readonly<{
  lagSeconds: number | null;
  queues: Readonly<Record<string, number>> | null;
}>;

/** Before the first measurement. */
export const NOT_MEASURED: Gauges = { lagSeconds: null, queues: null };

/** What a process counted in one minute, which began `at`, and the largest values that it measured then. */
export type Minute = Totals & Gauges & Readonly<{ at: string }>;

/** A minute of all processes; null where none counted, or where there was no request. */
export type FigureOfMinute = Gauges &
  Readonly<Record<keyof Counts, number | null>> &
  Readonly<{ at: string; p50Seconds: number | null; p99Seconds: number | null }>;

const MINUTE_MS = 60_000;
/** How many minutes are kept. */
const MINUTES = 60;

/** The last 60 minutes by their beginnings, oldest first; the last one is the current one. */
const lastMinutes = (now: Date): readonly string[] => {
  const current = Math.floor(now.getTime() / MINUTE_MS);
  return Array.from({ length: MINUTES }, (_, n) =>
    new Date((current - MINUTES + 1 + n) * MINUTE_MS).toISOString(),
  );
};

const byCount = <T>(give: (name: keyof Counts) => T): Readonly<Record<keyof Counts, T>> =>
  Object.fromEntries(counts.map((name) => [name, give(name)])) as Record<keyof Counts, T>;

const NONE: Totals = { ...byCount(() => 0), durations: [] };

const plus = (one: Totals, other: Totals, sign: 1 | -1 = 1): Totals => ({
  ...byCount((name) => one[name] + sign * other[name]),
  durations: Array.from(
    { length: Math.max(one.durations.length, other.durations.length) },
    (_, n) => (one.durations[n] ?? 0) + sign * (other.durations[n] ?? 0),
  ),
});

/** The larger values of two measurements. */
const larger = (one: Gauges, other: Gauges): Gauges => ({
  lagSeconds: largest(one.lagSeconds, other.lagSeconds),
  queues: one.queues && other.queues ? longerQueues(one.queues, other.queues) : (one.queues ?? other.queues),
});

type Queues = NonNullable<Gauges['queues']>;

const longerQueues = (one: Queues, other: Queues): Queues =>
  Object.fromEntries(
    Object.entries({ ...one, ...other }).map(([name, items]) => [name, Math.max(items, one[name] ?? 0)]),
  );

const largest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/**
 * The figures of this process for the last hour, from its metrics. What was counted since the call before
 * belongs to the minute of the call: call it every few seconds.
 */
export const createFigures = (totals: () => Promise<Totals>, clock: Clock) => {
  let before = NONE;
  let minutes: readonly Minute[] = [];
  return async (gauges: Gauges): Promise<readonly Minute[]> => {
    const total = await totals();
    const last = lastMinutes(clock.now());
    const at = last.at(-1) ?? '';
    const known = minutes.find((minute) => minute.at === at);
    const added = plus(known ?? NONE, plus(total, before, -1));
    before = total;
    const others = minutes.filter((minute) => minute.at !== at && last.includes(minute.at));
    minutes = [...others, { at, ...added, ...larger(known ?? NOT_MEASURED, gauges) }];
    return minutes;
  };
};

/**
 * The figures of several processes as those of one: counts are added up, of what was measured the largest
 * counts.
 */
export const addFigures = (all: readonly (readonly Minute[])[], now: Date): readonly FigureOfMinute[] => {
  const given = groupBy(all.flat(), ({ at }) => at);
  return lastMinutes(now).map((at) => {
    const own = given.get(at) ?? [];
    const { durations, ...sum } = own.reduce<Totals>((total, minute) => plus(total, minute), NONE);
    return {
      at,
      ...(own.length === 0 ? byCount(() => null) : sum),
      p50Seconds: quantileOf(SHORT, durations, 0.5),
      p99Seconds: quantileOf(SHORT, durations, 0.99),
      ...own.reduce<Gauges>(larger, NOT_MEASURED),
    };
  });
};
