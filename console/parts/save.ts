/** Has the browser save a file. */
export const save = (body: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(body);
  link.download = name;
  link.click();
  // Some browsers take it only when the person has said where to.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

type Cell = string | number | null;

/** Has the browser save a table as CSV (RFC 4180, UTF-8). */
export const saveTable = (name: string, rows: readonly (readonly Cell[])[]): void =>
  save(new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);

/** A table as CSV. No text is a formula to a spreadsheet. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

// A spreadsheet runs text that begins like this, also behind blanks, and opens with what it has then.
const FORMULA = /^\s*[=+\-@\t\r|%]/;

const cellOf = (cell: Cell): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
