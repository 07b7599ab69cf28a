import * as assert from 'uvu/assert';
import { rangeWords, searchedTerms } from '../../kernel/searchRanges.ts';
import { searchedWords, wordsIn } from '../../kernel/searchWords.ts';
import { suite } from '../harness.ts';

const test = suite('ranges that are searched');

const within = (range: string, value: string | number): boolean => {
  const { terms, fault } = searchedTerms(range);
  assert.equal([terms.length, fault], [1, null], range);
  return rangeWords(value).some((word) => terms[0]?.some((beginning) => word.startsWith(beginning)));
};

test('amounts are within ranges exactly where they are so as numbers', () => {
  const amounts = [
    -99_999_999_999, -1000, -20.25, -0.0001, 0, 0.1, 9.99, 10, 99.9999, 100, 1234.5, 98_765.4321,
  ];
  for (const from of amounts)
    for (const to of amounts.filter((one) => one >= from))
      for (const value of amounts)
        assert.is(within(`${from}..${to}`, value), from <= value && value <= to, `${value}: ${from}..${to}`);
  for (const end of amounts)
    for (const value of amounts) {
      assert.is(within(`${end}..`, value), value >= end, `${value}: ${end}..`);
      assert.is(within(`..${end}`, value), value <= end, `${value}: ..${end}`);
    }
});

test('dates are within ranges exactly where they are so as texts', () => {
  const dates = [
    '1999-12-31',
    '2024-02-28',
    '2024-02-29',
    '2024-03-01',
    '2026-01-01',
    '2026-01-31',
    '2026-10-09',
  ];
  for (const from of dates)
    for (const to of dates.filter((one) => one >= from))
      for (const date of dates)
        assert.is(within(`${from}..${to}`, date), from <= date && date <= to, `${date}: ${from}..${to}`);
});

test('a month takes in its days, and no date is an amount', () => {
  assert.ok(within('2024-02..2024-02', '29.02.2024'));
  assert.not.ok(within('2024-02..2024-02', '2024-03-01'));
  assert.not.ok(within('20240101..20241231', '2024-02-01'));
  assert.ok(within('2024..2025', 2024));
});

test('only a day and nothing else is a date, and only a number an amount', () => {
  assert.is(rangeWords('4. 3. 2026').length, 1);
  for (const text of ['', '2026-03', 'on 2026-03-04', '2026-03-04 2026-03-05', '100', '12.50', 'x'])
    assert.equal(rangeWords(text), [], text);
  for (const large of [1e11, -1e11, 1e300]) assert.equal(rangeWords(large), [], String(large));
});

test('no text has the word of a value, and none that is searched finds it', () => {
  for (const [word = ''] of [rangeWords(100), rangeWords('2026-03-04')])
    for (const one of [...wordsIn(word), ...searchedWords(word), ...searchedTerms(word).terms.flat()])
      assert.not.ok(word.startsWith(one), one);
});

test('whole months, years and powers of ten need one beginning, and no range more than 300', () => {
  const count = (range: string) => searchedTerms(range).terms[0]?.length ?? 0;
  for (const range of ['2026-03-01..2026-03-31', '2024-02-01..2024-02-29', '2026-01-01..2026-12-31'])
    assert.is(count(range), 1, range);
  assert.is(count('100..199.9999'), 1);
  assert.ok(count('-99999999999.9999..99999999999.9998') < 300);
});

test('two dots without a digit at an end are no range', () => {
  assert.equal(searchedTerms('etc... a..b ..').terms, [['etc'], ['a'], ['b']]);
  assert.equal(searchedTerms('rechn 1‥2').terms, [...searchedTerms('1..2').terms, ['rechn']]);
});
