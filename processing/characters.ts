import { runsOf } from '../kernel/runsOf.ts';

/**
 * What shows nothing: soft hyphens, joiners, zero widths, marks and isolates of direction, selectors, tags,
 * fillers.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Hyphens that look like the usual one. */
const HYPHENS = /[\u2010\u2011\ufe63\uff0d]/g;
const REVERSED = /\u202e([^\u202c\u202d\n\r]*)/g;
/** Ligatures of letters, and the forms of Arabic and Hebrew letters by their place in a word. */
const FORMS = /[\ufb00-\ufdff\ufe70-\ufefc]+/g;

/**
 * A text as it displays: letters composed (NFC) and without forms that depend on their place, runs whose
 * direction is overridden turned round, and without characters that show nothing.
 */
export const asShown = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .replace(REVERSED, (_, run: string) => [...run].reverse().join(''))
        .replace(INVISIBLE, '')
        .replace(HYPHENS, '-')
        .replace(FORMS, (forms) => forms.normalize('NFKC'))
        .normalize('NFC');

/** Most texts: ASCII, and the letters of Latin-1 but the soft hyphen. */
const PLAIN = /^[\x20-\x7e\t\r\n\f\u00a0-\u00ac\u00ae-\u00ff]*$/;

/** Letters that are written from right to left: Hebrew, Arabic and their neighbours. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LEFT_TO_RIGHT = /(?![\u0590-\u08ff])\p{L}/u;

/** Whether a text has letters that are written from right to left. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Words as they stand on a line, from the left, in the order in which they are read. */
export const inReadingOrder = <T extends Readonly<{ text: string }>>(words: readonly T[]): readonly T[] => {
  const right = words.filter(({ text }) => isRightToLeft(text)).length;
  if (right === 0) return words;
  const isMain = right >= words.filter(({ text }) => LEFT_TO_RIGHT.test(text)).length;
  const isTurned = ({ text }: T): boolean => (isMain ? LEFT_TO_RIGHT.test(text) : isRightToLeft(text));
  const ordered = isMain ? words.toReversed() : words;
  // Runs in the other direction keep their own order.
  return runsOf(ordered, (before, word) => isTurned(before) && isTurned(word)).flatMap((run) =>
    run.toReversed(),
  );
};

/** Texts in which letters were lost or garbled, or were written in another way and not read. */
const GARBLED: readonly RegExp[] = [
  // UTF-8 read as Latin-1 or Windows-1252, and characters that were lost when the text was converted.
  /\ufffd|[\u00c2\u00c3][\u0080-\u00bf]|\u00e2(?:\u20ac|\u0080)|[\u00d0\u00d1][\u0080-\u00bf\u2018-\u203a]/,
  /[\u00c4\u00c5][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|\u00f0\u0178/,
  // Latin-1 read as a code page of DOS or Macintosh, lost letters, and those of a font's own.
  /\p{L}(?:[\u00a4\u00a6\u00ac\u00b3\u00f7\u207f\u2500-\u25ff]|\?(?=\p{Ll}))\p{L}/u,
  /\p{L}[\u00c0-\u00d6\u00d8-\u00de\u0178]\p{Ll}{2}/u,
  /[\p{L}\p{N}][\ue000-\uf8ff][\p{L}\p{N}]/u,
  // Letters of another script within a word: some look the same.
  /\p{Script=Latin}[\p{Script=Greek}\p{Script=Cyrillic}\uff61-\uff9f]|[\p{Script=Greek}\p{Script=Cyrillic}\uff61-\uff9f]\p{Script=Latin}/u,
  // Entities, quoted-printable, and the escapes of JSON and of addresses.
  /&(?:amp|lt|gt|quot|apos|nbsp|euro|pound|szlig|[a-z](?:uml|acute|grave|circ|tilde|cedil|ring|slash|elig)|#\d{2,6}|#x[\da-f]{2,6});/i,
  /=[89A-F][\dA-F]=[89AB][\dA-F]|\p{L}=[C-F][\dA-F]\p{L}|\\u[\da-fA-F]{4}/u,
  /^(?!.*:\/\/).*%C[2-5]%[89AB][\dA-F]/i,
];

/** How certain the letters of a text are that was not recognised (0 to 1): 1, unless some were lost. */
export const letterCertainty = (text: string): number =>
  !ASCII_WORD.test(text) && GARBLED.some((pattern) => pattern.test(text)) ? LOST : 1;

/** Most words. */
const ASCII_WORD = /^[\w.,:/()-]*$/;

const LOST = 0.4;
