import * as assert from 'uvu/assert';
import { type FraudCheckType, fraudChecks, type ListedCheck } from '../../../domain/fraud/checks.ts';
import {
  type FoundByPages,
  type FoundByTrait,
  MAX_MATCHES,
  matchesOf,
} from '../../../domain/fraud/matches.ts';
import type { SimilarPages } from '../../../domain/fraud/pages.ts';
import { statusOf } from '../../../domain/submission/fraud.ts';
import { suite } from '../../harness.ts';

const test = suite('matches');

const check = (type: FraudCheckType) => fraudChecks.find((one) => one.type === type) as ListedCheck;
const byPages = check('near_duplicate_image');

type Own = Pick<FoundByTrait, 'check' | 'files'>;
const file = (_value: string, label = 'front'): Own => ({
  check: check('duplicate_file'),
  files: [{ fileId: `fil_${label}`, label }],
});
const data: Own = { check: check('duplicate_data'), files: [] };
const entry = (n: number, label = 'scan') => ({
  submissionId: `sub_${n}`,
  position: String(n).padStart(4, '0'),
  files: [{ fileId: `fil_${label}_${n}`, label }],
});
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => count - n);
const found = (own: Own, ...of: readonly number[]): FoundByTrait => ({
  ...own,
  earlier: of.map((n) => entry(n)),
  count: of.length,
});
const match = (all: readonly FoundByTrait[], near: readonly FoundByPages[] = []) => {
  let n = 0;
  return matchesOf(all, near, ['company', 'total'], () => `fm_${++n}`);
};
const told = (all: readonly FoundByTrait[]) =>
  match(all).map(({ checkType, matchedSubmissionId, score }) => [checkType, matchedSubmissionId, score]);

test('nothing found is no match', () => {
  assert.equal(match([]), []);
  assert.equal(match([found(data)]), []);
});

test('a match says what was compared', () => {
  assert.equal(match([found(file('a'), 1), found(data, 1)]), [
    {
      id: 'fm_1',
      checkType: 'duplicate_file',
      score: 1,
      similarity: 1,
      matchedSubmissionId: 'sub_1',
      details: {
        files: [{ fileId: 'fil_front', label: 'front', matchedFileId: 'fil_scan_1', matchedLabel: 'scan' }],
      },
    },
    {
      id: 'fm_2',
      checkType: 'duplicate_data',
      score: 0.8,
      similarity: 1,
      matchedSubmissionId: 'sub_1',
      details: { fields: ['company', 'total'] },
    },
  ]);
});

test('there is one match a check and submission, however many files are the same', () => {
  const matches = match([found(file('a'), 2, 1), found(file('b', 'back'), 2)]);
  assert.equal(
    matches.map(({ matchedSubmissionId, details }) => [
      matchedSubmissionId,
      (details.files as unknown[]).length,
    ]),
    [
      ['sub_2', 2],
      ['sub_1', 1],
    ],
  );
});

test('the highest scores come first, of one score the nearest', () =>
  assert.equal(told([found(data, 9, 8), found(file('a'), 1), found(file('b'), 2)]), [
    ['duplicate_file', 'sub_2', 1],
    ['duplicate_file', 'sub_1', 1],
    ['duplicate_data', 'sub_9', 0.8],
    ['duplicate_data', 'sub_8', 0.8],
  ]));

test('a hundred are listed, and the last has the number of the others', () => {
  const matches = match([{ ...found(data, ...numbers(100)), count: 1_000 }]);
  assert.is(matches.length, MAX_MATCHES);
  assert.equal(matches.at(-1)?.details, { fields: ['company', 'total'], further: 900 });
  assert.equal(matches.at(-2)?.details, { fields: ['company', 'total'] });
  assert.is(match([found(data, ...numbers(100))]).at(-1)?.details.further, undefined);
});

test('however many weigh less, what weighs most is listed', () => {
  const matches = match([found(data, ...numbers(100)), found(file('a'), 0)]);
  assert.equal([matches.length, matches[0]?.score], [100, 1]);
  assert.is(matches.at(-1)?.details.further, 1);
});

test('however many matches of one check there are, of which a version may make nothing, those of another are listed', () => {
  const matches = match([found(file('appendix'), ...numbers(100)), found(data, 0)]);
  assert.equal(matches.at(-1)?.checkType, 'duplicate_data');
  assert.equal(matches.at(-1)?.details, { fields: ['company', 'total'], further: 1 });
  const pages = [alike('fil_1', 'fil_2', 0.9)];
  const near = numbers(16).map((n) => ({
    check: byPages,
    submissionId: `sub_${n}`,
    position: String(n),
    pages,
  }));
  const all = match([found(file('appendix'), ...numbers(100)), found(data, ...numbers(100))], near);
  const counted = (check: string) => all.filter(({ checkType }) => checkType === check).length;
  assert.equal(['duplicate_file', 'duplicate_data', 'near_duplicate_image'].map(counted), [42, 42, 16]);
  const scores = all.map(({ score }) => score);
  assert.equal(
    scores,
    [...scores].sort((a, b) => b - a),
  );
});

test('files of many contents count the submissions, not the files', () => {
  const matches = match([found(file('a'), ...numbers(100)), found(file('b'), ...numbers(100))]);
  assert.is(matches.length, 100);
  assert.is(matches.at(-1)?.details.further, undefined);
});

test('a match names five pairs of files at most', () => {
  const pair = { fileId: 'fil', label: 'x', matchedFileId: 'fil', matchedLabel: 'x' };
  const many = { ...file('a'), files: Array(40).fill({ fileId: 'fil', label: 'x' }) };
  const earlier = [{ ...entry(1), files: Array(40).fill({ fileId: 'fil', label: 'x' }) }];
  const [only] = match([{ ...many, earlier, count: 1 }]);
  assert.equal(only?.details.files, Array(5).fill(pair));
});

const alike = (
  fileId: string,
  matchedFileId: string,
  similarity: number,
  over: Partial<SimilarPages> = {},
) => ({
  ...{ fileId, label: 'front', page: 1, matchedFileId, matchedLabel: 'scan', matchedPage: 2, similarity },
  ...{ parts: { compared: 200, same: 200 * similarity }, words: { compared: 50, same: 40 } },
  ...{ numbers: { compared: 10, same: 8 }, certain: false, ...over },
});

test('similar pages are flagged, by the share of their numbers that are on both, with what was compared', () => {
  const pages = [alike('fil_1', 'fil_2', 0.9), alike('fil_3', 'fil_4', 0.98)];
  assert.equal(match([], [{ check: byPages, submissionId: 'sub_1', position: '1', pages }]), [
    {
      id: 'fm_1',
      checkType: 'near_duplicate_image',
      score: 0.8,
      similarity: 0.98,
      matchedSubmissionId: 'sub_1',
      details: { pages },
    },
  ]);
});

test('pages that are alike block where they are certain to be one picture, and never else', () => {
  const scoreOf = (...pages: SimilarPages[]) =>
    match([], [{ check: byPages, submissionId: 'sub_1', position: '1', pages }])[0]?.score ?? 0;
  const numbers = { compared: 20, same: 20 };
  const certain = alike('fil_1', 'fil_2', 1, { certain: true, numbers });
  const uncertain = alike('fil_3', 'fil_4', 1, { numbers });
  const unread = alike('fil_3', 'fil_4', 1, { numbers: { compared: 0, same: 0 } });
  const policy = { flagAt: 0.5, blockAt: 0.9, requireResolution: true };
  const made = [certain, uncertain, unread].map((page) =>
    statusOf({ checkType: 'near_duplicate_image', score: scoreOf(page) }, policy),
  );
  assert.equal(made, ['blocked', 'flagged', 'flagged']);
  assert.is(scoreOf(unread, certain, uncertain), scoreOf(certain), 'the weightiest page counts');
});

test('files of the same bytes are one match; other pages of the two submissions are another', () => {
  const twin = alike('fil_front', 'fil_scan_1', 1);
  const near = (...pages: FoundByPages['pages']) => [
    { check: byPages, submissionId: 'sub_1', position: '0001', pages },
  ];
  const kinds = (matches: ReturnType<typeof match>) => matches.map(({ checkType }) => checkType);
  assert.equal(kinds(match([found(file('a'), 1)], near(twin))), ['duplicate_file']);
  assert.equal(kinds(match([], near(twin))), ['near_duplicate_image']);
  const both = match([found(file('a'), 1)], near(twin, alike('fil_back', 'fil_back_1', 0.95)));
  assert.equal(kinds(both), ['duplicate_file', 'near_duplicate_image']);
  assert.equal(both[1]?.similarity, 0.95);
});
