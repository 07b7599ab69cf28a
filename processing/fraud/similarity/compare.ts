import type { SimilarPages, VisualFingerprint } from '../../../domain/fraud/pages.ts';
import { compareStrokes } from './compareStrokes.ts';
import type { WordsCompared } from './compareWords.ts';
import { blurred, type Layer } from './layer.ts';
import { unpacked } from './pack.ts';

/** So many numbers that are surely the same make pages certain to be: those that are printed on every document of a template are fewer. */
const CERTAIN_NUMBERS = 8;
/** Pages of which this share of the words is the same are looked for at more scales. */
const READ_ALIKE = 0.5;

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
  const [layer, otherLayer] = [layerOfPrint(one), layerOfPrint(other)];
  const parts =
    compareStrokes(layer, otherLayer, 'near') ??
    (commonShare(words) >= READ_ALIKE ? compareStrokes(layer, otherLayer, 'far') : null);
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

/** Which share of the words is the same, of the page that has fewer. */
export const commonShare = ({ same, fewest }: WordsCompared): number => (fewest === 0 ? 0 : same / fewest);

const layerOfPrint = ({ strokes, width, height }: VisualFingerprint): Layer =>
  blurred(unpacked(strokes, width, height));
