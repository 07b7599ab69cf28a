import { language } from '../texts.ts';

const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const RELATIVE = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

const UNITS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
] as const;

/** A time of the service (ISO 8601) in the person's own time zone. */
export const whole = (at: string): string => WHOLE.format(new Date(at));

/** How long ago a time is, or how far ahead, for a week; then the date. */
const relative = (at: string): string => {
  let distance = (new Date(at).getTime() - Date.now()) / 1_000;
  for (const [unit, next] of UNITS) {
    if (Math.abs(distance) < next) return RELATIVE.format(Math.round(distance), unit);
    distance /= next;
  }
  return SHORT.format(new Date(at));
};

/** A time, with the whole of it for whoever points at it. */
export const When = ({ at, exact = false }: Readonly<{ at: string; exact?: boolean }>) => (
  <time dateTime={at} title={whole(at)}>
    {exact ? whole(at) : relative(at)}
  </time>
);
