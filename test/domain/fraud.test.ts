import * as assert from 'uvu/assert';
import { assessFraud, type JudgedMatch, openMatch, type Resolution } from '../../domain/submission/fraud.ts';
import type { FraudAnswers } from '../../domain/workflow.ts';
import { match, policy } from '../controls/submission.ts';
import { suite } from '../harness.ts';

const test = suite('fraud assessment [fraud-10]');
const matchOf = (score: number, resolution: Resolution | null = null): JudgedMatch => ({
  ...match,
  score,
  resolution,
});

const table: readonly Readonly<{ matches: readonly JudgedMatch[]; status: string; score: number }>[] = [
  { matches: [], status: 'clean', score: 0 },
  { matches: [matchOf(0.49)], status: 'clean', score: 0.49 },
  { matches: [matchOf(0.5)], status: 'flagged', score: 0.5 },
  { matches: [matchOf(0.89)], status: 'flagged', score: 0.89 },
  { matches: [matchOf(0.9)], status: 'blocked', score: 0.9 },
  { matches: [matchOf(0.6), matchOf(1), matchOf(0.2)], status: 'blocked', score: 1 },
  { matches: [matchOf(0.6), matchOf(1, 'dismissed')], status: 'flagged', score: 0.6 },
  { matches: [matchOf(1, 'dismissed')], status: 'clean', score: 0 },
  { matches: [matchOf(1, 'confirmed')], status: 'blocked', score: 1 },
];
for (const { matches, status, score } of table) {
  const told =
    matches.map((one) => `${one.score} ${one.resolution ?? 'open'}`).join(', ') || 'no matches [fraud-11]';
  test(`${told}: ${status}, ${score}`, () =>
    assert.equal(assessFraud(matches, policy), { fraudStatus: status, fraudScore: score }));
}

test('a version draws its own lines', () => {
  const strict = { ...policy, flagAt: 0.1, blockAt: 0.2 };
  assert.is(assessFraud([matchOf(0.2)], strict).fraudStatus, 'blocked');
  assert.is(assessFraud([matchOf(0.1)], strict).fraudStatus, 'flagged');
});

test('what a version answers a check with goes before the score', () => {
  const other = { ...matchOf(0.6), checkType: 'duplicate_data' } as const;
  const status = (answers: FraudAnswers, ...matches: readonly JudgedMatch[]) =>
    assessFraud(matches, { ...policy, answers });
  assert.equal(status({ duplicate_file: 'block' }, matchOf(0.1)), {
    fraudStatus: 'blocked',
    fraudScore: 0.1,
  });
  assert.equal(status({ duplicate_file: 'flag' }, matchOf(1)), { fraudStatus: 'flagged', fraudScore: 1 });
  assert.equal(status({ duplicate_file: 'allow' }, matchOf(1)), { fraudStatus: 'clean', fraudScore: 1 });
  assert.is(status({ duplicate_file: 'allow' }, matchOf(1), other).fraudStatus, 'flagged');
  assert.is(status({ duplicate_data: 'block' }, matchOf(0.1), other).fraudStatus, 'blocked');
  assert.is(status({ duplicate_file: 'block' }, matchOf(1, 'dismissed')).fraudStatus, 'clean');
});

test('a match begins open', () => {
  const { resolution: _r, resolvedBy: _b, resolvedAt: _a, ...found } = match;
  assert.equal(openMatch(found), match);
});
