/** The times that are offered for a review that is put off; `own`: another one. */
const LATER = ['hour', 'tomorrow', 'monday', 'own'] as const;
export type Later = (typeof LATER)[number];
/** When each of them is (ISO 8601). */
type Times = Readonly<Record<Exclude<Later, 'own'>, string>>;

/** Those that differ: where tomorrow is a Monday it is offered once. */
export const offeredOf = (times: Times): readonly Later[] =>
  LATER.filter((name) => name !== 'monday' || times.monday !== times.tomorrow);

/** Whether a review is put off now: the time up to which it was may have passed. */
export const isPutOff = <P extends Readonly<{ until: string }>>(postponed: P | null): postponed is P =>
  postponed !== null && Date.parse(postponed.until) > Date.now();

const HOUR_MS = 3_600_000;
/** When work begins. */
const BEGINS_AT = 8;

/** When those times are, in UTC or the zone of this machine. */
export const timesFrom = (now: Date, isUtc: boolean): Times => {
  const [year, month, day, weekday] = isUtc
    ? [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), now.getUTCDay()]
    : [now.getFullYear(), now.getMonth(), now.getDate(), now.getDay()];
  const morning = (days: number): string => {
    const parts = [year, month, day + days, BEGINS_AT] as const;
    return new Date(isUtc ? Date.UTC(...parts) : new Date(...parts)).toISOString();
  };
  return {
    hour: new Date(now.getTime() + HOUR_MS).toISOString(),
    tomorrow: morning(1),
    monday: morning((8 - weekday) % 7 || 7),
  };
};
