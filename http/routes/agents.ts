/**
 * Products by a word of the header that only they send; the first that occurs. Others send the later words
 * too.
 */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iOS'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const named = (table: readonly (readonly [word: string, name: string])[], header: string): string | null =>
  table.find(([word]) => header.includes(word))?.[1] ?? null;

/**
 * The browser family and the system of a `User-Agent` header, such as `Firefox on Linux`, or the program's
 * name: enough for people to know their own sessions, and no more is kept. Empty where the header has
 * neither.
 */
export const agentOf = (header: string): string => {
  const browser = named(BROWSERS, header);
  if (browser === null) return /^[A-Za-z][\w.-]{0,39}/.exec(header)?.[0] ?? '';
  const system = named(SYSTEMS, header);
  return system === null ? browser : `${browser} on ${system}`;
};
