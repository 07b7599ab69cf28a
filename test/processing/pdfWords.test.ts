import * as assert from 'uvu/assert';
import { inReadingOrder } from '../../processing/characters.ts';
import { wordsWithin } from '../../processing/fields/candidate.ts';
import { textOf } from '../../processing/page.ts';
import { wordsOfItems } from '../../processing/read/pdf/words.ts';
import { readPdf } from '../../processing/read/pdf.ts';
import { suite } from '../harness.ts';
import { noRecogniser, pdfWith } from './files.ts';

const test = suite('processing/pdfWords');

const SIZE = 10;

/** Runs of text on one line, each at its place, whose letters are all of one width. */
const line = (...runs: readonly (readonly [text: string, left: number])[]) =>
  wordsOfItems(
    runs.map(([str, left]) => ({
      ...{ str, transform: [SIZE, 0, 0, SIZE, left, 100], width: SIZE * str.length, height: SIZE },
    })),
    [1, 0, 0, 0, -1, 300],
    new Map(),
  ).map(({ word }) => word);

test('letters that are placed one by one from right to left are words in the order in which they are read', () => {
  // As a browser prints "المجموع: 12" within a line from right to left.
  const words = line(
    ['12', 0],
    [':', 40],
    ['ع', 50],
    ['ﻮ', 60],
    ['ﻤ', 70],
    ['ﺠ', 80],
    ['ﻤ', 90],
    ['ﻟ', 100],
    ['ا', 110],
  );
  assert.is(textOf(words), 'المجموع: 12');
  const [sum, label] = words;
  assert.equal([sum?.text, sum?.box?.left, sum?.box?.right], ['12', 0, 20]);
  assert.equal([label?.text, label?.box?.left, label?.box?.right], ['المجموع:', 40, 120]);
});

test('a number that a run of the other direction touches stands after its words', () => {
  assert.is(textOf(line(['12 :', 0], ['المجموع', 40])), 'المجموع: 12');
});

const ordered = (texts: readonly string[]): readonly string[] =>
  inReadingOrder(texts.map((text) => ({ text }))).map(({ text }) => text);

test('the words in a part of a text from right to left are those that stand there', () => {
  const words = line(['412.50', 0], ['الكلي:', 80], ['المجموع', 150]);
  const text = textOf(words);
  assert.is(text, 'المجموع الكلي: 412.50');
  const at = text.indexOf('412.50');
  const [amount, ...others] = wordsWithin(words, at, at + '412.50'.length);
  assert.equal([amount?.text, amount?.box?.left, others.length], ['412.50', 0, 0]);
});

test('on a line in both directions the words of each keep their order', () => {
  assert.equal(ordered(['12', 'Ltd', 'Acme', 'ال', 'شركة']), ['شركة', 'ال', 'Ltd', 'Acme', '12']);
  assert.equal(ordered(['Invoice', 'of', 'النور', 'شركة', 'Ltd']), ['Invoice', 'of', 'شركة', 'النور', 'Ltd']);
  assert.equal(ordered(['Total', '12.50']), ['Total', '12.50']);
});

test('the box of a word within a run covers what is drawn, in a font whose letters differ in width', async () => {
  const bytes = pdfWith(
    Buffer.from('BT /F1 10 Tf 20 400 Td (iiiiiiiiii: 1500.00 WWW) Tj ET'),
    '',
    '',
    'Helvetica',
  );
  const file = { fileId: 'f', label: 'front', mimeType: 'application/pdf', content: bytes };
  const [page] = await readPdf(file, bytes, noRecogniser.recognise, null);
  const box = page?.lines[0]?.words.find(({ text }) => text === '1500.00')?.box;
  // Helvetica: i 222, colon, blank and point 278, digits 556 thousandths.
  const left = 20 + 10 * 2.776;
  assert.ok(Math.abs((box?.left ?? 0) - left) < 0.5, `${box?.left} for ${left}`);
  assert.ok(Math.abs((box?.right ?? 0) - (left + 36.14)) < 0.5, `${box?.right} for ${left + 36.14}`);
});
