import { constants, inflateSync } from 'node:zlib';
import type { Box } from '../../../domain/submission/processingResult.ts';
import { decode, type Size } from '../../picture/pixels.ts';
import { MAX_BYTES } from '../limits.ts';
import type { Drawing, DrawnFont } from './drawing.ts';
import type { Stored } from './pdfium.ts';

/**
 * What is lacking of a page's fonts: the characters of a text, or letters, since a PDF only names their
 * fonts; whether one that is only named says that its digits are others; whether the letters of one are
 * drawings of the PDF (Type 3).
 */
type Fonts = Readonly<{
  lacksCharacters: boolean;
  lacksLetters: boolean;
  mistakesDigits: boolean;
  hasDrawings: boolean;
}>;

/**
 * What is lacking of the fonts that a page names, of which it draws in `drawn`: PDF.js gives a message for
 * one that it can't read.
 */
export const fontsOf = async (
  { operations, given, named, find }: Drawing,
  drawn: ReadonlyMap<string, DrawnFont>,
): Promise<Fonts> => {
  const names = operations.flatMap((operation, index) => {
    const name = operation === named.setFont ? given[index]?.[0] : null;
    return typeof name === 'string' ? name : [];
  });
  const fonts = await Promise.all([...new Set(names)].map(async (name) => [name, await find(name)] as const));
  return {
    lacksCharacters: fonts.some(([, font]) => typeof font === 'string'),
    lacksLetters: fonts.some(([, font]) => isNamed(font)),
    hasDrawings: fonts.some(([, font]) => isOfDrawings(font)),
    mistakesDigits: fonts.some(([name, font]) => drawn.get(name)?.hasOtherDigits && isNamed(font)),
  };
};

const isNamed = (font: unknown): boolean =>
  typeof font === 'object' && font !== null && 'missingFile' in font && Boolean(font.missingFile);

const isOfDrawings = (font: unknown): boolean =>
  typeof font === 'object' && font !== null && 'isType3Font' in font && Boolean(font.isType3Font);

/** Of a page's area: smaller pictures are ornaments. */
const ORNAMENT = 0.1;

/** Of places of pictures, those that are no ornaments. */
export const weighty = (places: readonly Box[], { width, height }: Size): readonly Box[] =>
  places.filter(
    ({ left, top, right, bottom }) => (right - left) * (bottom - top) > ORNAMENT * width * height,
  );

const SMALL: Size = { width: 64, height: 64 };

/**
 * Whether a stored picture ends too early, or a JPEG is damaged: PDF.js gives what there is, and the rest in
 * one colour; also a JPEG too large to tell.
 */
export const isCutShort = async (stored: Stored): Promise<boolean> => {
  const { data, filters } = stored;
  const isPacked = filters[0] === 'FlateDecode';
  if (isPacked && filters.length === 1) return isFlateCutShort(stored);
  if (filters[isPacked ? 1 : 0] !== 'DCTDecode') return false;
  try {
    const bytes = isPacked ? inflateSync(data, { maxOutputLength: MAX_BYTES }) : Buffer.from(data);
    await decode({ bytes, page: 0 }, SMALL);
    return false;
  } catch {
    return true;
  }
};

/** In bits a pixel; with predictors a row has one byte more. */
const DEPTHS = [1, 2, 4, 8, 16, 24, 32, 48, 64];
/** Some programs leave out the checksum, or end the data with a line break. */
const SPARE = 16;

/** Whether packed pixels end too early: they break off, and are no whole rows of the picture's height. */
const isFlateCutShort = ({ data, width, height }: Stored): boolean => {
  try {
    inflateSync(data, { maxOutputLength: MAX_BYTES });
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return false;
  }
  try {
    const { length } = inflateSync(data, {
      maxOutputLength: MAX_BYTES,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    const rows = DEPTHS.map((depth) => Math.ceil((width * depth) / 8)).flatMap((row) => [row, row + 1]);
    return !rows.some((row) => length >= row * height && length <= row * height + SPARE);
  } catch {
    return true;
  }
};
