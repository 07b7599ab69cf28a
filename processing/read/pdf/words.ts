import type { Box } from '../../../domain/submission/processingResult.ts';
import { asShown, isRightToLeft } from '../../characters.ts';
import { atMost, equalWidths, type LetterWidths, union, type Word, wordsOf } from '../../page.ts';
import { type Affine, affineOf, after, boundsOf, type Matrix } from '../../picture/affine.ts';
import { createBoxIndex } from './boxIndex.ts';
import type { DrawnFont } from './drawing.ts';

/** A run of text in the coordinates of a page's content, before the viewer turns it. */
type Run = Readonly<{ str: string; transform: Matrix; width: number; height: number; fontName?: string }>;
type Text = Readonly<{ text: string; box: Box; widths: LetterWidths }>;

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
): readonly Word[] => {
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
  return whole.flatMap(({ text, box, widths }) => wordsOf(text, box, widths));
};

/** Two texts, one at the right of the other, in the order in which they are read. */
const joined = (left: Text, right: Text): Text => {
  const box = { ...left.box, right: right.box.right };
  const isTurned = isRightToLeft(left.text) || isRightToLeft(right.text);
  const [first, second] = isTurned ? [turned(right), turned(left)] : [left, right];
  return { text: first.text + second.text, box, widths: [...first.widths, ...second.widths] };
};

/** A text without letters of its own direction, as a line from right to left has it. */
const turned = ({ text, box, widths }: Text): Text => {
  if (isRightToLeft(text)) return { text, box, widths };
  const parts = [...text.matchAll(/\S+|\s+/g)].toReversed();
  const own = parts.flatMap(({ 0: part, index }) => widths.slice(index, index + part.length));
  return { text: parts.join(''), box, widths: own };
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
  return { text, box, widths: widths.map((width) => width * scale) };
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
    return { text: once, box: union(group.map(({ box }) => box)), widths: equalWidths(once) };
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

/** A note or a field of a form, as PDF.js gives it. */
type Annotation = Readonly<{
  subtype: string;
  rect: readonly number[];
  annotationFlags: number;
  fieldType?: string;
  fieldValue?: unknown;
  password?: boolean;
  checkBox?: boolean;
  exportValue?: string;
  contentsObj?: Readonly<{ str: string }>;
  /** The lines of what is drawn for it, where it has that. */
  textContent?: readonly string[];
}>;

/** Flags of annotations: hidden, and not to be viewed. */
const UNSEEN = 2 | 32;

/** What notes (FreeText) and the fields of a form show on a page, which is not among its text. */
export const wordsOfAnnotations = (annotations: readonly Annotation[], toPage: Affine): readonly Word[] =>
  annotations.flatMap((one) => {
    if ((one.annotationFlags & UNSEEN) !== 0) return [];
    const stated = shownIn(one);
    const drawn = one.fieldType === 'Btn' || one.password ? '' : (one.textContent ?? []).join('\n');
    // What is drawn may be of an earlier value.
    const isOther = drawn.trim() !== '' && !lettersOf(drawn).includes(lettersOf(stated));
    const lines = (isOther ? drawn : stated).split(/\r\n|[\n\r]/);
    const [left = 0, bottom = 0, right = 0, top = 0] = one.rect;
    const box = boundsOf(toPage, { left, right, top: Math.min(bottom, top), bottom: Math.max(bottom, top) });
    const height = (box.bottom - box.top) / lines.length;
    return lines.flatMap((line, index) => {
      const own = { ...box, top: box.top + index * height, bottom: box.top + (index + 1) * height };
      const words = wordsOf(asShown(line), own);
      return isOther ? words.map((word) => atMost(STALE, word)) : words;
    });
  });

const STALE = 0.4;

const lettersOf = (text: string): string =>
  asShown(text)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const shownIn = ({
  subtype,
  fieldType,
  fieldValue,
  password,
  checkBox,
  exportValue,
  contentsObj,
}: Annotation) => {
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  if (subtype !== 'Widget' || password) return '';
  if (fieldType === 'Btn') return checkBox ? (fieldValue === exportValue ? '☑' : '☐') : '';
  const values: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === 'string').join('\n');
};

const boxOf = ({ transform, width, height }: Run, toPage: Affine): Box => {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
  const [along, up] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1];
  const own = affineOf([a / along, b / along, c / up, d / up, x, y]);
  return boundsOf(after(toPage, own), { left: 0, top: 0, right: width, bottom: height });
};
