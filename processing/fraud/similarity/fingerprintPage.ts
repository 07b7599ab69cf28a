import type { NamedFile } from '../../../domain/fraud/check.ts';
import type { FingerprintedPage } from '../../../domain/fraud/pages.ts';
import type { Page } from '../../page.ts';
import type { Affine } from '../../picture/affine.ts';
import { decode, type Source } from '../../picture/pixels.ts';
import { layoutKeys } from './layout.ts';
import { outlineOf } from './outline.ts';
import { packed } from './pack.ts';
import { upright } from './upright.ts';
import { numberKeys, wordsOf } from './words.ts';

/** Enough for the strokes, also where the text fills a small part of the page. */
const MAX_SIZE = { width: 2_400, height: 3_600 };

/**
 * Fingerprints a page of a picture: its strokes, and the words that were read on it. Null where it has hardly any
 * strokes. The picture is taken as it came, only set upright as it was read (`toPage`), since fingerprints of all
 * releases are compared with each other, however pictures are prepared for recognition.
 */
export const fingerprintPage = async (
  source: Source,
  toPage: Affine,
  { number: page, lines }: Pick<Page, 'number' | 'lines'>,
  { fileId, label }: NamedFile,
): Promise<FingerprintedPage | null> => {
  const outline = outlineOf(await upright(await decode(source, MAX_SIZE), toPage));
  if (!outline) return null;
  const { width, height } = outline;
  const words = wordsOf(lines);
  return {
    visual: { fileId, label, page, width, height, strokes: packed(outline), words },
    keys: [...layoutKeys(outline), ...numberKeys(words)],
  };
};
