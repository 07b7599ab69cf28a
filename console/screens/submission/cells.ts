/** A row of a table as it is typed: the texts of its cells, or what the machine read in them. */
export type TypedRow = Readonly<Record<string, string | number | boolean | null>>;

/** The rows in the text of a table, which is JSON. */
export const rowsIn = (text: string): readonly TypedRow[] => {
  const rows: unknown = text.trim() === '' ? [] : JSON.parse(text);
  return Array.isArray(rows) ? rows : [];
};

/** Rows as the text of a table; no text without any. */
export const textOfRows = (rows: readonly TypedRow[]): string =>
  rows.length === 0 ? '' : JSON.stringify(rows);

/** Rows with one cell changed. */
export const withCell = (
  rows: readonly TypedRow[],
  at: number,
  name: string,
  text: string,
): readonly TypedRow[] =>
  rows.map((row, index) => (index === at ? { ...row, [name]: text === '' ? null : text } : row));

/** A row without values. */
export const emptyRow = (names: readonly string[]): TypedRow =>
  Object.fromEntries(names.map((name) => [name, null]));

/**
 * Rows with what was copied from a spreadsheet, from a cell on to the right and below: rows of its own are
 * added where there are too few, columns too many are left out.
 */
export const withPasted = (
  rows: readonly TypedRow[],
  names: readonly string[],
  at: Readonly<{ row: number; name: string }>,
  pasted: string,
): readonly TypedRow[] => {
  const lines = pasted.replace(/\r?\n$/, '').split(/\r?\n/);
  const first = names.indexOf(at.name);
  const missing = Math.max(0, at.row + lines.length - rows.length);
  const all = [...rows, ...Array.from({ length: missing }, () => emptyRow(names))];
  return all.map((row, index) => {
    const texts = lines[index - at.row]?.split('\t') ?? [];
    const own = names.slice(first).flatMap((name, column) => {
      const text = texts[column]?.trim();
      return text === undefined ? [] : [[name, text === '' ? null : text] as const];
    });
    return { ...row, ...Object.fromEntries(own) };
  });
};

/** Whether what is pasted is more than the text of one cell. */
export const isOfSpreadsheet = (pasted: string): boolean => /[\t\n]/.test(pasted.replace(/\r?\n$/, ''));
