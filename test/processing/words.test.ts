import * as assert from 'uvu/assert';
import type { PrintedWord } from '../../domain/submission/prints.ts';
import { compareWords, numberKeys } from '../../processing/likeness/words.ts';
import { suite } from '../harness.ts';

const test = suite('the words of two pages');

/** Words of a text, surely read but for those with a question mark behind. */
const read = (text: string): readonly PrintedWord[] =>
  text.split(' ').map((word) => ({
    text: word.replace(/\?$/, ''),
    confidence: word.endsWith('?') ? 0.6 : 0.95,
  }));
const given = (one: string) => ({
  against: (other: string) => ({
    then: (expected: object) => {
      const { same, differs } = compareWords(read(one), read(other));
      assert.equal({ same, differs }, { same: 0, ...expected });
    },
  }),
});
const receipt = 'ACME Trading Date 12/03/2018 Total RM80.90 Thank you';

test('the same words are the same page', () =>
  given(receipt).against(receipt).then({ same: 8, differs: false }));
test('letters that are taken for digits, case and marks tell nothing apart', () =>
  given('Total 80.90 NO. INVB105').against('TOTAL: 8O.9O No INV8IO5').then({ same: 4, differs: false }));
test('another total between the same neighbours is another document', () =>
  given(receipt).against(receipt.replace('80.90', '12.35')).then({ same: 7, differs: true }));
test('another date is another document', () =>
  given(receipt).against(receipt.replace('12/03', '27/11')).then({ same: 7, differs: true }));
test('an amount of another length is another amount', () =>
  given(receipt).against(receipt.replace('80.90', '1,280.15')).then({ same: 7, differs: true }));
test('a digit that was misread is no other number', () =>
  given(receipt).against(receipt.replace('80.90', '80.96')).then({ same: 7, differs: false }));
test('a number that was hardly read is no other number', () =>
  given(receipt).against(receipt.replace('RM80.90', 'RM12.35?')).then({ same: 7, differs: false }));
test('a number of which a part is missing has another form, and is no other number', () =>
  given(receipt).against(receipt.replace('12/03/2018', '12/0')).then({ same: 7, differs: false }));
test('a word that is cut off is no other word', () =>
  given(receipt).against('Date 12/03/2018 Total RM80.90').then({ same: 4, differs: false }));
test('other letters alone are misread, not another document', () =>
  given(receipt).against(receipt.replace('Trading', 'Trbdimg')).then({ same: 7, differs: false }));
test('two pages with nothing in common differ in what can be told', () =>
  given('alpha beta').against('gamma delta').then({ same: 0, differs: false }));

const textsOf = (words: string): readonly string[] => numberKeys(read(words)).map(({ text }) => text);
const numbers = '48123 03-5548 12/03/2018 18:45 12.50 4.90 23.00 80.90 INV100234';

test('pages with the same numbers have the same keys, whatever else is read on them and in whatever order', () => {
  const keys = textsOf(numbers);
  assert.equal(textsOf(`Thank you ${numbers.split(' ').reverse().join(' ')} again`), keys);
  assert.ok(keys.length >= 4 && keys.length <= 12, `${keys.length} keys`);
});
test('a page on which one number is misread has keys in common', () => {
  const keys = textsOf(numbers);
  const others = textsOf(numbers.replace('18:45', '13:45'));
  assert.ok(others.filter((key) => keys.includes(key)).length >= 2);
});
test('a page without two numbers has no keys', () => {
  assert.equal(textsOf('Thank you'), []);
  assert.equal(textsOf('Total 80.90'), []);
});
