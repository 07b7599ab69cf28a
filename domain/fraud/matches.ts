import { rounds } from '../../kernel/interleave.ts';
import type { FraudMatch } from '../submission/fraud.ts';
import type { FilePair, NamedFile } from './check.ts';
import { fraudCheckTypes, type ListedCheck } from './checks.ts';
import type { SimilarPages } from './pages.ts';

/** An earlier submission with the same trait. */
type Earlier = Readonly<{ submissionId: string; position: string; files: readonly NamedFile[] }>;

/** The files of a trait and the nearest earlier submissions that have it, of `count` in all. */
export type FoundByTrait = Readonly<{
  check: ListedCheck;
  files: readonly NamedFile[];
  earlier: readonly Earlier[];
  count: number;
}>;

/** An earlier submission with similar pages. */
export type FoundByPages = Readonly<{
  check: ListedCheck;
  submissionId: string;
  position: string;
  pages: readonly SimilarPages[];
}>;

/** How many matches a submission lists at most, and so how many entries of a fingerprint are read. */
export const MAX_MATCHES = 100;
/** How many pairs of equal files or similar pages a match names: events are small. */
const MAX_PAIRS = 5;

type Candidate = Omit<FraudMatch, 'id' | 'matchedSubmissionId'> &
  Readonly<{ submissionId: string; position: string }>;

/**
 * One match a check and earlier submission, 100 at most: the highest scores first, then the nearest in the
 * log. The checks take turns, so that no check's matches crowd out another's. The last has in
 * `details.further` how many are not listed (more, where files of several contents match).
 */
export const matchesOf = (
  found: readonly FoundByTrait[],
  similar: readonly FoundByPages[],
  businessKey: readonly string[],
  newId: () => string,
): readonly FraudMatch[] => {
  const equal = equalsIn(found);
  const byPages = similar.flatMap((one) => withoutEqualFiles(one, equal)).flatMap(matchByPages);
  const all = [...equal.flatMap((one) => matchByTrait(one, businessKey)), ...byPages].sort(
    highestThenNearest,
  );
  const turns = rounds(fraudCheckTypes.map((type) => all.filter(({ checkType }) => checkType === type)));
  const listed = turns
    .flatMap((turn) => turn.toSorted(highestThenNearest))
    .slice(0, MAX_MATCHES)
    .sort(highestThenNearest);
  const further = countOf(found) + byPages.length - listed.length;
  return listed.map(({ checkType, submissionId, score, similarity, details }, index) => ({
    id: newId(),
    checkType,
    score,
    similarity,
    matchedSubmissionId: submissionId,
    details: { ...details, ...(index === listed.length - 1 && further > 0 ? { further } : {}) },
  }));
};

type Equal = Pick<FoundByTrait, 'check'> &
  Readonly<{ submissionId: string; position: string; pairs: readonly FilePair[] }>;

/** What was found by traits, once a check and earlier submission. */
const equalsIn = (found: readonly FoundByTrait[]): readonly Equal[] => {
  const equals = new Map<string, Equal>();
  for (const { check, files: own, earlier } of found)
    for (const { submissionId, position, files } of earlier) {
      const key = `${check.type} ${submissionId}`;
      const pairs = [...(equals.get(key)?.pairs ?? []), ...pairsOf(own, files)];
      equals.set(key, { check, submissionId, position, pairs });
    }
  return [...equals.values()];
};

const pairsOf = (own: readonly NamedFile[], others: readonly NamedFile[]): readonly FilePair[] =>
  own.flatMap(({ fileId, label }) =>
    others.map((other) => ({ fileId, label, matchedFileId: other.fileId, matchedLabel: other.label })),
  );

const matchByTrait = (
  { check, submissionId, position, pairs }: Equal,
  businessKey: readonly string[],
): readonly Candidate[] => {
  const { type: checkType, score, match } = check;
  if (match.by !== 'trait') return [];
  const details = match.details(pairs.slice(0, MAX_PAIRS), businessKey);
  return [{ checkType, submissionId, position, score, similarity: 1, details }];
};

const matchByPages = ({ check, submissionId, position, pages }: FoundByPages): readonly Candidate[] => {
  const { type: checkType, match } = check;
  if (match.by !== 'pages') return [];
  const score = Math.max(...pages.map(match.scoreOf));
  const similarity = Math.max(...pages.map((page) => page.similarity));
  return [
    { checkType, submissionId, position, score, similarity, details: { pages: pages.slice(0, MAX_PAIRS) } },
  ];
};

/** Pages of two files with the same trait are no match of their own. */
const withoutEqualFiles = (similar: FoundByPages, equal: readonly Equal[]): readonly FoundByPages[] => {
  const pairs = equal
    .filter(({ submissionId }) => submissionId === similar.submissionId)
    .flatMap((one) => one.pairs);
  const pages = similar.pages.filter(
    (page) => !pairs.some((pair) => pair.fileId === page.fileId && pair.matchedFileId === page.matchedFileId),
  );
  return pages.length > 0 ? [{ ...similar, pages }] : [];
};

const highestThenNearest = (one: Candidate, other: Candidate): number =>
  other.score - one.score || (one.position > other.position ? -1 : 1);

/** How many there are in all: of each check at least as many as were found, and as any of its traits has. */
const countOf = (found: readonly FoundByTrait[]): number =>
  fraudCheckTypes
    .map((type) => {
      const own = found.filter(({ check }) => check.type === type);
      const listed = new Set(own.flatMap(({ earlier }) => earlier.map(({ submissionId }) => submissionId)));
      return Math.max(listed.size, ...own.map(({ count }) => count));
    })
    .reduce((sum, count) => sum + count, 0);
