import type { NamedFile } from '../../../domain/fraud/check.ts';
import type { FingerprintedPage } from '../../../domain/fraud/pages.ts';
import type { Page } from '../../page.ts';
import type { Affine } from '../../picture/affine.ts';
import { decode, type Grey, quantile, rotated, type Source } from '../../picture/pixels.ts';
import { layoutKeys } from './layout.ts';
import { outlineOf } from './outline.ts';
import { packed } from './strokes.ts';
import { numberKeys, wordsOf } from './words.ts';

/** In pixels: enough for the strokes, also where the text fills a small part of the page. */
const MAX_SIZE = { width: 2_400, height: 3_600 };

/**
 * The fingerprint of a page of a picture: its strokes, and the words that were read on it. Null where it has
 * hardly any strokes. The picture is only turned upright, as it was read (`toPage` maps what was read to the
 * picture): fingerprints of all releases are compared, however each prepares pictures for recognition.
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

/** In degrees; `outlineOf` levels smaller turns itself, also of pages without text. */
const MIN_TURN = 6;
const PAPER = 0.75;

const upright = async (picture: Grey, [a, , , d]: Affine): Promise<Grey> => {
  const degrees = -(Math.atan2(d, a) * 180) / Math.PI;
  const quarter = 90 * Math.round(degrees / 90);
  const turn = Math.abs(degrees - quarter) < MIN_TURN ? quarter : degrees;
  return turn === 0 ? picture : rotated(picture, turn, quantile(picture.data, PAPER));
};
