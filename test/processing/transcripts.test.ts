import * as assert from 'uvu/assert';
import { charactersOf } from '../../processing/read/ocr/ctc.ts';
import { linesIn, type Text } from '../../processing/read/ocr/lines.ts';
import { suite } from '../harness.ts';

const test = suite('processing/read: what lines say');

const alphabet = ['a', 'b', ' '];
/** Likelihoods of steps: for each the class that is surest (0: none), and how sure. */
const steps = (...given: readonly (readonly [number, number])[]): Float32Array =>
  Float32Array.from(
    given.flatMap(([best, share]) =>
      Array.from({ length: alphabet.length + 1 }, (_, at) => (at === best ? share : (1 - share) / 3)),
    ),
  );
const texts = (likelihoods: Float32Array) =>
  charactersOf(likelihoods, alphabet).map(({ text, step, confidence }) => [
    text,
    step,
    +confidence.toFixed(2),
  ]);

test('equal neighbours are one character, where it is surest; with none between them they are two', () => {
  assert.equal(texts(steps([0, 0.9], [1, 0.7], [1, 0.9], [1, 0.8], [0, 0.9], [1, 0.6], [2, 0.8])), [
    ['a', 2, 0.9],
    ['a', 5, 0.6],
    ['b', 6, 0.8],
  ]);
  assert.equal(texts(steps([0, 1], [0, 1])), []);
});

const sheet = { fileId: 'fil_1', page: 1, size: { width: 400, height: 400 } };
/** A text of these characters, one each ten pixels, in a region that begins at a point. */
const text = (said: string, left: number, top: number, confidence = 0.9): Text => ({
  region: {
    middle: { x: left + said.length * 5, y: top + 10 },
    width: said.length * 10,
    height: 20,
    direction: { x: 1, y: 0 },
  },
  characters: [...said].map((one, step) => ({ text: one, confidence, step })),
  pitch: 10,
});
const said = (...given: readonly Text[]) => linesIn(given, sheet).map((line) => line.text);

test('texts side by side are a line, from left to right; lines run from top to bottom', () => {
  assert.equal(said(text('2.00', 300, 52), text('Total', 10, 50), text('Shop', 100, 10)), [
    'Shop',
    'Total 2.00',
  ]);
});

test('a text stands in the line of its nearest neighbour, as lines may bend', () => {
  const bent = [text('ab', 10, 10), text('cd', 60, 18), text('ef', 110, 26), text('gh', 10, 33)];
  assert.equal(said(...bent), ['ab cd ef', 'gh']);
});

test('words end at blanks, each in a box of its own characters', () => {
  const [line] = linesIn([text('ab cde', 20, 40)], sheet);
  assert.equal(
    line?.words.map(({ text: word, box }) => ({ word, box })),
    [
      { word: 'ab', box: { left: 20, top: 43, right: 40, bottom: 58 } },
      { word: 'cde', box: { left: 50, top: 43, right: 80, bottom: 58 } },
    ],
  );
});

test('the confidence of a word is the mean of its characters; wide forms become usual ones', () => {
  const one = text('ＲＭ：', 20, 40);
  const [word] = linesIn(
    [{ ...one, characters: one.characters.map((c, at) => ({ ...c, confidence: at / 2 })) }],
    sheet,
  ).flatMap(({ words }) => words);
  assert.is(word?.text, 'RM:');
  assert.is(word?.confidence, 0.5);
  assert.equal(linesIn([text(' ', 20, 40), text('', 20, 80)], sheet), []);
});

for (const [read, word] of [
  ['0rchard', 'Orchard'],
  ['L0T', 'LOT'],
  ['fr0m,', 'from,'],
  ['A0B1', 'A0B1'],
  ['10', '10'],
  ['T0', 'T0'],
] as const)
  test(`${read} is ${word}: a zero among letters alone is a letter`, () =>
    assert.equal(said(text(read, 20, 40)), [word]));

test('a one among small letters is the letter, and the Greek one in a Latin word is ß', () => {
  assert.equal(said(text('Port1and,OR jui1let Groβ', 20, 40)), ['Portland,OR juillet Groß']);
  const kept = 'v1beta ab1c2d ab1cd@x.de R1s α1β';
  assert.equal(said(text(kept, 20, 40)), [kept]);
});
