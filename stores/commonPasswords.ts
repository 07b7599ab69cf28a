/** How many of the list count, which begins with the most common ones. */
const COUNTED = 10_000;

/** Loaded with the first password that somebody chooses: most processes set none. */
const loadCommon = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary.passwords.slice(0, COUNTED));
};

let common: Promise<ReadonlySet<string>> | null = null;

/** Whether a password, given in lower case, is one of the 10,000 most common ones. */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  common ??= loadCommon();
  return (await common).has(password);
};
