import CliTable from 'cli-table3';
import { type Columns, printable } from './output.ts';

const NO_LINES = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
} as const;

/** Rows under their titles, in columns as wide as they need; an unknown fact is a dash. */
export const table = <R>(rows: readonly R[], columns: Columns<R>): string => {
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
  const drawn = new CliTable({ head: Object.keys(columns), chars: NO_LINES, style });
  for (const row of rows) {
    drawn.push(
      Object.values(columns).map((show) => {
        const value = show(row);
        return value === null ? '-' : printable(String(value));
      }),
    );
  }
  const lines = drawn.toString().split('\n');
  return lines.map((line) => line.trimEnd()).join('\n');
};
