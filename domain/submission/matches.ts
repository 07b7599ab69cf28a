import type { CheckOffered, Fingerprint, NamedFile } from './fingerprints.ts';
import type { FraudMatch } from './fraud.ts';

/** A fingerprint of a submission that came first in the log. */
type Earlier = Readonly<{ submissionId: string; position: string; files: readonly NamedFile[] }>;

/** A fingerprint and the nearest of the same value that came first; `count` says how many there are in all. */
export type Found = Readonly<{ fingerprint: Fingerprint; earlier: readonly Earlier[]; count: number }>;

/** How many matches a submission lists at most, and so how many entries of a fingerprint are worth looking at. */
export const MOST_MATCHES = 100;
/** How many pairs of equal files a match names: events are kept small. */
const MOST_PAIRS = 5;

/**
 * What a match of each check weighs. The same file again blocks by default. The same data may be the same purchase photographed anew, or
 * two coffees of one morning: flagged, for a person to look at.
 */
const SCORES: Readonly<Record<CheckOffered, number>> = { duplicate_file: 1, duplicate_data: 0.8 };

/**
 * One match a check and submission that came first: the highest scores first, of one score the nearest in the log, 100 at most. The last
 * tells in `details.further` how many are left out (where files of several contents match, they may be more).
 */
export const matchesOf = (
  found: readonly Found[],
  businessKey: readonly string[],
  newId: () => string,
): readonly FraudMatch[] => {
  const all = likenessesIn(found);
  const listed = all.slice(0, MOST_MATCHES);
  const further = totalOf(found) - listed.length;
  return listed.map(({ checkType, submissionId, pairs }, index) => ({
    id: newId(),
    checkType,
    score: SCORES[checkType],
    similarity: 1,
    matchedSubmissionId: submissionId,
    details: {
      ...(checkType === 'duplicate_file' ? { files: pairs.slice(0, MOST_PAIRS) } : { fields: businessKey }),
      ...(index === listed.length - 1 && further > 0 ? { further } : {}),
    },
  }));
};

/** Two files of the same bytes. */
type Pair = Readonly<{ fileId: string; label: string; matchedFileId: string; matchedLabel: string }>;
type Likeness = Readonly<{
  checkType: CheckOffered;
  submissionId: string;
  position: string;
  pairs: readonly Pair[];
}>;

const likenessesIn = (found: readonly Found[]): readonly Likeness[] => {
  const byMatch = new Map<string, Likeness>();
  for (const { fingerprint, earlier } of found)
    for (const { submissionId, position, files } of earlier) {
      const { checkType } = fingerprint;
      const key = `${checkType} ${submissionId}`;
      const pairs = [...(byMatch.get(key)?.pairs ?? []), ...pairsOf(fingerprint.files, files)];
      byMatch.set(key, { checkType, submissionId, position, pairs });
    }
  return [...byMatch.values()].sort(weightiestThenNearest);
};

const pairsOf = (own: readonly NamedFile[], others: readonly NamedFile[]): readonly Pair[] =>
  own.flatMap(({ fileId, label }) =>
    others.map((other) => ({ fileId, label, matchedFileId: other.fileId, matchedLabel: other.label })),
  );

const weightiestThenNearest = (one: Likeness, other: Likeness): number =>
  SCORES[other.checkType] - SCORES[one.checkType] || (one.position > other.position ? -1 : 1);

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
