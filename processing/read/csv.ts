import { CsvError, parse } from 'csv-parse/sync';
import { Unreadable } from '../errors.ts';

/**
 * The lines of a table, with tabs between the cells; `torn`: those with more cells than the heads above, such
 * as of `412,50` without quotes.
 */
type Table = Readonly<{ text: string; torn: ReadonlySet<number> }>;

/** Comma-separated values as a table. Throws Unreadable. */
export const tabbed = (label: string, text: string): Table => {
  const [head = ''] = text.split(/\r\n|[\n\r]/);
  const counts = [',', ';', '\t', '|'].map((mark) => [mark, head.split(mark).length] as const);
  const [[delimiter] = [',']] = counts.toSorted(([, a], [, b]) => b - a);
  try {
    const rows: readonly (readonly string[])[] = parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
    });
    const lines = rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')).join('\t'));
    return { text: lines.join('\n'), torn: tornIn(rows) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Unreadable(`"${label}" is no well-formed CSV: ${error.message}`);
  }
};

const tornIn = (rows: readonly (readonly string[])[]): ReadonlySet<number> => {
  const torn = new Set<number>();
  let heads = 0;
  for (const [index, row] of rows.entries()) {
    const isHead = row.length > 1 && row.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell));
    if (isHead) heads = row.length;
    else if (heads > 0 && row.slice(heads).some((cell) => cell.trim() !== '')) torn.add(index);
  }
  return torn;
};
