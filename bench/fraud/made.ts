import { hash } from 'node:crypto';
import type { FingerprintedPage, RecognisedWord } from '../../domain/fraud/pages.ts';
import { bandKeys, WAVES } from '../../processing/fraud/similarity/layout.ts';
import { numberKeys } from '../../processing/fraud/similarity/words.ts';

/** A made-up submission: its traits for the three checks. */
export type Made = Readonly<{
  n: number;
  submissionId: string;
  sha256: string;
  businessKey: string;
  waves: readonly number[];
  words: readonly RecognisedWord[];
}>;

/** Every third submission is on the template of one supplier, the others on some thousands of layouts. */
const LAYOUTS = 4_000;
const TEMPLATE = 0;
const isTemplate = (n: number): boolean => n % 3 === 0;

/**
 * How much of a wave is a document's own, on one template and of copies of one picture: signs of weak waves
 * turn.
 */
const OWN = 0.25;
const COPIED = 0.08;
/** Of a copy so many words are read otherwise. */
const MISREAD = 0.1;

/** The n-th made-up submission: always the same. */
export const madeUp = (n: number): Made => madeFrom(n, numbersOf(n), wavesOf(n), hidden(`file ${n}`));

/**
 * An altered copy of the n-th made-up submission: another file, some words misread, a slightly different
 * layout.
 */
export const copyOf = (n: number): Made => {
  const random = randomFrom(n + 0x5eed);
  const numbers = numbersOf(n).map((text) => (random() < MISREAD ? `${text}7` : text));
  const waves = wavesOf(n).map((wave) => wave + COPIED * (random() + random() - 1));
  return madeFrom(n, numbers, waves, hidden(`copy ${n}`));
};

const madeFrom = (n: number, numbers: readonly string[], waves: readonly number[], sha256: string): Made => {
  return {
    n,
    submissionId: `sub_${String(n).padStart(26, '0')}`,
    sha256,
    businessKey: hidden(`data ${n}`),
    waves,
    words: numbers.map((text) => ({ text, confidence: 0.9 })),
  };
};

/** Its look-up keys for near duplicates. */
export const pageOf = ({ waves, words }: Made): FingerprintedPage => ({
  visual: { fileId: 'fil_1', label: 'front', page: 1, width: 1, height: 1, strokes: '', words },
  keys: [...bandKeys(waves), ...numberKeys(words)],
});

/** What it is found by: the texts of its keys. */
export const keysOf = ({ waves, words }: Made): readonly string[] => [
  ...bandKeys(waves).map(({ text }) => text),
  ...numberKeys(words).map(({ text }) => text),
];

const layoutOf = (n: number): number => (isTemplate(n) ? TEMPLATE : 1 + (n % LAYOUTS));

const wavesOf = (n: number): readonly number[] => {
  const common = randomFrom(layoutOf(n) + 0x1a_0000);
  const own = randomFrom(n);
  return Array.from({ length: WAVES }, () => 2 * common() - 1 + OWN * (own() + own() - 1));
};

/**
 * The numbers on a receipt: its supplier's, some goods with price and amount, a day, a time, sums, and one
 * that only it has.
 */
const numbersOf = (n: number): readonly string[] => {
  const layout = layoutOf(n);
  const random = randomFrom(n + 0xca_0000);
  const upTo = (most: number): number => Math.floor(random() * most);
  const goods = Array.from({ length: 3 }, () => {
    const which = upTo(40);
    const price = 1 + ((layout * 31 + which * 17) % 90);
    return [`${price}.${10 + which}`, `${price * (1 + upTo(4))}.${10 + which}`];
  }).flat();
  return [
    `48${10_000 + layout}`,
    `03-${50_000 + layout}`,
    `0007${80_000_000 + layout}`,
    ...goods,
    `${10 + upTo(18)}/${10 + upTo(3)}/20${10 + upTo(10)}`,
    `${10 + upTo(12)}:${10 + upTo(49)}`,
    ...Array.from({ length: 3 }, () => `${5 + upTo(200)}.${10 + upTo(90)}`),
    `INV${100_000_000 + n}`,
  ];
};

/** A fingerprint as in the index: so many digits, unique. */
export const hidden = (text: string): string => hash('sha256', text, 'hex');

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
const randomFrom = (seed: number): (() => number) => {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
};
