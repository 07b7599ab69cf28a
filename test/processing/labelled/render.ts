import { pdfWith } from '../files.ts';

const LINE = 14;
const SIZE = 10;

/** A PDF whose page shows rows, cells that two or more blanks part at places of their own. */
export const pdfOf = (rows: readonly string[], font: string): Buffer => {
  const [width, height] = [
    Math.max(...rows.map(({ length }) => length), 60) * LETTER + 60,
    (rows.length + 4) * LINE,
  ];
  const scale = Math.min(300 / width, 500 / height);
  const shown = rows.flatMap((row, index) =>
    [...row.replaceAll('\t', '    ').matchAll(/\S+(?: \S+)*/g)].map(
      ({ 0: text, index: column }) =>
        `BT /F1 ${SIZE} Tf ${30 + column * LETTER} ${height - (index + 2) * LINE} Td (${escaped(text)}) Tj ET`,
    ),
  );
  return pdfWith(Buffer.from(`${scale} 0 0 ${scale} 0 0 cm\n${shown.join('\n')}`, 'latin1'), '', '', font);
};

const LETTER = 6;

/** The characters of WinAnsi that Latin-1 has not, or has elsewhere. */
const WIN_ANSI: Readonly<Record<string, string>> = {
  '€': '\x80',
  '–': '\x96',
  '—': '\x97',
  '’': '\x92',
  '−': '-',
  œ: '\x9c',
};

const escaped = (text: string): string =>
  text
    .replace(/[^\x20-\x7e\xa0-\xff]/g, (character) => WIN_ANSI[character] ?? '?')
    .replace(/[\\()]/g, '\\$&');
