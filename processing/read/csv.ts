import { CsvError, parse } from 'csv-parse/sync';
import { Unreadable } from '../errors.ts';

/** Comma-separated values with tabs between the cells: the lines of a table. Throws Unreadable. */
export const tabbed = (label: string, text: string): string => {
  const [head = ''] = text.split(/\r\n|[\n\r]/);
  const counts = [',', ';', '\t', '|'].map((mark) => [mark, head.split(mark).length] as const);
  const [[delimiter] = [',']] = counts.toSorted(([, a], [, b]) => b - a);
  try {
    const rows: readonly (readonly string[])[] = parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
    });
    return rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')).join('\t')).join('\n');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Unreadable(`"${label}" is no well-formed CSV: ${error.message}`);
  }
};
