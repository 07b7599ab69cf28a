import type { AlikePages, Print } from '../../domain/submission/prints.ts';
import { align } from './align.ts';
import { blurred, type Layer } from './layer.ts';
import { laidOn } from './mapping.ts';
import { inkIn, meet } from './meet.ts';
import { unpacked } from './pack.ts';
import { compareWords } from './words.ts';

const BLOCK = 24;
const REACH = 2;
/** A part is the same from this correlation on. */
const SAME = 0.6;
/** Of the parts that are compared, no more may differ; less where the words of one page can't tell documents of one template apart. */
const MOST_DIFFERENT = { legible: 0.12, illegible: 0.03 };
const FEWEST_WORDS = 10;
/** Of either picture, so much must be on the other: a crop may cut some of it off. */
const LEAST_COMMON = 0.6;
/** A part whose ink is gone was cut off. */
const GONE = 0.25;
const FEWEST_PARTS = 10;

/**
 * Whether two pages are the same picture, however it was saved, scaled, cropped, turned a little or brightened; null where they are not. First the strokes
 * of one are laid on the other's and compared part by part; then the words: where sure numbers differ, it is another document of one template.
 */
export const comparePages = (one: Print, other: Print): AlikePages | null => {
  const legible = Math.min(one.words.length, other.words.length) >= FEWEST_WORDS;
  const most = MOST_DIFFERENT[legible ? 'legible' : 'illegible'];
  const parts = compareStrokes(layerOfPrint(one), layerOfPrint(other), most);
  if (!parts) return null;
  const { differs, ...words } = compareWords(one.words, other.words);
  if (differs) return null;
  return {
    fileId: one.fileId,
    label: one.label,
    page: one.page,
    matchedFileId: other.fileId,
    matchedLabel: other.label,
    matchedPage: other.page,
    similarity: Math.round((1_000 * parts.same) / parts.compared) / 1_000,
    parts,
    words,
  };
};

const layerOfPrint = ({ strokes, width, height }: Print): Layer => blurred(unpacked(strokes, width, height));

const compareStrokes = (one: Layer, other: Layer, most: number): AlikePages['parts'] | null => {
  const mapping = align(one, other);
  if (!mapping) return null;
  const laid = laidOn(other, one, mapping);
  const met = meet(one, laid, BLOCK, REACH);
  const same = met.filter(({ alike }) => alike >= SAME).length;
  const gone = met.filter(
    ({ alike, block }) => alike < SAME && inkIn(laid, block) < GONE * inkIn(one, block),
  ).length;
  const compared = met.length - gone;
  const [a, , , , e] = mapping;
  const seen = (inkOf(laid) * a * e) / inkOf(other);
  if (compared < FEWEST_PARTS || same < LEAST_COMMON * met.length || seen < LEAST_COMMON) return null;
  return same >= (1 - most) * compared ? { compared, same } : null;
};

const inkOf = ({ data }: Layer): number => data.reduce((sum, value) => sum + value, 0);
