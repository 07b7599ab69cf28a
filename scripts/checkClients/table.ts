import type { Row } from './row.ts';

const WIDTHS = [30, 9, 9, 8, 8, 8, 7];
const line = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join(' ')
    .trimEnd();

/** The first line of the table. */
export const heading = line(['check', 'version', 'generated', 'compiled', 'warnings', 'main job', 'seconds']);

/** A row of the table; below it what went wrong. */
export const lineOf = ({ name, version, steps, notes, seconds, skipped, fault }: Row): string => {
  if (skipped !== null) return line([name, version, `skipped: ${skipped}`]);
  const step = (of: 'generated' | 'compiled' | 'job'): string => {
    if (!steps.includes(of)) return '-';
    return notes[of] ? 'yes' : 'NO';
  };
  const cells = [
    step('generated'),
    step('compiled'),
    String(notes.warnings),
    step('job'),
    seconds.toFixed(1),
  ];
  return line([name, version, ...cells]) + (fault === null ? '' : `\n${fault}\n`);
};
