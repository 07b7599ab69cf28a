import * as assert from 'uvu/assert';
import { advise, type Read } from '../../../domain/evaluation/advice.ts';
import { intervalOf, upperBound } from '../../../domain/evaluation/intervals.ts';
import { suite } from '../../harness.ts';

const test = suite('evaluation: intervals and thresholds');

const near = (value: number | undefined, expected: number, within = 0.0005): void =>
  assert.ok(Math.abs((value ?? Number.NaN) - expected) < within, `${value} is not ${expected}`);

test('Wilson’s interval is that of published tables', () => {
  // Newcombe 1998, https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E
  for (const [count, total, from, to] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    const found = intervalOf(count, total);
    near(found?.from, from);
    near(found?.to, to);
  }
  assert.is(intervalOf(0, 0), null);
});

test('the upper bound of none is what is likely to have gone unseen', () => {
  near(upperBound(0, 299), 1 - 0.05 ** (1 / 299), 1e-6);
  near(upperBound(0, 100_000), 1 - 0.05 ** (1 / 100_000), 1e-6);
  near(upperBound(2, 20), 0.2826); // Clopper and Pearson, one side of 95 %
  assert.is(upperBound(3, 3), 1);
});

/** So many, of which each `wrongEvery` is wrong, of one confidence. */
const reads = (count: number, confidence: number, wrongEvery = Number.POSITIVE_INFINITY): readonly Read[] =>
  Array.from({ length: count }, (_, n) => ({ confidence, isWrong: (n + 1) % wrongEvery === 0 }));

test('the lowest threshold that holds is advised', () => {
  const set = [...reads(400, 0.95), ...reads(400, 0.9), ...reads(100, 0.8, 4), ...reads(300, 0.7)];
  const { threshold, total, needed } = advise(set, 0.01);
  assert.equal([threshold?.reviewBelow, threshold?.approved, threshold?.wrong], [0.9, 800, 0]);
  assert.equal([total, needed], [1_200, 299]);
  assert.is(advise(set, 0.05).threshold?.reviewBelow, 0.7);
});

test('none is advised on a set that is too small, or that has wrong ones at the top', () => {
  assert.equal(advise(reads(298, 0.95), 0.01), { total: 298, needed: 299, threshold: null });
  assert.is(advise([...reads(300, 0.99, 30), ...reads(3_000, 0.5)], 0.01).threshold, null);
  assert.is(advise([], 0.01).threshold, null);
});

test('what a threshold comes to counts all of its own confidence', () => {
  const { threshold } = advise(reads(10, 0.9, 5), 0.6);
  assert.equal([threshold?.reviewBelow, threshold?.approved, threshold?.wrong], [0.9, 10, 2]);
  near(threshold?.atMost, upperBound(2, 10), 1e-9);
});

test('an advised threshold holds on sets that it has not seen, in nineteen of twenty', () => {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  /** They are somewhat too sure. */
  const rightAt = (confidence: number): number => confidence ** 0.15;
  const confidences = Array.from({ length: 101 }, (_, n) => n / 100);
  const wrongFrom = (threshold: number): number => {
    const above = confidences.filter((confidence) => confidence >= threshold);
    return above.reduce((sum, confidence) => sum + 1 - rightAt(confidence), 0) / above.length;
  };
  const draw = (): readonly Read[] =>
    Array.from({ length: 1_000 }, () => {
      const confidence = Math.floor(random() * 101) / 100;
      return { confidence, isWrong: random() > rightAt(confidence) };
    });
  let held = 0;
  for (let round = 0; round < 100; round += 1) {
    const { threshold } = advise(draw(), 0.05);
    if (threshold === null || wrongFrom(threshold.reviewBelow) <= 0.05) held += 1;
  }
  assert.ok(held >= 93, `${held} of 100`);
  assert.ok(advise(draw(), 0.05).threshold, 'some threshold is found');
});
