import type { FraudCheck } from '../workflow.ts';
import type { Fingerprint, NamedFile } from './fingerprints.ts';
import type { FraudMatch } from './fraud.ts';
import type { AlikePages } from './prints.ts';

/** A fingerprint of a submission that came first in the log. */
type Earlier = Readonly<{ submissionId: string; position: string; files: readonly NamedFile[] }>;

/** A fingerprint and the nearest of the same value that came first; `count` says how many there are in all. */
export type Found = Readonly<{ fingerprint: Fingerprint; earlier: readonly Earlier[]; count: number }>;

/** A submission that came first and has pages alike to this one's. */
export type Near = Readonly<{ submissionId: string; position: string; pages: readonly AlikePages[] }>;

/** How many matches a submission lists at most, and so how many entries of a fingerprint are worth looking at. */
export const MOST_MATCHES = 100;
/** How many pairs of equal files a match names: events are kept small. */
const MOST_PAIRS = 5;

/**
 * What a match of each check weighs. The same file again blocks by default. The same data may be the same purchase photographed anew, or
 * two coffees of one morning: flagged, for a person to look at.
 */
const SCORES = { duplicate_file: 1, duplicate_data: 0.8 } as const;
/**
 * What pages that are alike weigh. By default they are flagged, the more of their sure numbers stand on both the higher: copies are misread, and documents of a
 * template look alike. Only what is certain to be one picture blocks.
 */
const ALIKE = { least: 0.6, most: 0.85, certain: 0.95 } as const;

/**
 * One match a check and submission that came first: the highest scores first, of one score the nearest in the log, 100 at most, places that
 * the checks take turns for. The last tells in `details.further` how many are left out (where files of several contents match, they may be more).
 */
export const matchesOf = (
  found: readonly Found[],
  near: readonly Near[],
  businessKey: readonly string[],
  newId: () => string,
): readonly FraudMatch[] => {
  const equal = equalsIn(found);
  const alike = near.flatMap((one) => withoutEqual(one, equal));
  const all = [
    ...equal.map((one) => ({
      ...one,
      score: SCORES[one.checkType],
      similarity: 1,
      details: toldOf(one, businessKey),
    })),
    ...alike.map(alikeMatch),
  ].sort(weightiestThenNearest);
  const listed = inTurns(all).slice(0, MOST_MATCHES).sort(weightiestThenNearest);
  const further = totalOf(found) + alike.length - listed.length;
  return listed.map(({ checkType, submissionId, score, similarity, details }, index) => ({
    id: newId(),
    checkType,
    score,
    similarity,
    matchedSubmissionId: submissionId,
    details: { ...details, ...(index === listed.length - 1 && further > 0 ? { further } : {}) },
  }));
};

const toldOf = ({ checkType, pairs }: Equal, businessKey: readonly string[]) =>
  checkType === 'duplicate_file' ? { files: pairs.slice(0, MOST_PAIRS) } : { fields: businessKey };

/** A pair of files of the same bytes is told by that alone: its pages are no near duplicates beside. */
const withoutEqual = (near: Near, equal: readonly Equal[]): readonly Near[] => {
  const pairs = equal
    .filter(
      ({ submissionId, checkType }) => submissionId === near.submissionId && checkType === 'duplicate_file',
    )
    .flatMap((one) => one.pairs);
  const pages = near.pages.filter(
    (page) => !pairs.some((pair) => pair.fileId === page.fileId && pair.matchedFileId === page.matchedFileId),
  );
  return pages.length > 0 ? [{ ...near, pages }] : [];
};

const alikeMatch = ({ submissionId, position, pages }: Near) => {
  const similarity = Math.max(...pages.map((page) => page.similarity));
  const score = Math.max(...pages.map(weightOf));
  const checkType = 'near_duplicate_image' as const;
  return {
    checkType,
    submissionId,
    position,
    score,
    similarity,
    details: { pages: pages.slice(0, MOST_PAIRS) },
  };
};

const weightOf = ({ certain, numbers: { compared, same } }: AlikePages): number => {
  if (certain) return ALIKE.certain;
  const share = compared === 0 ? 0 : same / compared;
  return Math.round(1_000 * (ALIKE.least + share * (ALIKE.most - ALIKE.least))) / 1_000;
};

/** Two files of the same bytes. */
type Pair = Readonly<{ fileId: string; label: string; matchedFileId: string; matchedLabel: string }>;
type Equal = Readonly<{
  checkType: keyof typeof SCORES;
  submissionId: string;
  position: string;
  pairs: readonly Pair[];
}>;

const equalsIn = (found: readonly Found[]): readonly Equal[] => {
  const byMatch = new Map<string, Equal>();
  for (const { fingerprint, earlier } of found)
    for (const { submissionId, position, files } of earlier) {
      const { checkType } = fingerprint;
      if (checkType === 'near_duplicate_image') continue; // these are compared first
      const key = `${checkType} ${submissionId}`;
      const pairs = [...(byMatch.get(key)?.pairs ?? []), ...pairsOf(fingerprint.files, files)];
      byMatch.set(key, { checkType, submissionId, position, pairs });
    }
  return [...byMatch.values()];
};

const pairsOf = (own: readonly NamedFile[], others: readonly NamedFile[]): readonly Pair[] =>
  own.flatMap(({ fileId, label }) =>
    others.map((other) => ({ fileId, label, matchedFileId: other.fileId, matchedLabel: other.label })),
  );

type Weighed = Readonly<{ checkType: FraudCheck; score: number; position: string }>;

/** The first of each check, then the second of each: no check's matches, which a version may allow, crowd out another's. */
const inTurns = <M extends Weighed>(sorted: readonly M[]): readonly M[] => {
  const taken = new Map<FraudCheck, number>();
  const placed = sorted.map((match) => {
    const turn = taken.get(match.checkType) ?? 0;
    taken.set(match.checkType, turn + 1);
    return { match, turn };
  });
  return placed.sort((one, other) => one.turn - other.turn).map(({ match }) => match);
};

const weightiestThenNearest = (one: Weighed, other: Weighed): number =>
  other.score - one.score || (one.position > other.position ? -1 : 1);

/** How many there are in all: of each check at least as many as were seen, and as any of its fingerprints has. */
const totalOf = (found: readonly Found[]): number => {
  const checks = [...new Set(found.map(({ fingerprint }) => fingerprint.checkType))];
  return checks
    .map((check) => {
      const own = found.filter(({ fingerprint }) => fingerprint.checkType === check);
      const seen = new Set(own.flatMap(({ earlier }) => earlier.map(({ submissionId }) => submissionId)));
      return Math.max(seen.size, ...own.map(({ count }) => count));
    })
    .reduce((sum, count) => sum + count, 0);
};
