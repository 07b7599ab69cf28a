import * as assert from 'uvu/assert';
import { type Comparison, compare, type Reading, verdictOf } from '../../../domain/evaluation/judge.ts';
import { reportOf } from '../../../domain/evaluation/report.ts';
import type { ExtractedData } from '../../../domain/submission/processingResult.ts';
import { suite } from '../../harness.ts';

const test = suite('evaluation: the report');

test('a value is exact, right but for its spelling, missing or wrong', () => {
  for (const [truth, found, verdict] of [
    ['ACME Ltd.', 'ACME Ltd.', 'exact'],
    ['ACME Ltd.', 'acme LTD', 'normalised'],
    ['ACME Ltd.', null, 'missing'],
    ['ACME Ltd.', 'ACNE Ltd.', 'wrong'],
    [12.5, 12.5, 'exact'],
    [12.5, 125, 'wrong'],
    [12.5, '12.5', 'wrong'],
    [false, true, 'wrong'],
    [null, null, 'exact'],
    [null, 'x', 'wrong'],
  ] as const)
    assert.is(verdictOf({ truth, found }), verdict, `${truth}, ${found}`);
});

test('a table is judged by what its rows hold, and differs where a cell does', () => {
  const row = (description: string, amount: number) => ({ description, amount });
  const truth = [row('Steel bolts', 9.5), row('Brass nuts', 3)];
  for (const [found, verdict] of [
    [[row('Steel bolts', 9.5), row('Brass nuts', 3)], 'exact'],
    [[row('STEEL BOLTS', 9.5), row('brass-nuts', 3)], 'normalised'],
    [[row('Steel bolts', 9.5)], 'wrong'],
    [[row('Steel bolts', 9.5), row('Brass nuts', 30)], 'wrong'],
    [null, 'missing'],
  ] as const)
    assert.is(verdictOf({ truth, found }), verdict, JSON.stringify(found));
  const items = (amount: number) => read({ items: [row('Steel bolts', 9.5), row('Brass nuts', amount)] });
  const judged = (now: Reading) =>
    compare({
      ...{ submissionId: 'a', version: 1, isChecked: true },
      truth: { items: truth },
      then: items(3),
      now,
    });
  assert.equal(judged(items(3)).changed, []);
  assert.equal(judged(items(4)).changed, ['items']);
});

const TRUTH = { company: 'ACME', total: 10, address: 'x' };
const MEASURED = { required: ['company', 'total'], reviewBelow: 0.8 };

/** What was read of a document, each value with 0.9 unless it says otherwise. */
const read = (
  values: ExtractedData,
  confidences: Readonly<Record<string, number>> = {},
  reasons: readonly string[] = [],
): Reading => {
  const sure = Object.keys(values).map((name) => [name, confidences[name] ?? 0.9] as const);
  const confidence = Math.min(...sure.map(([, one]) => one));
  return { values, confidence, confidences: Object.fromEntries(sure), reasons };
};

const compared = (id: string, then: Reading, now: Reading = then, isChecked = true): Comparison =>
  compare({ ...{ submissionId: id, version: 1, isChecked, truth: TRUTH }, then, now });

const SET = [
  compared('a', read({ ...TRUTH, address: 'y' }, { address: 0.95 })),
  compared('b', read({ company: 'acme', total: 100 }), read({ company: 'acme', total: 10 }), false),
  compared(
    'c',
    read({ company: null, total: 1 }, { total: 0.4 }, ['missing_required']),
    read({ company: 'Acme' }, { company: 0.7 }, ['low_confidence']),
  ),
];

test('figures count by field, what is approved, and of that what is wrong in a required field', () => {
  const { documents, checked, before } = reportOf(SET, MEASURED, 0.01);
  assert.equal([documents, checked], [3, 2]);
  assert.equal(
    before.fields.map(({ right, ...counts }) => [...Object.values(counts), right?.share]),
    [
      ['company', 1, 1, 1, 0, 2, 0, 2 / 3],
      ['total', 1, 0, 0, 2, 2, 1, 1 / 3],
      ['address', 0, 0, 0, 1, 1, 1, 0],
    ],
  );
  assert.equal([before.approved?.share, before.wrongApproved?.share], [2 / 3, 1 / 2]);
  assert.ok((before.wrongApproved?.from ?? 1) < 0.1 && (before.wrongApproved?.to ?? 0) > 0.9);
});

test('calibration counts what was found, by its confidence', () => {
  const { calibration } = reportOf(SET, MEASURED, 0.01).before;
  assert.equal(
    calibration.filter(({ count }) => count > 0),
    [
      { from: 0.3, to: 0.5, count: 1, right: 0 },
      { from: 0.9, to: 0.95, count: 4, right: 3 },
      { from: 0.95, to: 1, count: 1, right: 0 },
    ],
  );
});

test('two versions differ in the fields that they read differently, and in what they approve', () => {
  const { differences, approvals } = reportOf(SET, MEASURED, 0.01);
  assert.equal(
    differences.map((one) => [one.submissionId, one.name, one.before?.verdict, one.after?.verdict]),
    [
      ['b', 'total', 'wrong', 'exact'],
      ['c', 'company', 'missing', 'normalised'],
      ['c', 'total', 'wrong', undefined],
    ],
  );
  assert.equal(approvals, []);
  const sure = compared('d', read(TRUTH, {}, ['low_confidence']), read(TRUTH));
  assert.equal(reportOf([sure], MEASURED, 0.01).approvals, [{ submissionId: 'd', isApproved: true }]);
});

test('a threshold lets through what only a threshold holds back', () => {
  const one = (confidence: number, reason: string) => {
    const then = read(TRUTH, { company: 0.9 }, [reason]);
    return compared(`${confidence}`, then, { ...then, confidence });
  };
  const many = Array.from({ length: 80 }, (_, n) => one(0.5 + n / 200, 'low_confidence'));
  const held = Array.from({ length: 20 }, (_, n) => one(0.99 + n / 2_000, 'invalid_field'));
  const { advice } = reportOf([...many, ...held], MEASURED, 0.05);
  assert.equal([advice?.total, advice?.needed, advice?.threshold?.reviewBelow], [80, 59, 0.5]);
  assert.equal(advice?.reviews, { before: 1, after: 1, advised: 1 - 80 / 100 });
  const few = reportOf(many.slice(0, 58), MEASURED, 0.05).advice;
  assert.equal([few?.threshold, few?.reviews.advised], [null, null]);
  assert.is(reportOf([], MEASURED, 0.05).advice, null);
});

test('each required field has a threshold of its own, where one holds [evaluations-12]', () => {
  const of = (n: number): Comparison => {
    const total = n % 3 === 0 ? 100 : 10;
    return compared(`${n}`, read({ ...TRUTH, total }, { total: total === 10 ? 0.9 : 0.6, company: 0.7 }));
  };
  const fields = (count: number) =>
    reportOf(
      Array.from({ length: count }, (_, n) => of(n)),
      MEASURED,
      0.05,
    ).advice?.fields.map(({ name, threshold }) => [name, threshold?.reviewBelow, threshold?.approved]);
  assert.equal(fields(120), [
    ['company', 0.7, 120],
    ['total', 0.9, 80],
  ]);
  assert.equal(fields(60), [
    ['company', 0.7, 60],
    ['total', undefined, undefined],
  ]);
});

test('no value is kept, and nothing of a field that the truth does not have', () => {
  const text = JSON.stringify(compared('a', read({ ...TRUTH, more: 'SECRET' }), read({ company: 'SECRET' })));
  assert.not.match(text, /SECRET|ACME|more/);
});
