/** Has the browser save a file. */
export const save = (body: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(body);
  link.download = name;
  link.click();
  // Some browsers take it only when the person has said where to.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

export type Cell = string | number | null;

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

/** Rows of a list under the names of their members, those of members of theirs with a dot between. */
export const tableOf = (rows: readonly object[]): readonly (readonly Cell[])[] => {
  const flat = rows.map((row) => new Map(cellsIn(row, '')));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  return [names, ...flat.map((row) => names.map((name) => row.get(name) ?? null))];
};

const cellsIn = (value: unknown, name: string): readonly (readonly [string, Cell])[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, asCell(value)]];
  return Object.entries(value).flatMap(([member, one]) =>
    cellsIn(one, name === '' ? member : `${name}.${member}`),
  );
};

const asCell = (value: unknown): Cell => {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
};
