import type { Box } from '../../../domain/submission/processingResult.ts';
import { type Affine, affineOf, after, type Matrix } from '../../picture/affine.ts';

/** A page's drawing operations and their arguments, as PDF.js lists them. */
export type Drawing = Readonly<{
  operations: readonly number[];
  given: readonly (readonly unknown[] | null)[];
  /** The codes of operations by name. */
  named: Readonly<Record<string, number>>;
  find: (key: string) => Promise<unknown>;
}>;

/** In which PDF draws a picture. */
export const UNIT_SQUARE: Box = { left: 0, top: 0, right: 1, bottom: 1 };

/**
 * Each operation with its arguments, and the map from the coordinates in which it draws to points of the page as
 * displayed; `toPage` is that of the page's content.
 */
export function* steps({ operations, given, named }: Drawing, toPage: Affine) {
  const kept: Affine[] = [];
  let map = toPage;
  for (const [index, operation] of operations.entries()) {
    const own = given[index] ?? [];
    const [first] = own;
    if (operation === named.save || operation === named.paintFormXObjectBegin) kept.push(map);
    if (operation === named.restore || operation === named.paintFormXObjectEnd) map = kept.pop() ?? map;
    if (operation === named.transform) map = after(map, affineOf(own.filter(isNumber)));
    if (operation === named.paintFormXObjectBegin && isMatrix(first)) map = after(map, affineOf(first));
    yield { operation, given: own, map };
  }
}

export const isNumber = (value: unknown): value is number => typeof value === 'number';

export const isMatrix = (value: unknown): value is Matrix =>
  (Array.isArray(value) || ArrayBuffer.isView(value)) && 'length' in value && value.length === 6;

/** By the name of a font the widths of its letters, in thousandths of their size. */
export type FontWidths = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The widths of the letters that a page draws. */
export const fontWidths = (drawing: Drawing): FontWidths => {
  const fonts = new Map<string, Map<string, number>>();
  for (const { font, glyphs } of textsOf(drawing)) {
    const widths = fonts.get(font) ?? new Map<string, number>();
    fonts.set(font, widths);
    for (const { unicode, width } of glyphs) widths.set(unicode, width);
  }
  return fonts;
};

/** The names of the fonts in which the code of a digit is said to be another digit. */
export const fontsWithOtherDigits = (drawing: Drawing): ReadonlySet<string> => {
  const fonts = new Set<string>();
  for (const { font, glyphs } of textsOf(drawing))
    if (!fonts.has(font) && glyphs.some(isOtherDigit)) fonts.add(font);
  return fonts;
};

/** Each text that a page draws, letter by letter, with the name of its font. */
function* textsOf({ operations, given, named }: Drawing) {
  const kept: string[] = [];
  let font = '';
  for (const [index, operation] of operations.entries()) {
    const first = given[index]?.[0];
    if (operation === named.save) kept.push(font);
    if (operation === named.restore) font = kept.pop() ?? font;
    if (operation === named.setFont) font = String(first);
    if (operation === named.showText && Array.isArray(first)) yield { font, glyphs: first.filter(isGlyph) };
  }
}

const DIGIT = /^\d$/;

const isOtherDigit = ({ unicode, originalCharCode = 0 }: Glyph): boolean => {
  const own = String.fromCharCode(originalCharCode);
  return own !== unicode && DIGIT.test(own) && DIGIT.test(unicode);
};

type Glyph = Readonly<{ unicode: string; width: number; originalCharCode?: number }>;

const isGlyph = (given: unknown): given is Glyph =>
  typeof given === 'object' &&
  given !== null &&
  'unicode' in given &&
  typeof given.unicode === 'string' &&
  'width' in given &&
  isNumber(given.width);
