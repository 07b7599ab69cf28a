/** The columns of a table for people: a title, and what to show of a row. */
export type Columns<R> = Readonly<Record<string, (row: R) => string | number | null>>;

export type Output = Readonly<ReturnType<typeof createOutput>>;

/**
 * Where a command's answer goes: with `--json` one JSON document on standard output, else text for people.
 */
export const createOutput = (json = false) => {
  /** The answer; `text` is called only when people read it. */
  const answer = async (document: object, text: () => string | Promise<string>): Promise<void> => {
    process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${await text()}\n`);
  };
  return {
    json,
    answer,
    /** A list: `{ "data": [] }`, or a table; `empty` is said when it has no rows. */
    list: <R extends object>(rows: readonly R[], columns: Columns<R>, empty: string): Promise<void> =>
      answer({ data: rows }, () => (rows.length === 0 ? empty : table(rows, columns))),
    /** A notice beside the answer: on standard error. */
    notice: (text: string): void => {
      process.stderr.write(json ? `${JSON.stringify({ notice: text })}\n` : `${text}\n`);
    },
  };
};

/** A table of rows; its package is loaded when it is used, since commands must start fast. */
export const table = async <R>(rows: readonly R[], columns: Columns<R>): Promise<string> =>
  (await import('./table.ts')).table(rows, columns);

/** How the first line of a text begins that has something in it, no longer than `width`. */
export const firstLine = (text: string, width: number): string => {
  const line = text.split(/[\r\n]+/).find((one) => one.trim() !== '') ?? '';
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
};

/**
 * Text of others on a terminal: control characters, which could move the cursor or forge lines, become
 * visible.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
