import { runsOf } from '../kernel/runsOf.ts';

/** What shows nothing: soft hyphens, joiners, zero widths, marks and isolates of direction, variation selectors. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is looked for by itself
  /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/g;
const REVERSED = /\u202e([^\u202c\u202d\n\r]*)/g;
/** Ligatures of letters, and the forms of Arabic and Hebrew letters by their place in a word. */
const FORMS = /[\ufb00-\ufdff\ufe70-\ufefc]+/g;

/**
 * A text as it displays: letters composed (NFC) and without forms that depend on their place, runs whose direction
 * is overridden turned round, and without characters that show nothing.
 */
export const asShown = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .replace(REVERSED, (_, run: string) => [...run].reverse().join(''))
        .replace(INVISIBLE, '')
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
export const inReadingOrder = (texts: readonly string[]): readonly string[] => {
  const right = texts.filter(isRightToLeft).length;
  if (right === 0) return texts;
  const isMain = right >= texts.filter((text) => LEFT_TO_RIGHT.test(text)).length;
  const isTurned = (text: string): boolean => (isMain ? LEFT_TO_RIGHT.test(text) : isRightToLeft(text));
  const ordered = isMain ? texts.toReversed() : texts;
  // Runs in the other direction keep their own order.
  return runsOf(ordered, (before, text) => isTurned(before) && isTurned(text)).flatMap((run) =>
    run.toReversed(),
  );
};

/** UTF-8 read as Latin-1 or Windows-1252, and characters that were lost when the text was converted. */
const GARBLED =
  /\ufffd|[\u00c2\u00c3][\u0080-\u00bf]|\u00e2(?:\u20ac|\u0080)|[\u00d0\u00d1][\u0080-\u00bf\u2018-\u203a]/;

/** How certain the letters of a text are that was not recognised (0 to 1): 1, unless some were lost. */
export const letterCertainty = (text: string): number => (GARBLED.test(text) ? LOST : 1);

const LOST = 0.4;
