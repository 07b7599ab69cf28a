import { locale, say, texts } from '../texts.ts';

const NUMBER = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** A number as people read it: `12,345`, `0.3`. */
export const number = (value: number): string => NUMBER.format(value);

/** A duration in the unit that fits it. */
export const duration = (seconds: number): string => {
  const { milliseconds, seconds: inSeconds, minutes, hours } = texts.units;
  if (seconds === 0) return say(inSeconds, { value: '0' });
  if (seconds < 1) return say(milliseconds, { value: number(Math.max(0.1, seconds * 1_000)) });
  if (seconds < 120) return say(inSeconds, { value: number(seconds) });
  return seconds < 7_200
    ? say(minutes, { value: number(seconds / 60) })
    : say(hours, { value: number(seconds / 3_600) });
};
