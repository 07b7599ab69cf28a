import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { modelFiles } from '../../processing/read/ocr/modelFiles.ts';
import { isCron, type Schedule } from '../../reactors/engine/schedule.ts';

/** The value of a setting's text; null once `refuse` has been called with what the text must be. */
export type Parser<T> = (text: string, refuse: (detail: string) => null) => T | null;

/** Any text. */
export const text: Parser<string> = (value) => value;

/** A text of a given form; `detail` says which. */
export const matching =
  (form: RegExp, detail: string): Parser<string> =>
  (value, refuse) =>
    form.test(value) ? value : refuse(detail);

/** One of these texts. */
export const oneOf =
  <T extends string>(...values: readonly T[]): Parser<T> =>
  (value, refuse) =>
    values.find((one) => one === value) ?? refuse(`must be one of ${values.join(', ')}`);

/** `true` or `false`. */
export const flag: Parser<boolean> = (value, refuse) =>
  value === 'true' || value === 'false' ? value === 'true' : refuse('must be one of true, false');

/** A whole number, both bounds included. */
export const integer =
  (min: number, max: number): Parser<number> =>
  (value, refuse) => {
    const number = Number(value);
    const isValid = /^\d{1,15}$/.test(value) && number >= min && number <= max;
    return isValid ? number : refuse(`must be a whole number from ${min} to ${max}`);
  };

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `250ms`, `30s`, `5m`, `24h` or `90d`; null for anything else. */
export const parseDuration = (value: string): number | null => {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value) ?? [];
  return amount === undefined || unit === undefined ? null : Number(amount) * (UNITS[unit] ?? 0);
};

/** The same as a text, in the largest unit that divides it. */
export const durationText = (ms: number): string => {
  const [unit = 'ms', of = 1] = Object.entries(UNITS).findLast(([, of]) => ms % of === 0) ?? [];
  return `${ms / of}${unit}`;
};

const isWithin = (ms: number, min: string, max: string): boolean =>
  ms >= (parseDuration(min) ?? 0) && ms <= (parseDuration(max) ?? 0);

/** Milliseconds within bounds that are written as a setting would be; `because` gives their reason. */
export const duration =
  ({ min = '0s', max, because = '' }: Readonly<{ min?: string; max: string; because?: string }>) =>
  (value: string, refuse: (detail: string) => null): number | null => {
    const ms = parseDuration(value);
    if (ms === null) return refuse('must be a time such as 250ms, 30s, 5m, 24h or 90d');
    if (isWithin(ms, min, max)) return ms;
    return refuse(`must be ${min === '0s' ? `at most ${max}` : `from ${min} to ${max}`}${because}`);
  };

/** Milliseconds, each of at most `max`. */
export const durations =
  (max: string): Parser<readonly number[]> =>
  (value, refuse) => {
    const times = value.split(',').map((part) => parseDuration(part.trim()));
    if (!times.every((time) => time !== null)) return refuse('must be times such as 30s,5m,30m');
    return times.every((time) => isWithin(time, '0s', max)) ? times : refuse(`must be at most ${max} each`);
  };

/** An interval from 1s to 1h, or a cron expression. */
export const schedule: Parser<Schedule> = (value, refuse) => {
  if (isCron(value)) return { cron: value };
  const everyMs = parseDuration(value);
  return everyMs !== null && isWithin(everyMs, '1s', '1h')
    ? { everyMs }
    : refuse('must be a time from 1s to 1h, such as 10s, or a cron expression in UTC, such as "*/5 * * * *"');
};

/**
 * An HTTP address without its last slashes. It is given to others and logged: it must hold no credentials.
 */
export const url: Parser<string> = (value, refuse) =>
  /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(value) && URL.canParse(value)
    ? value.replace(/\/+$/, '')
    : refuse('must be an http:// or https:// address without ? or #, and without credentials');

/** The same without a path. */
export const urlWithoutPath: Parser<string> = (value, refuse) => {
  const parsed = url(value, refuse);
  if (parsed === null || new URL(parsed).pathname === '/') return parsed;
  return refuse('must have no path: upload addresses are signed without one');
};

/** An address or a host name to listen on. */
export const host: Parser<string> = (value, refuse) =>
  isIP(value) !== 0 || /^[\w-]+(\.[\w-]+)*$/.test(value)
    ? value
    : refuse('must be an address or a name of this machine, such as 127.0.0.1, 0.0.0.0 or ::1');

/** Origins of pages, separated by commas. */
export const origins: Parser<ReadonlySet<string>> = (value, refuse) => {
  const entries = value.split(',').map((part) => part.trim());
  const found = entries.filter((entry) => entry !== '');
  const wrong = found.filter((entry) => !isOrigin(entry));
  for (const entry of wrong)
    refuse(
      `must be origins such as https://admin.example.com,…, without a path: ${JSON.stringify(entry)} is not`,
    );
  return wrong.length === 0 ? new Set(found) : null;
};

/** As a browser writes it: no path, no default port, nothing that `new URL` would write otherwise. */
const isOrigin = (value: string): boolean =>
  /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;

/** 32 bytes in base64. Node skips what is not base64: a mistyped key must not become another key. */
export const key: Parser<Buffer> = (value, refuse) => {
  const bytes = Buffer.from(value, 'base64');
  const isValid = bytes.length === 32 && bytes.toString('base64') === value;
  return isValid ? bytes : refuse('must be 32 bytes in base64 (openssl rand -base64 32)');
};

/** Host names with their addresses. */
export const resolveMap: Parser<ReadonlyMap<string, readonly string[]>> = (value, refuse) => {
  const map = new Map<string, string[]>();
  for (const pair of value.split(',').filter(Boolean)) {
    const [name, address, more] = pair.split('=').map((part) => part.trim());
    if (!name || !address || more !== undefined || !isIP(address))
      return refuse('must be host=address pairs such as example.com=127.0.0.1,…');
    map.set(name.toLowerCase(), [...(map.get(name.toLowerCase()) ?? []), address]);
  }
  return map;
};

/**
 * The certificate (PEM) in a file. One that can't be used is better refused now than at the first webhook.
 */
export const certificate: Parser<string> = (path, refuse) => {
  const named = (reason: string): null =>
    refuse(`must name a file with a certificate in PEM form: ${reason}`);
  try {
    const pem = readFileSync(path, 'utf8');
    return pem.includes('-----BEGIN CERTIFICATE-----') && new X509Certificate(pem)
      ? pem
      : named('it is not one');
  } catch (error) {
    return named((error as Error).message);
  }
};

/** A folder with models that pages are read with. One that can't be used is refused before a page waits. */
export const modelFolder: Parser<string> = (path, refuse) => {
  try {
    modelFiles(path);
    return resolve(path);
  } catch (error) {
    return refuse(`must name a folder with models and their checksums: ${(error as Error).message}`);
  }
};

const HOSTS = String.raw`[\w.-]+(:\d{1,5})?|\[[\da-fA-F:.]+\](:\d{1,5})?`;

/**
 * A connection string of MongoDB. No fault repeats it: a password may be in it. An @ after the hosts comes
 * from a password that is not encoded, whose start looks like a host and whose end looks like an option.
 */
export const mongoConnectionString: Parser<string> = matching(
  new RegExp(`^mongodb(\\+srv)?://([^\\s@/?#]+@)?(${HOSTS})(,(${HOSTS}))*(/[^\\s?#@]*)?(\\?[^\\s#@]*)?$`),
  'must be mongodb:// or mongodb+srv://, perhaps user:password@ (percent-encoded), one or more host:port, and perhaps options',
);
