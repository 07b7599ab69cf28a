import type { AlikePages, Print } from '../../../domain/submission/prints.ts';
import type { Compared } from '../../types.ts';
import { commonShare, compareRead } from './compare.ts';
import { compareWords, type WordsCompared } from './compareWords.ts';

/** What a check may cost: pairs of pages whose strokes are laid on each other, and processor time in ms, of which the words may take so much. */
const BUDGET = { pairs: 40, cpuMs: 5_000, wordsMs: 2_000 };
type Budget = typeof BUDGET;

/** Two pages of which more words are legible than this and less than this share is the same are no copies: of 55 copies none had less than half. */
const LEGIBLE = 10;
const LEAST_COMMON = 0.1;
/** How likely pages are that can't be told by their words. */
const UNKNOWN = 0.5;

/** Two pages whose words were compared and do not differ: `place` is the other submission's, `likely` (0..1) the share of common words. */
type Pair = Readonly<{ place: number; one: Print; other: Print; words: WordsCompared; likely: number }>;

/**
 * Which pages of others, each a submission's, are alike to these, each page named once. Words are compared first: that costs little and rules most pages
 * out; then the strokes of the likeliest. `spentMs` tells the processor time since the start: once the budget is used up, the rest is `left`. So is a pair of which a print is
 * broken: no one else's submission fails for it.
 */
export const compareAll = (
  prints: readonly Print[],
  others: readonly (readonly Print[])[],
  spentMs: () => number,
  budget: Budget = BUDGET,
): Omit<Compared, 'kind'> => {
  const alike: AlikePages[][] = others.map(() => []);
  const taken = others.map(() => new Set<Print>());
  const { pairs, unread } = likelyPairs(prints, others, () => spentMs() < budget.wordsMs);
  let [done, left] = [0, unread];
  for (const { place, one, other, words } of pairs) {
    if (taken[place]?.has(one) || taken[place]?.has(other)) continue;
    if (done === budget.pairs || spentMs() >= budget.cpuMs) {
      left += 1;
      continue;
    }
    done += 1;
    const found = unlessBroken(() => compareRead(one, other, words));
    if (found === 'broken') left += 1;
    if (found === 'broken' || !found) continue;
    alike[place]?.push(found);
    taken[place]?.add(one).add(other);
  }
  return { alike, left };
};

/** The pairs that may be alike, the likeliest first, of equals those of the likeliest submission and in the same place; and how many were not looked at. */
const likelyPairs = (
  prints: readonly Print[],
  others: readonly (readonly Print[])[],
  goesOn: () => boolean,
): Readonly<{ pairs: readonly Pair[]; unread: number }> => {
  const all = others
    .flatMap((pages, place) =>
      pages.flatMap((other, m) => prints.map((one, n) => ({ place, one, other, apart: Math.abs(n - m) }))),
    )
    .sort((a, b) => a.apart - b.apart);
  const pairs: Pair[] = [];
  let broken = 0;
  for (const [n, { place, one, other }] of all.entries()) {
    if (!goesOn()) return { pairs: likeliestFirst(pairs), unread: all.length - n + broken };
    const words = unlessBroken(() => compareWords(one.words, other.words));
    if (words === 'broken') {
      broken += 1;
      continue;
    }
    const likely = words.fewest < LEGIBLE ? UNKNOWN : commonShare(words);
    if (!words.differs && likely >= LEAST_COMMON) pairs.push({ place, one, other, words, likely });
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
