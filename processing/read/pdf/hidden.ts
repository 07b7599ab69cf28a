import type { Box } from '../../../domain/submission/processingResult.ts';
import { atMost, type Word } from '../../page.ts';
import type { Size } from '../../picture/pixels.ts';
import { createBoxIndex } from './boxIndex.ts';
import { changesOn, inPixels, isBlank } from './changes.ts';
import type { Sight } from './pdfium.ts';
import type { Held } from './words.ts';

/**
 * The words of a page by what is drawn of them. `shown` can be seen. `hidden` can't; `covered` are those of
 * them where something else is to be seen. `disputed` are boxes of words that lie upon each other and differ:
 * one of them may be hidden, and which one only reading tells; the others are `sure`.
 */
export type Seen = Readonly<{
  shown: readonly Word[];
  sure: readonly Word[];
  hidden: readonly Word[];
  covered: number;
  disputed: readonly Box[];
}>;

/** The words of a page of a size, by how it is drawn with and without its text. */
export const seenOn = (held: readonly Held[], sight: Sight, size: Size): Seen => {
  const [shown, hidden]: [Held[], Word[]] = [[], []];
  const isDrawn = changesOn(sight);
  let covered = 0;
  for (const one of held) {
    const { word, letters, turns } = one;
    const box = inPixels(letters, sight.all, size);
    const drawn = isTiny(letters, word.text, size) ? null : asDrawn(word, { box, turns }, isDrawn);
    if (drawn) shown.push({ ...one, word: drawn });
    else hidden.push(word);
    if (!drawn && !isBlank(sight.ground, letters, size)) covered += 1;
  }
  const disputed = disputedIn(shown);
  const isSure = ({ letters }: Held): boolean => !disputed.includes(letters);
  return {
    shown: shown.map(({ word }) => word),
    sure: shown.filter(isSure).map(({ word }) => word),
    hidden,
    covered,
    disputed,
  };
};

/** Letters that are lower, in points on a page of the usual size, are no text for people. */
const MIN_HEIGHT = 3;
/** The longer side of a page, in points, below which smaller letters are read as well: it is enlarged. */
const SMALL_PAGE = 300;
/** In points: letters that are pressed together can't be told apart. */
const MIN_WIDTH = 0.5;

/** Of the height of the letters: the width of a digit, of a sign, and what of the height all digits have. */
const DIGIT = 0.55;
const SIGN = 0.28;
const BAND = 0.35;
const STEPS = 4;
/** Of that height, what small letters have, and in how many strips; how many of these are drawn at least. */
const X_HEIGHT = 0.45;
const STRIPS = 6;
const MIN_STRIPS = 0.8;
/** Of the width of a word, what may be without letters where some of them are seen. */
const MAX_MISSING = 0.5;

const COVERED = 0.4;

/** A box of letters in pixels, and how many quarters they are turned clockwise. */
type Placed = Readonly<{ box: Box; turns: number }>;

/** A word as far as it is drawn at its place: doubted where a digit lacks, null where it is hidden. */
const asDrawn = (word: Word, placed: Placed, isDrawn: (part: Box) => boolean): Word | null => {
  const { text } = word;
  if (!LETTERS.test(text)) return isDrawn(grown(placed)) ? word : null;
  const parts = partsOf(placed);
  const missing = parts.filter((part) => !isDrawn(part)).length;
  if (missing > MAX_MISSING * parts.length || !isDrawn(placed.box)) return null;
  // A rule that hidden letters cross changes there, too.
  const strips = stripsOf(placed);
  if (text.length > 1 && strips.filter(isDrawn).length < MIN_STRIPS * strips.length) return null;
  const isWhole = missing === 0 && edgesOf(placed).every(isDrawn);
  return isWhole || !DIGITS.test(text) ? word : atMost(COVERED, word);
};

const LETTERS = /[\p{L}\p{N}]/u;
const DIGITS = /\p{N}/u;

/** Whether letters are too small for people, or pressed together. */
export const isTiny = ({ left, top, right, bottom }: Box, text: string, size: Size): boolean => {
  const scale = Math.min(1, Math.max(size.width, size.height) / SMALL_PAGE);
  const [wide, high] = [(right - left) / scale, (bottom - top) / scale];
  if (Math.max(wide, high) < MIN_HEIGHT) return LETTERS.test(text);
  if (text.length === 1) return false;
  return high < MIN_HEIGHT || (wide < MIN_HEIGHT && wide / text.length < MIN_WIDTH);
};

const isSideways = ({ turns }: Placed): boolean => turns % 2 === 1;
const heightOf = (placed: Placed): number => sidesOf(placed)[1];
/** How wide and how high the letters are. */
const sidesOf = (placed: Placed): readonly [wide: number, high: number] => {
  const { left, top, right, bottom } = placed.box;
  return isSideways(placed) ? [bottom - top, right - left] : [right - left, bottom - top];
};

/** What of a box is from one height above the base of its letters to another one. */
const band = ({ box, turns }: Placed, from: number, to: number): Box => {
  if (turns === 0) return { ...box, top: box.bottom - to, bottom: box.bottom - from };
  if (turns === 1) return { ...box, left: box.left + from, right: box.left + to };
  if (turns === 2) return { ...box, top: box.top + from, bottom: box.top + to };
  return { ...box, left: box.right - to, right: box.right - from };
};

/** What of a box is from one place on its line to another one: from the left, or the top. */
const along = (box: Box, placed: Placed, from: number, to: number): Box =>
  isSideways(placed)
    ? { ...box, top: placed.box.top + from, bottom: placed.box.top + to }
    : { ...box, left: placed.box.left + from, right: placed.box.left + to };

/** What is below the line, too, where signs may be. */
const grown = (placed: Placed): Box => band(placed, -SIGN * heightOf(placed), heightOf(placed));

/** The places, each as wide as a digit, where letters of a word are. */
const partsOf = (placed: Placed): readonly Box[] => {
  const [wide, high] = sidesOf(placed);
  const gap = DIGIT * high;
  // Where all digits have ink, and a box that covers them has one colour.
  const own = band(placed, 0, (1 - BAND) * high);
  const parts: Box[] = [];
  for (let from = 0; from + gap <= wide + gap / STEPS; from += gap / STEPS)
    parts.push(along(own, placed, from, from + gap));
  return parts.length > 0 ? parts : [placed.box];
};

/** Strips along a line, from its base to the height of small letters, all of which words cross. */
const stripsOf = (placed: Placed): readonly Box[] => {
  const step = (X_HEIGHT * heightOf(placed)) / STRIPS;
  return Array.from({ length: STRIPS }, (_, index) => band(placed, index * step, (index + 1) * step));
};

/** Where the first and the last character of a word are, which may be as narrow as a sign. */
const edgesOf = (placed: Placed): readonly Box[] => {
  const [wide, high] = sidesOf(placed);
  const [own, sign] = [grown(placed), SIGN * high];
  return [along(own, placed, 0, sign), along(own, placed, wide - sign, wide)];
};

/** Of the smaller of two boxes, what may lie under the other one: lines may stand close. */
const MAX_OVERLAP = 0.3;
/** How many times as high the letters are that lie across a page, and that nobody takes for its text. */
const FAR_LARGER = 2.5;

const disputedIn = (held: readonly Held[]): readonly Box[] => {
  const upon = uponIn(held);
  return held.flatMap(({ word, letters }) => (upon(word.text, letters) ? letters : []));
};

/** Whether any words lie upon each other and differ. */
export const isAnyUpon = (held: readonly Held[]): boolean => {
  const upon = uponIn(held);
  return held.some(({ word, letters }) => upon(word.text, letters));
};

/** Whether a text at a place lies upon a word that says something else. */
const uponIn = (held: readonly Held[]): ((text: string, box: Box) => boolean) => {
  const index = createBoxIndex<Readonly<{ box: Box; said: string }>>();
  for (const { word, letters: box } of held) {
    const said = lettersOf(word.text);
    if (said !== '') index.add(box, { box, said });
  }
  return (text, box) => {
    const said = lettersOf(text);
    if (said === '') return false;
    return index.someNear(
      box,
      (other) => !other.said.includes(said) && !said.includes(other.said) && areUpon(other.box, box),
    );
  };
};

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** Whether two boxes of letters of about one height lie upon each other. */
export const areUpon = (a: Box, b: Box): boolean => {
  const [one, other] = [a.bottom - a.top, b.bottom - b.top];
  if (Math.max(one, other) > FAR_LARGER * Math.min(one, other)) return false;
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const smaller = Math.min(areaOf(a), areaOf(b));
  return wide > 0 && high > 0 && wide * high > MAX_OVERLAP * smaller;
};

const areaOf = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top);
