/**
 * The cron pattern (six fields, the first one seconds) that comes every `ms` milliseconds, evenly and for ever; null when there is none. A
 * pattern begins anew with each minute and hour, so the time must be a whole part of one of them.
 */
export const cronPattern = (ms: number): string | null => {
  const seconds = ms / 1_000;
  if (dividesSixty(seconds)) return `*/${seconds} * * * * *`;
  if (dividesSixty(seconds / 60)) return `0 */${seconds / 60} * * * *`;
  return seconds === 3_600 ? '0 0 * * * *' : null;
};

const dividesSixty = (count: number): boolean => Number.isInteger(count) && count < 60 && 60 % count === 0;
