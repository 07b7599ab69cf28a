/**
 * Messages of PDF.js where it goes on without a part of a page: a stream that it can't decode, operations
 * after a fault, text that it can't parse.
 */
const LEFT_OUT =
  /Invalid stream:|ignoring errors during|ignoring XObject|Unterminated string|Unknown command|Skipping command T/;

/** What was read, and whether a part of it was left out. */
export type Damageable<T> = Readonly<{ value: T; isDamaged: boolean }>;

/**
 * What `read` gives, and whether PDF.js left something out: it tells so by warnings on the console alone,
 * which no setting hands over. One page is read at a time.
 */
export const withDamage = async <T>(read: () => Promise<T>): Promise<Damageable<T>> => {
  const { warn } = console;
  let isDamaged = false;
  console.warn = (message: unknown) => {
    isDamaged ||= LEFT_OUT.test(String(message));
  };
  try {
    return { value: await read(), isDamaged };
  } finally {
    console.warn = warn;
  }
};
