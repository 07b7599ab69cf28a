import type { SimilarPages, VisualFingerprint } from '../../../domain/fraud/pages.ts';
import { compareStrokes } from './compareStrokes.ts';
import type { WordsCompared } from './compareWords.ts';
import { blurred, type Layer } from './layer.ts';
import { unpacked } from './pack.ts';

/** Equal sure numbers of a certain match: a template has fewer on every document. */
const CERTAIN_NUMBERS = 8;
/** The share of common words from which on more scales are tried. */
const COMMON_WORDS = 0.5;

/**
 * Whether two pages whose words do not differ are the same picture, however it was saved, scaled, cropped, turned a
 * little or brightened; null where they are not. The strokes of one are laid on the other's and compared part by part.
 * Throws where a fingerprint is not what `packed` made.
 */
export const comparePages = (
  one: VisualFingerprint,
  other: VisualFingerprint,
  words: WordsCompared,
): SimilarPages | null => {
  const [layer, otherLayer] = [layerOf(one), layerOf(other)];
  const parts =
    compareStrokes(layer, otherLayer, 'near') ??
    (commonShare(words) >= COMMON_WORDS ? compareStrokes(layer, otherLayer, 'far') : null);
  if (!parts) return null;
  const { compared, same, numbers, doubtful } = words;
  return {
    fileId: one.fileId,
    label: one.label,
    page: one.page,
    matchedFileId: other.fileId,
    matchedLabel: other.label,
    matchedPage: other.page,
    similarity: Math.round((1_000 * parts.same) / parts.compared) / 1_000,
    parts,
    words: { compared, same },
    numbers,
    certain:
      doubtful === 0 &&
      parts.same === parts.compared &&
      numbers.same === numbers.compared &&
      numbers.same >= CERTAIN_NUMBERS,
  };
};

/** The share of common words, of the page that has fewer. */
export const commonShare = ({ same, fewest }: WordsCompared): number => (fewest === 0 ? 0 : same / fewest);

const layerOf = ({ strokes, width, height }: VisualFingerprint): Layer =>
  blurred(unpacked(strokes, width, height));
