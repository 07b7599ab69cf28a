import { seeded } from '../../test/nodes/random.ts';

/** Choices that the seed tells beforehand. */
export const luckOf = (seed: number) => {
  const { next, pick } = seeded(seed);
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    pick,
    /** From the least to the most. */
    whole,
    chance: (share: number): boolean => next() < share,
    digits: (count: number): string => Array.from({ length: count }, () => whole(0, 9)).join(''),
    /** A day, ISO 8601, between the first of one year and the end of October of another. */
    day: (first: number, last: number): string => {
      const [start, end] = [Date.UTC(first, 0, 1), Date.UTC(last, 9, 31)];
      return isoOf(start + Math.floor(next() * (end - start)));
    },
  };
};

export type Luck = ReturnType<typeof luckOf>;

/** The day so many days later. */
export const daysAfter = (iso: string, days: number): string => isoOf(Date.parse(iso) + days * 86_400_000);

const isoOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
