import type { Box } from '../../../domain/submission/processingResult.ts';
import { asShown, isRightToLeft } from '../../characters.ts';
import { equalWidths, type LetterWidths, union, type Word, wordsOf } from '../../page.ts';
import { type Affine, affineOf, after, boundsOf, inverse, type Matrix } from '../../picture/affine.ts';
import { createBoxIndex } from './boxIndex.ts';
import type { DrawnFont } from './drawing.ts';

/** A run of text in the coordinates of a page's content, before the viewer turns it. */
type Run = Readonly<{ str: string; transform: Matrix; width: number; height: number; fontName?: string }>;
/** A text, and how many quarters it is turned clockwise from running to the right. */
type Text = Readonly<{ text: string; box: Box; widths: LetterWidths; turns: number }>;

/**
 * A word that a page holds, where its letters are, and how many quarters they are turned clockwise: its own
 * box is that as if its line ran to the right.
 */
export type Held = Readonly<{ word: Word; letters: Box; turns: number }>;

const isRun = (item: object): item is Run =>
  'str' in item && typeof item.str === 'string' && item.str.trim() !== '';

const MAX_GAP = 1;
const SAME_LINE = 0.01;

/**
 * The words of a page's runs of text as they show, in points of the page as displayed: some programs place
 * each letter by itself (runs on one baseline that touch are one), and some draw a text or each letter twice
 * to make it bold.
 */
export const wordsOfItems = (
  items: readonly object[],
  toPage: Affine,
  fonts: ReadonlyMap<string, DrawnFont>,
): readonly Held[] => {
  const whole: Text[] = [];
  const drawn = createBoxIndex<Text>();
  const texts = items.filter(isRun).map((run) => textIn(run, toPage, fonts));
  for (const one of withoutDoubles(texts)) {
    const { box } = one;
    const isCopy = drawn.someNear(box, (before) => isSame(before, one));
    drawn.add(box, one);
    if (isCopy) continue;
    const last = whole.at(-1);
    const touches = last && isOnLine(last.box, box) && Math.abs(box.left - last.box.right) < MAX_GAP;
    if (touches) whole[whole.length - 1] = joined(last, one);
    else whole.push(one);
  }
  return whole.flatMap(heldIn);
};

const heldIn = ({ text, box, widths, turns }: Text): readonly Held[] => {
  const words = wordsOf(text, box, widths);
  const turn = TURNS[turns];
  if (!turn) return words.flatMap((word) => (word.box ? { word, letters: word.box, turns } : []));
  const upright = wordsOf(text, boundsOf(inverse(turn), box), widths);
  return words.flatMap((word, index) => {
    const own = upright[index]?.box;
    return own ? { word, letters: boundsOf(turn, own), turns } : [];
  });
};

/** By a quarter, a half, and three quarters. */
const TURNS: readonly (Affine | null)[] = [
  null,
  affineOf([0, 1, -1, 0, 0, 0]),
  affineOf([-1, 0, 0, -1, 0, 0]),
  affineOf([0, -1, 1, 0, 0, 0]),
];

/** Two texts, one at the right of the other, in the order in which they are read. */
const joined = (left: Text, right: Text): Text => {
  const box = { ...left.box, right: right.box.right };
  const isTurned = isRightToLeft(left.text) || isRightToLeft(right.text);
  const [first, second] = isTurned ? [turned(right), turned(left)] : [left, right];
  return { ...left, text: first.text + second.text, box, widths: [...first.widths, ...second.widths] };
};

/** A text without letters of its own direction, as a line from right to left has it. */
const turned = (given: Text): Text => {
  const { text, widths } = given;
  if (isRightToLeft(text)) return given;
  const parts = [...text.matchAll(/\S+|\s+/g)].toReversed();
  const own = parts.flatMap(({ 0: part, index }) => widths.slice(index, index + part.length));
  return { ...given, text: parts.join(''), widths: own };
};

const textIn = (run: Run, toPage: Affine, fonts: ReadonlyMap<string, DrawnFont>): Text => {
  const text = asShown(run.str);
  const box = boxOf(run, toPage);
  const own = fonts.get(run.fontName ?? '')?.widths;
  const widths: number[] = [];
  let all = 0;
  for (const unit of text) {
    const width = own?.get(unit) || USUAL;
    all += width;
    for (let index = 0; index < unit.length; index += 1) widths.push(width / unit.length);
  }
  const scale = (box.right - box.left) / all;
  return { text, box, widths: widths.map((width) => width * scale), turns: turnsOf(run, toPage) };
};

/** The width of a letter that a font does not tell, in thousandths of its size. */
const USUAL = 500;

const isOnLine = (a: Box, b: Box): boolean => Math.abs(a.bottom - b.bottom) < SAME_LINE;

/** Texts, with those that lie upon each other as one text where each of its letters was drawn twice. */
const withoutDoubles = (texts: readonly Text[]): readonly Text[] => {
  const groups: Text[][] = [];
  for (const one of texts) {
    const last = groups.at(-1)?.at(-1);
    const isUpon =
      last && isOnLine(last.box, one.box) && one.box.left < last.box.right && one.box.left > last.box.left;
    if (isUpon) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  return groups.flatMap((group) => {
    const text = group.map((one) => one.text).join('');
    if (group.length < 2 || !DOUBLED.test(text)) return group;
    const once = text.replace(/(\S)\1/g, '$1');
    const box = union(group.map((one) => one.box));
    return { text: once, box, widths: equalWidths(once), turns: group[0]?.turns ?? 0 };
  });
};

const DOUBLED = /^(?:(\S)\1\s?)+$/;

/** Whether two texts are one that was drawn twice, as some programs make it bold. */
const isSame = (one: Text, other: Text): boolean => {
  const near = SAME_PLACE * (other.box.bottom - other.box.top);
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= near;
  return (
    one.text === other.text &&
    isNear(one.box.left, other.box.left) &&
    isNear(one.box.bottom, other.box.bottom)
  );
};

/** Of the height of the letters. */
const SAME_PLACE = 0.2;

const boxOf = ({ transform, width, height }: Run, toPage: Affine): Box => {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
  const [along, up] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1];
  const own = affineOf([a / along, b / along, c / up, d / up, x, y]);
  return boundsOf(after(toPage, own), { left: 0, top: 0, right: width, bottom: height });
};

const turnsOf = ({ transform }: Run, toPage: Affine): number => {
  const [across, , , down] = after(toPage, affineOf(transform));
  if (Math.abs(across) >= Math.abs(down)) return across >= 0 ? 0 : 2;
  return down > 0 ? 1 : 3;
};
