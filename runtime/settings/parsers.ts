import type { SettingName } from './names.ts';

/** A fault of one setting: which, and what to mend. */
export type SettingFault = Readonly<{ name: string; detail: string }>;

/** Reads settings one by one and collects every fault, so that all can be told at once. */
export type Reader = Readonly<{
  text<T extends string | null>(name: SettingName, fallback: T): string | T;
  choice<T extends string>(name: SettingName, values: readonly T[], fallback: T): T;
  integer(name: SettingName, fallback: number, least: number, most: number): number;
  url<T extends string | null>(name: SettingName, fallback: T): string | T;
  duration(name: SettingName, fallback: string): number;
  durations(name: SettingName, fallback: string): readonly number[];
  origins(name: SettingName): ReadonlySet<string>;
  key(name: SettingName): Buffer | null;
  fault(name: SettingName, detail: string): void;
  readonly faults: readonly SettingFault[];
}>;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `250ms`, `30s`, `5m`, `24h` or `90d`; null for anything else. */
export const parseDuration = (text: string): number | null => {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? null : Number(amount) * (UNITS[unit] ?? 0);
};

/** A reader of `environment`; an empty value counts as unset. */
export const settingsReader = (environment: Readonly<Record<string, string | undefined>>): Reader => {
  const faults: SettingFault[] = [];
  const fault = (name: SettingName, detail: string): void => void faults.push({ name, detail });
  const given = (name: SettingName): string | null => environment[name] || null;

  const parsed = <T>(
    name: SettingName,
    fallback: T,
    detail: string,
    parse: (text: string) => T | null,
  ): T => {
    const text = given(name);
    if (text === null) return fallback;
    const value = parse(text);
    if (value === null) fault(name, detail);
    return value ?? fallback;
  };
  const duration = (name: SettingName, fallback: string): number =>
    parsed(
      name,
      parseDuration(fallback) ?? 0,
      'must be a time such as 250ms, 30s, 5m, 24h or 90d',
      parseDuration,
    );

  return {
    faults,
    fault,
    text: (name, fallback) => given(name) ?? fallback,
    choice: <T extends string>(name: SettingName, values: readonly T[], fallback: T): T =>
      parsed(
        name,
        fallback,
        `must be one of ${values.join(', ')}`,
        (text) => values.find((value) => value === text) ?? null,
      ),
    integer: (name, fallback, least, most) =>
      parsed(name, fallback, `must be a whole number from ${least} to ${most}`, (text) => {
        const value = Number(text);
        return /^\d{1,15}$/.test(text) && value >= least && value <= most ? value : null;
      }),
    url: <T extends string | null>(name: SettingName, fallback: T): string | T =>
      parsed<string | T>(
        name,
        fallback,
        'must be an http:// or https:// address without ? or #, and without credentials',
        // Addresses are told to others, and stand in the log.
        (text) =>
          /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(text) && URL.canParse(text)
            ? text.replace(/\/+$/, '')
            : null,
      ),
    duration,
    durations: (name, fallback) =>
      parsed(name, listOf(fallback) ?? [], 'must be times such as 30s,5m,30m', listOf),
    origins: (name) => {
      const entries = (given(name) ?? '').split(',').map((part) => part.trim());
      const found = entries.filter((entry) => entry !== '');
      for (const entry of found.filter((one) => !isOrigin(one)))
        fault(
          name,
          `must be origins such as https://admin.example.com,…, without a path: ${JSON.stringify(entry)} is none`,
        );
      return new Set(found);
    },
    key: (name) =>
      parsed<Buffer | null>(name, null, 'must be 32 bytes in base64 (openssl rand -base64 32)', (text) => {
        const bytes = Buffer.from(text, 'base64');
        // Node skips what is not base64: a key with a slip of the pen must not become another key.
        return bytes.length === 32 && bytes.toString('base64') === text ? bytes : null;
      }),
  };
};

/** As a browser writes it: no path, no default port, nothing that `new URL` would write otherwise. */
const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

const listOf = (text: string): readonly number[] | null => {
  const times = text.split(',').map((part) => parseDuration(part.trim()));
  return times.every((time) => time !== null) ? times : null;
};
