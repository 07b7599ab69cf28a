import * as assert from 'uvu/assert';
import type { VisualFingerprint } from '../../../domain/fraud/pages.ts';
import { compareAll } from '../../../processing/fraud/similarity/compareAll.ts';
import { packed, type Strokes } from '../../../processing/fraud/similarity/strokes.ts';
import { suite } from '../../harness.ts';

const test = suite('comparing pages');

const WIDTH = 320;
const HEIGHT = 300;
/**
 * Lines of what looks like letters, the same for the same seed; with another seed from `from` to `to` of the
 * page's third line on.
 */
const strokesOf = (
  seed: number,
  changed: Readonly<{ seed: number; from: number; to: number }> | null = null,
) => {
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (let line = 0; line < 14; line += 1)
    for (let place = 0; place < 40; place += 1) {
      const x = 24 + place * 7;
      const own = changed && line >= 2 && x >= changed.from && x < changed.to ? changed.seed : seed;
      for (let dot = 0; dot < 14; dot += 1) {
        const [across, down] = [hash(own, line, place, dot) % 5, hash(own, line, place, dot + 99) % 9];
        data[(12 + line * 20 + down) * WIDTH + x + across] = 1;
      }
    }
  return { data, width: WIDTH, height: HEIGHT };
};
const hash = (...numbers: readonly number[]): number => {
  let value = 7;
  for (const number of numbers) value = Math.imul(value ^ (number + 0x9e3779b9), 0x01000193) ^ (value >>> 13);
  return value >>> 3;
};
const smaller = ({ data, width, height }: Strokes, by: number): Strokes => {
  const to = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 1) {
    const [x, y] = [Math.round((at % width) * by), Math.round(Math.floor(at / width) * by)];
    if (data[at]) to[y * width + x] = 1;
  }
  return { data: to, width, height };
};
const words = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const printOf = (strokes: Strokes, page = 1, texts: readonly string[] = words): VisualFingerprint => ({
  ...{ fileId: 'fil_1', label: 'front', page, width: strokes.width, height: strokes.height },
  strokes: packed(strokes),
  words: texts.map((text) => ({ text, confidence: 0.95 })),
});
const page = printOf(strokesOf(1));
const another = printOf(strokesOf(2), 2);
const broken: VisualFingerprint = { ...page, strokes: 'AAAA' };

const found = (
  prints: readonly VisualFingerprint[],
  others: readonly (readonly VisualFingerprint[])[],
  ms = 0,
  budget?: Budget,
) => {
  const { similar, skipped } = compareAll(prints, others, () => ms, budget);
  return { similar: similar.map((pages) => pages.map((one) => [one.page, one.matchedPage])), skipped };
};
type Budget = Parameters<typeof compareAll>[3];

test('the same page is found, in whatever place, and each is named once', () => {
  assert.equal(found([page], [[another], [another, page], [page, page]]), {
    similar: [[], [[1, 1]], [[1, 1]]],
    skipped: 0,
  });
  const twice = [page, { ...page, page: 2 }];
  assert.equal(found(twice, [twice]).similar[0]?.length, 2);
});
test('a page at a much smaller scale is found where its words agree', () => {
  const small = smaller(strokesOf(1), 0.75);
  assert.equal(found([page], [[printOf(small)], [printOf(small, 1, [])]]).similar, [[[1, 1]], []]);
});
test('a page on which other words stand in one column is another one, also where nothing can be read', () => {
  const filled = strokesOf(1, { seed: 3, from: 150, to: 190 });
  assert.equal(found([page], [[printOf(filled)], [printOf(filled, 1, [])]]).similar, [[], []]);
});
test('a page on which other numbers were surely read is another one', () => {
  const numbered = (...numbers: readonly string[]) => printOf(strokesOf(1), 1, [...words, ...numbers]);
  assert.equal(
    found([numbered('10:45', 'INV1003')], [[numbered('10:46', 'INV1004')], [numbered('10:45', 'INV1003')]])
      .similar,
    [[], [[1, 1]]],
  );
});

test('a pair with a broken fingerprint is skipped, and others are found', () => {
  const wordless = JSON.parse(JSON.stringify({ ...page, words: undefined }));
  for (const one of [broken, wordless])
    assert.equal(found([page], [[one], [page]]), { similar: [[], [[1, 1]]], skipped: 1 });
});
test('beyond the limit of its cost pairs are skipped, and what was found stands', () => {
  const three = [[page], [page], [page]];
  assert.equal(found([page], three, 60_000), { similar: [[], [], []], skipped: 3 });
  const one = { pairs: 1, cpuMs: 1_000, wordsMs: 1_000 };
  assert.equal(found([page], three, 0, one), { similar: [[[1, 1]], [], []], skipped: 2 });
});
test('pages that have hardly a word in common cost nothing', () => {
  const other = printOf(strokesOf(1), 1, 'un deux trois quatre cinq sept huit neuf onze douze'.split(' '));
  const none = { pairs: 0, cpuMs: 1_000, wordsMs: 1_000 };
  assert.is(found([page], [[other]], 0, none).skipped, 0);
});
