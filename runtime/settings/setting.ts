import type { Parser } from './parsers.ts';

/** One environment variable, with its text in docs/settings.md (Markdown). */
export type Setting<T, D extends string | null = string | null> = Readonly<{
  parse: Parser<T>;
  /** In the form of the environment; null: it may be unset. */
  default: D;
  /** What holds while it is unset. */
  unset: string;
  about: string;
  /** Its value gives access to something. */
  secret?: boolean;
  /** The setting without which this one has no effect, and is refused. */
  needs?: string;
}>;

/** A fault of one setting: which, and what to mend. */
export type SettingFault = Readonly<{ name: string; detail: string }>;

/** A setting with a default. */
export const setting = <T>(standard: string, parse: Parser<T>, about: string): Setting<T, string> => ({
  ...{ parse, default: standard, about },
  unset: standard === '' ? 'none' : `\`${standard}\``,
});

/** A setting without one; `unset` is what holds then. */
export const optional = <T>(
  unset: string,
  parse: Parser<T>,
  about: string,
  more: Pick<Setting<T>, 'secret' | 'needs'> = {},
): Setting<T, null> => ({ parse, default: null, unset, about, ...more });

/** Likewise, of a value that gives access to something. */
export const secret = <T>(unset: string, parse: Parser<T>, about: string): Setting<T, null> =>
  optional(unset, parse, about, { secret: true });
