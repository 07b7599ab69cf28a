import { inflateSync } from 'node:zlib';
import type { Box } from '../../../domain/submission/processingResult.ts';
import { decode, type Size } from '../../picture/pixels.ts';
import { MAX_BYTES } from '../limits.ts';
import type { Drawing } from './drawing.ts';
import type { Stored } from './pdfium.ts';

/** What is lacking of a page's fonts: the characters of a text, or letters, since a PDF only names their fonts. */
type Fonts = Readonly<{ lacksCharacters: boolean; lacksLetters: boolean }>;

/** What is lacking of the fonts that a page draws text with: PDF.js gives a message for one that it can't read. */
export const fontsOf = async ({ operations, given, named, find }: Drawing): Promise<Fonts> => {
  const names = operations.flatMap((operation, index) => {
    const name = operation === named.setFont ? given[index]?.[0] : null;
    return typeof name === 'string' ? name : [];
  });
  const fonts = await Promise.all([...new Set(names)].map(find));
  return {
    lacksCharacters: fonts.some((font) => typeof font === 'string'),
    lacksLetters: fonts.some(isNamed),
  };
};

const isNamed = (font: unknown): boolean =>
  typeof font === 'object' && font !== null && 'missingFile' in font && Boolean(font.missingFile);

/** Of a page's area: smaller pictures are ornaments. */
const ORNAMENT = 0.1;

/** Of places of pictures, those that are no ornaments. */
export const weighty = (places: readonly Box[], { width, height }: Size): readonly Box[] =>
  places.filter(
    ({ left, top, right, bottom }) => (right - left) * (bottom - top) > ORNAMENT * width * height,
  );

const SMALL: Size = { width: 64, height: 64 };

/** Whether a stored JPEG ends too early or is damaged: PDF.js gives what there is, and the rest as grey; also one too large to tell. */
export const isCutShort = async ({ data, filters }: Stored): Promise<boolean> => {
  const isPacked = filters[0] === 'FlateDecode';
  if (filters[isPacked ? 1 : 0] !== 'DCTDecode') return false;
  try {
    const bytes = isPacked ? inflateSync(data, { maxOutputLength: MAX_BYTES }) : Buffer.from(data);
    await decode({ bytes, page: 0 }, SMALL);
    return false;
  } catch {
    return true;
  }
};
