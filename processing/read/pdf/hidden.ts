import type { Box } from '../../../domain/submission/processingResult.ts';
import { atMost, type Word } from '../../page.ts';
import { type Affine, affineOf, after, boundsOf, moved, stretched } from '../../picture/affine.ts';
import { type Grey, isEmpty, luminance, type Size } from '../../picture/pixels.ts';
import { createBoxIndex } from './boxIndex.ts';
import { type Drawing, isMatrix, steps, UNIT_SQUARE } from './drawing.ts';

/** Letters that are lower (in points) are no text for people. */
const MIN_HEIGHT = 1.5;
/** Fills of text and lines that are lighter (0 to 255), or more transparent (0 to 1), may be seen or not. */
const LIGHT = 200;
const FAINT = 0.5;

/**
 * Whether a page may hold words that it does not show: in a layer, off the page or tiny, in an invisible
 * mode, light or faint, clipped, or under what was filled later. Only the page as it is drawn tells.
 */
export const mayHide = (words: readonly Word[], drawing: Drawing, toPage: Affine, size: Size): boolean => {
  const { named } = drawing;
  const boxes = words.flatMap(({ box }) => box ?? []);
  if (boxes.some((box) => isTiny(box) || !isWithin(box, pageOf(size)))) return true;
  const index = createBoxIndex<Box>();
  for (const box of boxes) index.add(box, box);
  const isOver = (painted: Box): boolean => index.someNear(painted, (box) => coversLetter(painted, box));
  const kept: State[] = [];
  let state: State = { clip: pageOf(size), cuts: false, isUnusual: false, luminance: 0, isFaint: false };
  let [hasText, clips] = [false, false];
  let [line, leading]: [Affine, number] = [IDENTITY, 0];
  for (const { operation, given, map } of steps(drawing, toPage)) {
    const [first, second] = given;
    switch (operation) {
      case named.save:
      case named.paintFormXObjectBegin:
        kept.push(state);
        break;
      case named.restore:
      case named.paintFormXObjectEnd:
        state = kept.pop() ?? state;
        break;
      case named.beginMarkedContentProps:
        // A layer that may be switched off.
        if (first === 'OC') return true;
        break;
      case named.setTextRenderingMode:
        state = { ...state, isUnusual: first !== 0 };
        break;
      case named.setFillRGBColor:
        state = { ...state, luminance: luminanceOf(first) };
        break;
      case named.setGState:
        state = { ...state, isFaint: isFaint(first, state.isFaint) };
        break;
      case named.clip:
      case named.eoClip:
        clips = true;
        break;
      case named.constructPath: {
        const path = boxOfPath(given[2], map);
        if (path && clips) {
          const clip = intersection(state.clip, path);
          const cuts = index.someNear(clip, (box) => !isWithin(box, clip) && !isApart(box, clip));
          state = { ...state, clip, cuts };
        }
        clips = false;
        if (hasText && path && isFill(first, named) && isOver(path)) return true;
        break;
      }
      case named.paintImageXObject:
      case named.paintInlineImageXObject:
      case named.shadingFill:
        if (hasText && isOver(boundsOf(map, UNIT_SQUARE))) return true;
        break;
      case named.beginText:
        line = IDENTITY;
        break;
      case named.setTextMatrix:
        if (isMatrix(first)) line = affineOf(first);
        break;
      case named.setLeading:
        leading = Number(first);
        break;
      case named.setLeadingMoveText:
        leading = -Number(second);
        line = after(line, moved(Number(first), Number(second)));
        break;
      case named.moveText:
        line = after(line, moved(Number(first), Number(second)));
        break;
      case named.nextLine:
        line = after(line, moved(0, -leading));
        break;
      case named.showText:
      case named.showSpacedText:
        hasText = true;
        if (state.isUnusual || state.isFaint || state.cuts || state.luminance > LIGHT) return true;
        if (!isWithin(boundsOf(after(map, line), POINT), state.clip)) return true;
        break;
    }
  }
  return false;
};

const IDENTITY = moved(0, 0);
/** Where a text begins, in its own coordinates. */
const POINT: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** What decides how text shows, as it is kept and restored while a page is drawn. */
type State = Readonly<{
  clip: Box;
  /** Whether the clip cuts through words. */
  cuts: boolean;
  isUnusual: boolean;
  luminance: number;
  isFaint: boolean;
}>;

/**
 * Whether all of a page's text is invisible, or before its last picture: as what was recognised is added to a
 * scan.
 */
export const isUnseen = ({ operations, given, named }: Drawing): boolean => {
  let mode: unknown = 0;
  let isSeen = false;
  for (const [index, operation] of operations.entries()) {
    if (operation === named.setTextRenderingMode) mode = given[index]?.[0];
    if (operation === named.paintImageXObject || operation === named.paintInlineImageXObject) isSeen = false;
    if (operation === named.showText || operation === named.showSpacedText) isSeen ||= mode !== INVISIBLE;
  }
  return !isSeen;
};

const INVISIBLE = 3;

/**
 * The words of a page that are on its picture. A word that another one was written over is gone, and that is
 * doubted.
 */
export const shownOn = (words: readonly Word[], drawn: Grey, size: Size): readonly Word[] => {
  const toPixels = stretched(drawn.width / size.width, drawn.height / size.height);
  const hasInk = (box: Box): boolean => !isEmpty(drawn, boundsOf(toPixels, box));
  const shown = words.flatMap((given, order): readonly Placed[] => {
    const { box } = given;
    if (!box || isTiny(box) || !hasInk(box)) return [];
    const word = /\d/.test(given.text) && lacksLetter(box, hasInk) ? overwritten(given) : given;
    return [{ word, box, order }];
  });
  const index = createBoxIndex<Placed>();
  for (const placed of shown) index.add(placed.box, placed);
  return shown.flatMap(({ word, box, order }) => {
    const isGone = index.someNear(
      box,
      (other) => other.order > order && other.word.text !== word.text && covers(other.box, box),
    );
    if (isGone) return [];
    const isOver = index.someNear(box, (other) => other.order < order && covers(box, other.box));
    return isOver ? overwritten(word) : word;
  });
};

/** A word and where it is; `order` is that in which the page's words were drawn. */
type Placed = Readonly<{ word: Word; box: Box; order: number }>;

const OVERWRITTEN = 0.4;
const overwritten = (word: Word): Word => atMost(OVERWRITTEN, word);

/** The width of a digit, and a third of it, by the height of the letters. */
const DIGIT = 0.55;
const BITE = 0.2;
const STEPS = 8;
const BAND = 0.35;

/** Whether a box covers most of the height of a word, and some of its width. */
const coversLetter = (over: Box, box: Box): boolean => {
  const { left, top, right, bottom } = intersection(over, box);
  const height = box.bottom - box.top;
  return (
    bottom - top > HALF * height && right - left > Math.min(BITE * height, HALF * (box.right - box.left))
  );
};

/** Whether a word has a gap as wide as a digit, where one may be covered. */
const lacksLetter = (box: Box, hasInk: (box: Box) => boolean): boolean => {
  const gap = DIGIT * (box.bottom - box.top);
  const step = gap / STEPS;
  // Where all digits have ink, and a box that covers them has one colour.
  const band = { top: box.top + BAND * (box.bottom - box.top), bottom: box.bottom };
  for (let left = box.left; left + gap <= box.right + step; left += step)
    if (!hasInk({ ...band, left, right: left + gap })) return true;
  return false;
};

const pageOf = ({ width, height }: Size): Box => ({ left: 0, top: 0, right: width, bottom: height });

const isTiny = ({ top, bottom, left, right }: Box): boolean =>
  Math.min(bottom - top, right - left) < MIN_HEIGHT;

/** How far the box of a word may reach beyond what is seen of it, in points. */
const SLACK = 2;

const isWithin = (box: Box, outer: Box): boolean =>
  box.left >= outer.left - SLACK &&
  box.right <= outer.right + SLACK &&
  box.top >= outer.top - SLACK &&
  box.bottom <= outer.bottom + SLACK;

const isApart = (a: Box, b: Box): boolean =>
  a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom;

const HALF = 0.5;

/** Whether a box covers more than half of another one. */
const covers = (over: Box, box: Box): boolean => {
  const { left, top, right, bottom } = intersection(over, box);
  const area = Math.max(0, right - left) * Math.max(0, bottom - top);
  return area > HALF * (box.right - box.left) * (box.bottom - box.top);
};

const intersection = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});

/** The luminance of a colour as PDF.js has it: `#rrggbb`; of anything else the greatest. */
const luminanceOf = (colour: unknown): number => {
  if (typeof colour !== 'string') return 255;
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\da-f]{2}/gi) ?? []).map((part) =>
    Number.parseInt(part, 16),
  );
  return luminance(red, green, blue);
};

/**
 * Whether after a graphics state, and the one before, there is a fill that is less than half opaque, or a
 * mask.
 */
const isFaint = (state: unknown, before: boolean): boolean =>
  (Array.isArray(state) ? state : []).reduce((faint: boolean, entry: unknown) => {
    const [name, value] = Array.isArray(entry) ? entry : [];
    if (name === 'ca') return Number(value) < FAINT;
    return name === 'SMask' ? Boolean(value) : faint;
  }, before);

const boxOfPath = (bounds: unknown, toPage: Affine): Box | null => {
  if (!ArrayBuffer.isView(bounds) && !Array.isArray(bounds)) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = Object.values(bounds).map(Number);
  return boundsOf(toPage, { left, top, right, bottom });
};

const isFill = (operation: unknown, named: Drawing['named']): boolean =>
  [
    named.fill,
    named.eoFill,
    named.fillStroke,
    named.eoFillStroke,
    named.closeFillStroke,
    named.closeEOFillStroke,
  ].some((one) => one === operation);
