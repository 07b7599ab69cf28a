import { once } from '../kernel/once.ts';

/** How many of the list count, which begins with the most common ones. */
const COUNTED = 10_000;

/** Loaded with the first password that somebody chooses: most processes set none. */
const common = once(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary.passwords.slice(0, COUNTED));
});

/** Whether a password, given in lower case, is one of the 10,000 most common ones. */
export const isCommonPassword = async (password: string): Promise<boolean> => (await common()).has(password);
