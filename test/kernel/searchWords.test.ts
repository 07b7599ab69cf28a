import * as assert from 'uvu/assert';
import { amountWord, searchedWords, wordsIn } from '../../kernel/searchWords.ts';
import { suite } from '../harness.ts';

const test = suite('words that are searched');

const finds = (searched: string, text: string): boolean => {
  const words = searchedWords(searched);
  return words.length > 0 && words.every((word) => wordsIn(text).some((one) => one.startsWith(word)));
};

test('case, accents, width, sharp s and sigma are folded', () => {
  for (const [searched, text] of [
    ['muller', 'MÜLLER'],
    ['MÜLL', 'muller gmbh'],
    ['strasse', 'Hauptstraße'.slice(5)],
    ['ＡＣＭＥ', 'acme'],
    ['οδός', 'ΟΔΟΣ'],
    ['ﬁrma', 'Firma'],
    ['İstanbul', 'istanbul'],
  ] as const)
    assert.ok(finds(searched, text), `${searched}: ${text}`);
});

test('a day is found however it is written, and by its month and year', () => {
  const written = [
    '2026-03-04',
    '2026/3/4',
    '04.03.2026',
    '4.3.2026',
    '04/03/2026',
    '04. 03. 2026',
    '4-3-2026',
  ];
  for (const text of written)
    for (const searched of [...written, '2026-03', '03.2026', '3/2026', '2026', '20260304'])
      assert.ok(finds(searched, `of ${text}.`), `${searched}: ${text}`);
  for (const other of ['2026-03-05', '2026-04', '04.2026', '2027'])
    assert.not.ok(finds(other, '2026-03-04'), other);
  assert.equal(searchedWords('12/25/2026'), ['20261225']);
  assert.equal(searchedWords('scan-2026-03-04.pdf'), ['20260304', 'scan', 'pdf']);
});

test('an amount is found however it is written', () => {
  const written = [
    '1.234,50',
    '1,234.50',
    "1'234.50",
    '1 234,50',
    '1234.5',
    '1234,50',
    'EUR 1.234,50',
    '€1234.50',
  ];
  for (const text of [...written, ...amountWord(1234.5)])
    for (const searched of written)
      assert.ok(finds(searched.replace('EUR ', ''), text), `${searched}: ${text}`);
  for (const other of ['1234.6', '1.235', '12.345']) assert.not.ok(finds(other, '1.234,50'), other);
  assert.equal(['10.250', '0,5', '12.00', '007,10'].map(searchedWords), [
    ['10250'],
    ['0p5'],
    ['12'],
    ['7p1'],
  ]);
  assert.equal([80.9, -3, 1e21, 0.1].map(amountWord), [['80p9'], ['3'], [], ['0p1']]);
});

test('a reference is found by its parts, in any order', () => {
  for (const searched of ['re-2026-0417', 'RE 2026', '0417 re', 're-2026-04', 're2'])
    assert.is(finds(searched, 'RE-2026-0417'), searched !== 're2', searched);
});

test('a text has words of letters and digits alone, and each at most 40 characters', () => {
  assert.equal(searchedWords('— ! "*" ^'), []);
  assert.equal(searchedWords('a" OR b*'), ['a', 'or', 'b']);
  assert.equal(searchedWords('x'.repeat(99)), ['x'.repeat(40)]);
});
