import * as assert from 'uvu/assert';
import type { RecognisedWord } from '../../../domain/fraud/pages.ts';
import { compareWords } from '../../../processing/fraud/similarity/compareWords.ts';
import { numberKeys } from '../../../processing/fraud/similarity/words.ts';
import { suite } from '../../harness.ts';

const test = suite('the words of two pages');

/** Words of a text, surely read but for those with a question mark behind. */
const read = (text: string): readonly RecognisedWord[] =>
  text.split(' ').map((word) => ({
    text: word.replace(/\?$/, ''),
    confidence: word.endsWith('?') ? 0.6 : 0.95,
  }));
const given = (one: string) => ({
  against: (other: string) => ({
    then: (expected: Partial<ReturnType<typeof compareWords>>) => {
      const compared = compareWords(read(one), read(other));
      const back = compareWords(read(other), read(one));
      assert.equal({ ...compared, ...expected }, compared);
      assert.equal([back.same, back.differs], [compared.same, compared.differs], 'both ways alike');
    },
  }),
});
const shop = 'HARBOUR COFFEE HOUSE Quay Street Bristol VAT 112 4492 Number 104310 Date 12/03/2024 Time 08:39';
const receipt = `${shop} Espresso 2.40 Flat white 3.40 TOTAL 5.80 CARD 5.80 Thank you, please come again`;
/** The same receipt with words read as other ones, as many of them as in a scan of little contrast. */
const noisy = receipt.replace('HARBOUR', 'HARROUR?').replace('again', 'agaln?').replace('CARD', 'CAPD?');

/** A receipt with some words for others; each must be there. */
const changed = (...changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from);
    return text.replaceAll(from, to);
  }, receipt);

test('the same words are the same page', () =>
  given(receipt)
    .against(receipt)
    .then({ same: 29, differs: false, doubtful: 0, numbers: { compared: 8, same: 8 } }));
test('letters read as digits, case and marks make no difference', () =>
  given('Total 80.90 NO. INVB105').against('TOTAL: 8O.9O No INV8IO5').then({ same: 4, differs: false }));

const others: readonly (readonly [string, string])[] = [
  ['the next one of a minute later', changed(['104310', '104311'], ['08:39', '08:40'])],
  ['the next number, at a time that was hardly read', changed(['104310', '104311'], ['08:39', '08:40?'])],
  ['a time minutes later alone', changed(['08:39', '08:45'])],
  ['a sum of which one digit is another one', changed(['5.80', '5.90'])],
  ['a sum and a price of which a digit is another one', changed(['3.40', '3.90'], ['5.80', '6.30'])],
  ['an amount of another length', changed(['5.80', '1,280.15'])],
  ['another day', changed(['12/03', '13/03'])],
  ['the invoice of the next month', changed(['12/03', '12/04'], ['104310', '104311'])],
  ['other goods at the same price', changed(['Espresso', 'Lemonade'])],
  ['goods that have letters in common', changed(['Espresso', 'Paper'], ['104310', '104311'])],
  ['goods of more words', changed(['Espresso', 'Apple pie'], ['104310', '104377'])],
  ['another name', changed(['HARBOUR COFFEE', 'ALICE JOHNSON'])],
];
for (const [what, other] of others)
  test(`${what} is another document`, () => given(receipt).against(other).then({ differs: true }));

test('two numbers that are surely other ones are another document, however badly the rest was read', () =>
  given(noisy)
    .against(changed(['104310', '104311'], ['08:39', '08:40']))
    .then({ differs: true }));
test('one number that was surely misread is a doubt where other words are misread too', () =>
  given(noisy)
    .against(changed(['08:39', '08:30']))
    .then({ differs: false, doubtful: 1 }));
test('of a long page more is misread: two numbers of four hundred words are a doubt, four are another document', () => {
  const long = Array.from({ length: 400 }, (_, n) =>
    n % 10 === 0 ? `${1_000 + n}` : `word${'abcdefghij'[n % 10]}`,
  );
  const misread = (count: number): string =>
    long
      .map((word, n) => {
        if (n % 20 === 1 && n < 300) return 'wprbx?';
        return n % 50 === 0 && n < 50 * count ? `${9_000 + n}` : word;
      })
      .join(' ');
  given(long.join(' ')).against(misread(2)).then({ differs: false, doubtful: 2 });
  given(long.join(' ')).against(misread(4)).then({ differs: true });
});
test('a number that was hardly read is a doubt', () =>
  given(receipt)
    .against(changed(['08:39', '08:40?']))
    .then({ differs: false, doubtful: 1 }));
test('a number of which a part is missing has another form, and is no other number', () =>
  given(receipt)
    .against(changed(['12/03/2024', '12/0']))
    .then({ differs: false, doubtful: 0 }));
test('what is cut off is no other number, and counts as not found', () =>
  given(receipt)
    .against(receipt.split(' ').slice(12).join(' '))
    .then({ same: 17, differs: false, doubtful: 0, numbers: { compared: 8, same: 5 } }));
test('numbers that stand elsewhere on the other page are no other ones', () =>
  given('First 12.50 second 4.90 third')
    .against('First 4.90 second 12.50 third')
    .then({ differs: false, doubtful: 0 }));
test('other letters alone are misread, not another document', () =>
  given(receipt)
    .against(changed(['Espresso', 'Esprebsa'], ['please', 'plcase']))
    .then({ differs: false }));
test('two pages with nothing in common differ only by sure words', () => {
  given('alpha? beta?').against('gamma? delta?').then({ same: 0, differs: false });
  given('alpha omega').against('Bristol Street').then({ same: 0, differs: true });
});

const textsOf = (words: string): readonly string[] => numberKeys(read(words)).map(({ text }) => text);
const numbers = '48123 03-5548 12/03/2018 18:45 12.50 4.90 23.00 80.90 INV100234';

test('pages with the same digits have the same keys, whatever else is read on them', () => {
  const keys = textsOf(numbers);
  assert.equal(textsOf(`Thank you ${numbers.split(' ').join(' again ')} again`), keys);
  assert.ok(keys.length >= 4 && keys.length <= 12, `${keys.length} keys`);
});
test('a page on which one number is misread has keys in common', () => {
  const keys = textsOf(numbers);
  const others = textsOf(numbers.replace('18:45', '13:45'));
  assert.ok(others.filter((key) => keys.includes(key)).length >= 2);
});
test('captions and other blanks leave the keys as they are', () =>
  assert.equal(textsOf('No:104310 Date:12/03/202409:41 RM5.80'), textsOf('104310 12/03/2024 09:41 5.80')));

test('a page without two numbers has no keys', () => {
  assert.equal(textsOf('Thank you'), []);
  assert.equal(textsOf('Total 80.90'), []);
});

const respaced = changed(
  ['HARBOUR COFFEE HOUSE', 'HARBOURCOFFEE HOUSE'],
  ['VAT 112 4492', 'VAT1124492'],
  ['Flat white', 'Flatwhite'],
  ['Thank you, please', 'Thankyou,pleaseto'],
);

test('where blanks alone were read otherwise it is the same page', () =>
  given(receipt)
    .against(respaced)
    .then({ differs: false, doubtful: 0, numbers: { compared: 8, same: 8 } }));

for (const [what, from, to] of [
  ['number', '104310', '104311'],
  ['time', '08:39', '08:31'],
  ['amount of another length', '5.80', '1,280.15'],
  ['name', 'Espresso', 'Lemonade'],
] as const)
  test(`where blanks were read otherwise, another ${what} still makes another page`, () =>
    given(receipt).against(respaced.replaceAll(from, to)).then({ differs: true }));

test('a blank that a number has by chance in common with another cuts none', () =>
  given('HARBOUR COFFEE No12,Quay 104218 Date:12/03/2018 Espresso 2.40')
    .against('HARBOUR COFFEE No 12,Quay 317704 Date:19/06/2018 Espresso 2.40')
    .then({ differs: true, doubtful: 2 }));

test('a number whose letters alone were read otherwise is the same number', () =>
  given(`${receipt} PUP121096057`).against(`${receipt} PMP121096057`).then({ differs: false, doubtful: 1 }));
