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
 * Each operation with its arguments, and the map from the coordinates in which it draws to points of the page
 * as displayed; `toPage` is that of the page's content.
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

/**
 * What a page draws in a font: the widths of its letters, in thousandths of their size; whether the code of a
 * digit is said to be another digit.
 */
export type DrawnFont = Readonly<{ widths: ReadonlyMap<string, number>; hasOtherDigits: boolean }>;

/** The fonts that a page draws text in, by their names. */
export const drawnFonts = ({ operations, given, named }: Drawing): ReadonlyMap<string, DrawnFont> => {
  const fonts = new Map<string, { widths: Map<string, number>; hasOtherDigits: boolean }>();
  const kept: string[] = [];
  let font = '';
  for (const [index, operation] of operations.entries()) {
    const first = given[index]?.[0];
    if (operation === named.save) kept.push(font);
    if (operation === named.restore) font = kept.pop() ?? font;
    if (operation === named.setFont) font = String(first);
    if (operation !== named.showText || !Array.isArray(first)) continue;
    const own = fonts.get(font) ?? { widths: new Map<string, number>(), hasOtherDigits: false };
    fonts.set(font, own);
    for (const glyph of first) {
      if (!isGlyph(glyph)) continue;
      own.widths.set(glyph.unicode, glyph.width);
      own.hasOtherDigits ||= isOtherDigit(glyph);
    }
  }
  return fonts;
};

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
