import { useStore } from '../app/store.ts';
import { zone, zoneName } from '../app/zone.ts';
import { locale } from '../texts.ts';

const formatOf = (timeStyle: 'long' | 'medium' | 'short') =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle, timeZone: zoneName() });
const formats = () => ({
  named: formatOf('long'),
  whole: formatOf('medium'),
  short: formatOf('short'),
  minute: new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: zoneName() }),
});
let now = formats();
zone.subscribe(() => {
  now = formats();
});

const RELATIVE = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const UNITS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
] as const;

/** A time of the service (ISO 8601) in the zone that is chosen. */
export const whole = (at: string): string => now.whole.format(new Date(at));

/** The hour and minute of a time in the zone that is chosen. */
export const minuteOf = (at: string): string => now.minute.format(new Date(at));

const DATES = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of the service (YYYY-MM-DD), which begins and ends in UTC. */
export const dayOf = (date: string): string => DATES.format(new Date(date));

/** How long ago a time is, or how far ahead, for a week; then the date. */
const relative = (at: string): string => {
  let distance = (new Date(at).getTime() - Date.now()) / 1_000;
  for (const [unit, next] of UNITS) {
    if (Math.abs(distance) < next) return RELATIVE.format(Math.round(distance), unit);
    distance /= next;
  }
  return now.short.format(new Date(at));
};

/** A time, with the whole of it and its zone for whoever points at it. */
export const When = ({ at, exact = false }: Readonly<{ at: string; exact?: boolean }>) => {
  useStore(zone);
  return (
    <time dateTime={at} title={now.named.format(new Date(at))}>
      {exact ? whole(at) : relative(at)}
    </time>
  );
};
