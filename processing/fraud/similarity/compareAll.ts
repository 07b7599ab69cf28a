import type { SimilarPages, VisualFingerprint } from '../../../domain/fraud/pages.ts';
import type { Compared } from '../../types.ts';
import { commonShare, comparePages } from './compare.ts';
import { compareWords, type WordsCompared } from './compareWords.ts';

/** The cost of one comparison at most: pairs whose strokes are compared, processor time in ms, and how much of it for words. */
const BUDGET = { pairs: 40, cpuMs: 5_000, wordsMs: 2_000 };
type Budget = typeof BUDGET;

/** Two pages with so many words that share less than this are no copies: of 55 copies none shared less than half. */
const MIN_WORDS = 10;
const MIN_COMMON = 0.1;
/** How likely pages with fewer words are to be similar. */
const UNKNOWN = 0.5;

/** Two pages whose words do not differ: `index` is the other submission's, `likely` (0..1) the share of common words. */
type Pair = Readonly<{
  index: number;
  one: VisualFingerprint;
  other: VisualFingerprint;
  words: WordsCompared;
  likely: number;
}>;

/**
 * Compares pages with those of other submissions; each page is in one pair at most. Words are compared first, which
 * costs little and rules most pages out, then the strokes of the likeliest. `spentMs` is the processor time since the
 * start: pairs beyond the budget are skipped, and so are those with a broken fingerprint, for which no other
 * submission may fail.
 */
export const compareAll = (
  prints: readonly VisualFingerprint[],
  others: readonly (readonly VisualFingerprint[])[],
  spentMs: () => number,
  budget: Budget = BUDGET,
): Omit<Compared, 'kind'> => {
  const similar: SimilarPages[][] = others.map(() => []);
  const taken = others.map(() => new Set<VisualFingerprint>());
  const { pairs, unread } = likelyPairs(prints, others, () => spentMs() < budget.wordsMs);
  let [done, skipped] = [0, unread];
  for (const { index, one, other, words } of pairs) {
    if (taken[index]?.has(one) || taken[index]?.has(other)) continue;
    if (done === budget.pairs || spentMs() >= budget.cpuMs) {
      skipped += 1;
      continue;
    }
    done += 1;
    const found = unlessBroken(() => comparePages(one, other, words));
    if (found === 'broken') skipped += 1;
    if (found === 'broken' || !found) continue;
    similar[index]?.push(found);
    taken[index]?.add(one).add(other);
  }
  return { similar, skipped };
};

/** The pairs that may be similar, the likeliest first, then by the order of submissions; `unread` is how many were skipped. */
const likelyPairs = (
  prints: readonly VisualFingerprint[],
  others: readonly (readonly VisualFingerprint[])[],
  goesOn: () => boolean,
): Readonly<{ pairs: readonly Pair[]; unread: number }> => {
  const all = others
    .flatMap((pages, index) =>
      pages.flatMap((other, m) => prints.map((one, n) => ({ index, one, other, apart: Math.abs(n - m) }))),
    )
    .sort((a, b) => a.apart - b.apart);
  const pairs: Pair[] = [];
  let broken = 0;
  for (const [n, { index, one, other }] of all.entries()) {
    if (!goesOn()) return { pairs: likeliestFirst(pairs), unread: all.length - n + broken };
    const words = unlessBroken(() => compareWords(one.words, other.words));
    if (words === 'broken') {
      broken += 1;
      continue;
    }
    const likely = words.fewest < MIN_WORDS ? UNKNOWN : commonShare(words);
    if (!words.differs && likely >= MIN_COMMON) pairs.push({ index, one, other, words, likely });
  }
  return { pairs: likeliestFirst(pairs), unread: broken };
};

const likeliestFirst = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.toSorted((a, b) => b.likely - a.likely);

const unlessBroken = <T>(compare: () => T): T | 'broken' => {
  try {
    return compare();
  } catch {
    return 'broken'; // counted by the caller
  }
};
