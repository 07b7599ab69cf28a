import type { SimilarPages, VisualFingerprint } from '../../../domain/fraud/pages.ts';
import type { Compared } from '../../types.ts';
import { compareStrokes } from './compareStrokes.ts';
import { compareWords, type WordsCompared } from './compareWords.ts';
import { blurred, type Layer } from './layer.ts';
import { unpacked } from './strokes.ts';

/** Of one comparison: pairs whose strokes are compared, processor time, and how much of it for words. */
const BUDGET = { pairs: 40, cpuMs: 5_000, wordsMs: 2_000 };
type Budget = typeof BUDGET;

/** Two pages with so many words that share less are no copies: of 55 copies none shared less than half. */
const MIN_WORDS = 10;
const MIN_COMMON = 0.1;
/** How likely pages with fewer words are to be similar. */
const UNKNOWN = 0.5;
/** The share of common words from which on more scales are tried. */
const COMMON_WORDS = 0.5;
/** Equal sure numbers of a certain match: a template has fewer on every document. */
const CERTAIN_NUMBERS = 8;

/** Two pages whose words do not differ, `likely` by their common words; `index`: the other submission. */
type Pair = Readonly<{
  index: number;
  one: VisualFingerprint;
  other: VisualFingerprint;
  words: WordsCompared;
  likely: number;
}>;

/**
 * Compares pages with those of other submissions; each page is in one pair at most. Words are compared first,
 * which costs little and rules most pages out, then the strokes of the likeliest. `spentMs` is the processor
 * time since the start: pairs beyond the budget are skipped, and so are those with a broken fingerprint, for
 * which no other submission may fail.
 */
export const compareAll = (
  prints: readonly VisualFingerprint[],
  others: readonly (readonly VisualFingerprint[])[],
  spentMs: () => number,
  budget: Budget = BUDGET,
): Omit<Compared, 'kind'> => {
  const similar: SimilarPages[][] = others.map(() => []);
  const matched = others.map(() => new Set<VisualFingerprint>());
  const { pairs, unread } = likelyPairs(prints, others, () => spentMs() < budget.wordsMs);
  let [compared, skipped] = [0, unread];
  for (const { index, one, other, words } of pairs) {
    if (matched[index]?.has(one) || matched[index]?.has(other)) continue;
    const isOver = compared === budget.pairs || spentMs() >= budget.cpuMs;
    const found = isOver ? 'skipped' : unlessBroken(() => comparePages(one, other, words));
    if (!isOver) compared += 1;
    if (found === 'skipped') skipped += 1;
    else if (found) {
      similar[index]?.push(found);
      matched[index]?.add(one).add(other);
    }
  }
  return { similar, skipped };
};

/** The pairs that may be similar, the likeliest first; `unread` is how many were skipped. */
const likelyPairs = (
  prints: readonly VisualFingerprint[],
  others: readonly (readonly VisualFingerprint[])[],
  hasTime: () => boolean,
): Readonly<{ pairs: readonly Pair[]; unread: number }> => {
  const all = others
    .flatMap((pages, index) =>
      pages.flatMap((other, m) => prints.map((one, n) => ({ index, one, other, apart: Math.abs(n - m) }))),
    )
    .sort((a, b) => a.apart - b.apart);
  const pairs: Pair[] = [];
  let unread = 0;
  for (const { index, one, other } of all) {
    const words = hasTime() ? unlessBroken(() => compareWords(one.words, other.words)) : 'skipped';
    if (words === 'skipped') {
      unread += 1;
      continue;
    }
    const likely = words.fewest < MIN_WORDS ? UNKNOWN : commonShare(words);
    if (!words.differs && likely >= MIN_COMMON) pairs.push({ index, one, other, words, likely });
  }
  return { pairs: pairs.sort((a, b) => b.likely - a.likely), unread };
};

const unlessBroken = <T>(compare: () => T): T | 'skipped' => {
  try {
    return compare();
  } catch {
    return 'skipped'; // counted by the caller
  }
};

/**
 * Whether two pages whose words do not differ are the same picture, however it was saved, scaled, cropped,
 * turned a little or brightened; null where they are not. Throws where a fingerprint is broken.
 */
const comparePages = (
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
const commonShare = ({ same, fewest }: WordsCompared): number => (fewest === 0 ? 0 : same / fewest);

const layerOf = ({ strokes, width, height }: VisualFingerprint): Layer =>
  blurred(unpacked(strokes, width, height));
