import type { Random } from '../../nodes/random.ts';
import { chance } from './values.ts';

/** A caption with its value; without a value where a form was left empty. */
export type Pair = Readonly<{ caption: string; value: string }>;
/** Rows of a page: two or more blanks part cells. */
type Rows = readonly string[];
type Style = (pairs: readonly Pair[], random: Random) => Rows;

const beside =
  (join: (pair: Pair) => string): Style =>
  (pairs) =>
    pairs.map(join);

const widest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));

const padded =
  (mark: string): Style =>
  (pairs) => {
    const width = widest(pairs.map(({ caption }) => caption)) + mark.length + 4;
    return pairs.map(({ caption, value }) => `${caption}${mark}`.padEnd(width) + value);
  };

const leaders: Style = (pairs) =>
  pairs.map(({ caption, value }) => `${caption} ${'.'.repeat(Math.max(3, 34 - caption.length))} ${value}`);

const stacked =
  (mark: string): Style =>
  (pairs) =>
    pairs.flatMap(({ caption, value }) => [`${caption}${mark}`, ...(value === '' ? [] : [value]), '']);

const dense =
  (mark: string): Style =>
  (pairs) =>
    pairs.flatMap(({ caption, value }) => [`${caption}${mark}`, ...(value === '' ? [] : [value])]);

const rowsOf = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, row) =>
    items.slice(row * size, (row + 1) * size),
  );

/** Captions side by side, their values below them. */
const columns =
  (size: number, mark = ''): Style =>
  (pairs) =>
    rowsOf(pairs, size).flatMap((row) => {
      const widths = row.map(({ caption, value }) => widest([caption, value]) + mark.length + 4);
      const line = (cells: readonly string[]) =>
        cells
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('')
          .trimEnd();
      return [line(row.map(({ caption }) => caption + mark)), line(row.map(({ value }) => value)), ''];
    });

/** Two captions with their values in each row. */
const twoUp =
  (join: (pair: Pair, width: number) => string): Style =>
  (pairs) => {
    const width = widest(pairs.map(({ caption }) => caption)) + 4;
    const cells = pairs.map((pair) => join(pair, width));
    const whole = widest(cells) + 6;
    return rowsOf(cells, 2).map((row) =>
      row
        .map((cell) => cell.padEnd(whole))
        .join('')
        .trimEnd(),
    );
  };

const ofOneLine =
  (gap: string): Style =>
  (pairs) =>
    rowsOf(pairs, 3).map((row) => row.map(({ caption, value }) => `${caption}: ${value}`).join(gap));

const captionsIn =
  (style: Style, change: (caption: string) => string): Style =>
  (pairs, random) =>
    style(
      pairs.map(({ caption, value }) => ({ caption: change(caption), value })),
      random,
    );

const colon = beside(({ caption, value }) => `${caption}: ${value}`);

/** How captions and values stand, by name. */
export const STYLES: Readonly<Record<string, Style>> = {
  colon,
  'colon apart': beside(({ caption, value }) => `${caption} : ${value}`),
  'colon close': beside(({ caption, value }) => `${caption}:${value}`),
  capitals: captionsIn(colon, (caption) => caption.toUpperCase()),
  'small letters': captionsIn(colon, (caption) => caption.toLowerCase()),
  bullets: captionsIn(colon, (caption) => `* ${caption}`),
  bold: beside(({ caption, value }) => `**${caption}:** ${value}`),
  equals: beside(({ caption, value }) => `${caption} = ${value}`),
  hyphen: beside(({ caption, value }) => `${caption} - ${value}`),
  dash: beside(({ caption, value }) => `${caption} – ${value}`),
  blank: beside(({ caption, value }) => `${caption} ${value}`),
  tab: beside(({ caption, value }) => `${caption}\t${value}`),
  'tab and colon': beside(({ caption, value }) => `${caption}:\t${value}`),
  bars: beside(({ caption, value }) => `| ${caption} | ${value} |`),
  padded: padded(''),
  'padded colons': padded(':'),
  leaders,
  'close leaders': (pairs) =>
    pairs.map(({ caption, value }) => `${caption}${'.'.repeat(Math.max(3, 30 - caption.length))}${value}`),
  stacked: stacked(''),
  'stacked colons': stacked(':'),
  dense: dense(''),
  'dense colons': dense(':'),
  'two columns': columns(2),
  'three columns': columns(3),
  'four columns': columns(4),
  'columns with colons': columns(3, ':'),
  'two up': twoUp(({ caption, value }) => `${caption}: ${value}`),
  'two up, padded': twoUp(({ caption, value }, width) => caption.padEnd(width) + value),
  'two up, padded colons': twoUp(({ caption, value }, width) => `${caption}:`.padEnd(width + 1) + value),
  'one line': ofOneLine('  '),
  'one line, close': ofOneLine(' '),
  'one line, commas': ofOneLine(', '),
  mixed: (pairs, random) =>
    pairs.map(({ caption, value }) =>
      chance(random, 0.5) ? `${caption}: ${value}` : `${caption}    ${value}`,
    ),
};
