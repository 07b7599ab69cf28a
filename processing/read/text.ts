import { isRead } from '../../domain/formats.ts';
import { asShown, letterCertainty } from '../characters.ts';
import { Unreadable } from '../errors.ts';
import { atMost, type Line, lineOf, type Page, type Word } from '../page.ts';
import type { InputFile } from '../types.ts';
import { checkCharacters } from './limits.ts';

/**
 * The lines of a text file, of comma-separated values the cells of a table. Throws Unreadable as `plainText`.
 */
export const readText = async (file: InputFile, bytes: Buffer, type: string): Promise<Page> => {
  const text = plainText(file, bytes, type);
  if (type === 'text/markdown') return textPage(file.fileId, withoutMarks(text));
  if (type !== 'text/csv') return textPage(file.fileId, text);
  const { tabbed } = await import('./csv.ts');
  const table = tabbed(file.label, text);
  return textPage(file.fileId, table.text, { torn: table.torn });
};

/** Markdown without its comments, which don't show, and the backslashes before marks. */
const withoutMarks = (text: string): string =>
  text.replace(/<!--.*?-->/gs, ' ').replace(/\\(?=[!-/:-@[-`{-~])/g, '');

/**
 * The text of a file. Throws Unreadable when it is no UTF-8 text but markup or a mail, empty, or too long.
 */
const plainText = (file: InputFile, bytes: Buffer, type: string): string => {
  const text = decodeText(file.label, bytes);
  if (text.trim() === '') throw new Unreadable(`"${file.label}" holds no text: upload the file again.`);
  checkCharacters(file.label, text.length);
  const markup = MARKUPS.find(([, pattern]) => pattern.test(text.slice(0, HEAD)));
  if (markup || !isRead(type))
    throw new Unreadable(
      `"${file.label}" is ${markup?.[0] ?? type}, whose text can't be told from its markup: save it as PDF or as plain text.`,
    );
  return text;
};

const HEAD = 4_096;
const MARKUPS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['RTF', /^\s*\{\\rtf/],
  ['XML', /^\s*<\?xml\b/],
  [
    'a web page',
    /^\s*(?:<!--[^>]*-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta|div|table|center|font|span|p|br|h[1-6])\b[^>]*>/i,
  ],
  [
    'a mail in its raw form',
    /^(?:[\w-]+:.*\r?\n(?:[ \t].*\r?\n)*)*?(?:mime-version|content-transfer-encoding|content-type):/i,
  ],
];

/** UTF-8 text without its byte order mark. Throws Unreadable when the bytes are no such text. */
export const decodeText = (label: string, bytes: Buffer): string => {
  if (!isText(bytes))
    throw new Unreadable(`"${label}" is no text that can be read: save it as plain text in UTF-8.`);
  return new TextDecoder().decode(bytes);
};

/** Whether bytes are UTF-8 without control characters but blanks; `cut`: they may end within a character. */
export const isText = (bytes: Buffer, { cut = false } = {}): boolean => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they distinguish binary data from text
  const control = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
  try {
    return !control.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut }));
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
};

/** The units of spots: the width of a letter, the height of a line, the distance of lines. */
const LETTER = 10;
const HEIGHT = 12;
const ROW = 20;
/** The gap between columns of a table, in letters. */
const GAP = 4;

/**
 * A page of plain text: its words have spots, tabs and vertical bars begin the columns of a table, and an
 * empty line begins a block. The words of lines (from 0) that are `torn` are doubted.
 */
export const textPage = (
  fileId: string,
  text: string,
  { number = 1, torn = new Set<number>() }: Readonly<{ number?: number; torn?: ReadonlySet<number> }> = {},
): Page => {
  const sheet = { fileId, page: number, size: null };
  const rows = asShown(text)
    .split(/\r\n|[\n\r\f\u2028\u2029]/)
    .map((line) => line.replace(/[^\S\n]*\|[^\S\n]*/g, '\t').split('\t'));
  const starts = columnStarts(rows);
  const lines: Line[] = [];
  let block = 0;
  for (const [index, row] of rows.entries()) {
    const words = row.flatMap((cell, column) => wordsIn(cell, starts[index]?.[column] ?? 0, index * ROW));
    const own = torn.has(index) ? words.map((word) => atMost(TORN, word)) : words;
    if (words.length > 0) lines.push(lineOf(own, sheet, block));
    else block += 1;
  }
  return { fileId, number, lines };
};

const TORN = 0.4;

const wordsIn = (cell: string, start: number, top: number): readonly Word[] =>
  [...cell.matchAll(/\S+/g)].map(({ 0: text, index }) => {
    const left = (start + index) * LETTER;
    const spot = { left, top, right: left + text.length * LETTER, bottom: top + HEIGHT };
    return { text, confidence: letterCertainty(text), box: null, spot };
  });

/** The start of each column of each row, in letters: consecutive lines with tabs share theirs. */
const columnStarts = (rows: readonly (readonly string[])[]): readonly (readonly number[])[] => {
  const starts: (readonly number[])[] = [];
  let first = 0;
  for (const [index, row] of rows.entries()) {
    if (index < rows.length - 1 && (rows[index + 1]?.length ?? 1) > 1 && row.length > 1) continue;
    const own = startsOf(rows.slice(first, index + 1));
    for (; first <= index; first += 1) starts.push(own);
  }
  return starts;
};

const startsOf = (rows: readonly (readonly string[])[]): readonly number[] => {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.trimEnd().length);
  let start = 0;
  return widths.map((width) => {
    const own = start;
    start += width === 0 ? 0 : width + GAP;
    return own;
  });
};
